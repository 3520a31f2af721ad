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


@functools.cache
def caught(cls):
    return type(cls.__name__, (Caught, cls), {"__module__": cls.__module__})
