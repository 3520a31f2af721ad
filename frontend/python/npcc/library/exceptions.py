"""Exceptions that compiled code catches, whose messages are known at run time only."""
import functools


class Caught:
    """What the name after `as` holds: an object of the exception's class, with its message."""

    def __str__(self):
        return self.__text__

    def __repr__(self):
        return f"{type(self).__name__}({self.__text__!r})"

    @property
    def args(self):
        return (self.__text__,)


class CaughtKeyError(Caught):
    """Python shows the key as repr() does."""

    def __str__(self):
        return repr(self.__text__)


class CaughtObject:
    """One whose class has an __init__() or __str__() of its own, or whose arguments are not one text: an object that holds what the __init__() gave it,
    its arguments, and its message."""

    def __str__(self):
        return self.__text__

    def __repr__(self):
        return f"{type(self).__name__}{self.args!r}" if len(self.args) != 1 else f"{type(self).__name__}({self.args[0]!r})"


def class_of(cls):
    """The exception's class of which an object of `cls` is made by its message alone; None where it is not."""
    is_plain = cls.__bases__[0] in (Caught, CaughtKeyError)
    return cls.__bases__[1] if is_plain and cls.__bases__[1:] and not cls.__dict__.get("is_shown") else None


def is_told_by_text(cls):
    """Whether the class of an exception and its message are all that an object of `cls` has."""
    return issubclass(cls, Caught)


def class_of_arguments(cls):
    """The exception's class of which an object of `cls` is made by its arguments; None where it is not."""
    is_made = issubclass(cls, CaughtObject) and cls.__bases__[1:] and not has_own_methods(cls.__bases__[1])
    return cls.__bases__[1] if is_made else None


def class_of_caught(cls):
    """The exception's class as the program knows it, of a class that caught() gave; None of others."""
    return cls.__bases__[1] if issubclass(cls, (Caught, CaughtObject)) and cls.__bases__[1:] else None


class RaisedResult(tuple):
    """What a function that calls itself gives where it raises: the message, or what the exception's object holds under `keys`."""


@functools.cache
def raised(cls, is_key, keys):
    """The class of such tuples for exceptions of a class. `is_key`: as in caught()."""
    return type(f"Raised{cls.__name__}", (RaisedResult,), {"raised": cls, "is_key": is_key, "keys": keys, "_fields": ()})


def has_own_methods(cls):
    return any(hasattr(method, "__code__") for method in (cls.__init__, cls.__str__))


def first_argument(self):
    return self.args[0] if self.args else None


def only_argument(self):
    return self.args[0] if len(self.args) == 1 else self.args if self.args else None


# What Python's own classes make of any arguments.
FROM_ARGUMENTS = {(StopIteration, "value"): first_argument, (SystemExit, "code"): only_argument, (SyntaxError, "msg"): first_argument,
                  (ImportError, "msg"): first_argument}


def attributes_of(cls):
    """The attributes that Python's own classes among the bases have beside those of all exceptions: None without arguments of their own, or a property."""
    found = {}
    for base in cls.__mro__:
        if base in (BaseException, object):
            break
        for name, value in vars(base).items():
            if type(value).__name__ in ("getset_descriptor", "member_descriptor") and not name.startswith("_"):
                rule = FROM_ARGUMENTS.get((base, name))
                found.setdefault(name, property(rule) if rule else None)
    return found


def has_own_rules(cls):
    """Whether Python's own class makes more of its arguments than `args`, by rules that compiled code does not have."""
    return any(value is None for value in attributes_of(cls).values())


def values_of(exception):
    """The attributes of an exception of Python's own that its class has made of known arguments."""
    names = [name for name, value in attributes_of(type(exception)).items() if value is None]
    return {name: getattr(exception, name) for name in names if hasattr(exception, name)}


def caught(cls, is_shown=False, has_arguments=False):
    """`is_shown`: the message is what repr() gives of a key. `has_arguments`: its objects hold their arguments, which are not one text."""
    return class_for_caught(cls, is_shown, has_arguments or has_own_methods(cls))


@functools.cache
def class_for_caught(cls, is_shown, has_arguments):
    plain = CaughtKeyError if issubclass(cls, KeyError) and not is_shown else Caught
    base = CaughtObject if has_arguments else plain
    return type(cls.__name__, (base, cls), {**attributes_of(cls), "__module__": cls.__module__, "is_shown": is_shown})
