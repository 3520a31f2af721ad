"""Arguments that are known when a function is compiled."""
import enum
import types
import weakref

_made = weakref.WeakValueDictionary()  # by their keys


class Constant:
    """An argument that is known at compile time: None, a string, a tuple of known things, a function. Equal if the compiler could
    not tell two apart, and then one object, so that forms with many of them are compared quickly. Functions without a closure are
    equal if their code is: a lambda is another object each time that Python comes by."""

    __slots__ = ("value", "__weakref__")

    def __new__(cls, value):
        made = super().__new__(cls)
        made.value = value
        return _made.setdefault(_key(value), made)

    def __repr__(self):
        return repr(self.value)


class FunctionCode(Constant):
    """What functions have in common that differ by the values in their closures only; `value` is one of them."""

    __slots__ = ()

    def __new__(cls, function):
        made = object.__new__(cls)
        made.value = function
        return _made.setdefault((cls, *_function_key(function)), made)


def _key(value):
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    if type(value) is types.FunctionType and not (value.__closure__ or value.__kwdefaults__ or vars(value)):
        return _function_key(value)
    return (type(value), id(value) if callable(value) or isinstance(value, enum.Enum) else repr(value))


def _function_key(function):
    """Of what a function is made but for its closure. Ids are of what the constant keeps alive."""
    keyword_defaults = tuple((function.__kwdefaults__ or {}).items())
    return types.FunctionType, id(function.__code__), id(function.__globals__), _default_key(function.__defaults__), _default_key(keyword_defaults)


def _default_key(value):
    if isinstance(value, tuple):
        return tuple(map(_default_key, value))
    return (type(value), repr(value) if isinstance(value, (bool, int, float, str, type(None))) else id(value))
