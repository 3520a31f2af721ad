"""Exceptions that compiled code catches, whose messages are known at run time only."""
import functools


class Caught:
    """What the name after `as` holds: an object of the exception's class, with its message."""

    def __str__(self):
        return self.message

    def __repr__(self):
        return f"{type(self).__name__}({self.message!r})"

    @property
    def args(self):
        return (self.message,)


class CaughtKeyError(Caught):
    """Python shows the key as repr() does."""

    def __str__(self):
        return repr(self.message)


class CaughtSyntaxError(Caught):
    @property
    def msg(self):
        return self.message


class CaughtObject:
    """One whose class has an __init__() or __str__() of its own: an object that holds what that gave it, its arguments, and its message."""

    def __str__(self):
        return self.message

    def __repr__(self):
        return f"{type(self).__name__}{self.args!r}" if len(self.args) != 1 else f"{type(self).__name__}({self.args[0]!r})"


def class_of(cls):
    """The exception's class of which an object of `cls` is made by its message alone; None where it is not."""
    is_plain = cls.__bases__[0] in (Caught, CaughtKeyError, CaughtSyntaxError)
    return cls.__bases__[1] if is_plain and cls.__bases__[1:] and not cls.__dict__.get("is_shown") else None


def class_of_caught(cls):
    """The exception's class as the program knows it, of a class that caught() gave; None of others."""
    return cls.__bases__[1] if issubclass(cls, (Caught, CaughtObject)) and cls.__bases__[1:] else None


class RaisedResult(tuple):
    """What a function that calls itself gives where it raises: the message, or what the exception's object holds under `keys`."""


@functools.cache
def raised(cls, is_key, keys):
    """The class of such tuples for exceptions of a class. `is_key`: as in caught()."""
    return type(f"Raised{cls.__name__}", (RaisedResult,), {"raised": cls, "is_key": is_key, "keys": keys, "_fields": ()})


@functools.cache
def caught(cls, is_shown=False):
    """`is_shown`: the message is what repr() gives of a key."""
    has_own = any(hasattr(method, "__code__") for method in (cls.__init__, cls.__str__))
    plain = CaughtKeyError if issubclass(cls, KeyError) and not is_shown else CaughtSyntaxError if issubclass(cls, SyntaxError) else Caught
    base = CaughtObject if has_own else plain
    return type(cls.__name__, (base, cls), {"__module__": cls.__module__, "is_shown": is_shown})
