"""Arguments that are known when a function is compiled."""
import weakref

_made = weakref.WeakValueDictionary()  # by their keys


class Constant:
    """An argument that is known at compile time: None, a string, a tuple of known things, a function. Equal if the compiler could
    not tell two apart, and then one object, so that forms with many of them are compared quickly; functions are by identity."""

    __slots__ = ("value", "__weakref__")

    def __new__(cls, value):
        made = super().__new__(cls)
        made.value = value
        return _made.setdefault(_key(value), made)

    def __repr__(self):
        return repr(self.value)


def _key(value):
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    return (type(value), id(value) if callable(value) else repr(value))
