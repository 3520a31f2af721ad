"""functools.partial objects as functions, which is what is compiled."""
import functools


def of_partial(function):
    """A functools.partial as a function: its parts are what that closes over. Others as they are."""
    if not isinstance(function, functools.partial):
        return function
    inner, arguments, keywords = function.func, function.args, function.keywords

    def call(*args, **kwargs):
        return inner(*arguments, *args, **{**keywords, **kwargs})

    call.__name__ = getattr(inner, "__name__", "partial")
    return call
