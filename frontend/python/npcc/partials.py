"""functools.partial objects, methods of objects and objects that are called, as functions, which is what is compiled."""
import functools
import inspect


def of_partial(function):
    """A functools.partial as a function: its parts are what that closes over. Others as they are."""
    if not isinstance(function, functools.partial):
        return function
    inner, arguments, keywords = function.func, function.args, function.keywords

    def call(*args, **kwargs):
        return inner(*arguments, *args, **{**keywords, **kwargs})

    call.__name__ = getattr(inner, "__name__", "partial")
    return call


def as_method(value):
    """The method that a call of the value is, where it is one of an object: the object is the first argument of the function then."""
    if inspect.ismethod(value):
        return value
    call = None if inspect.isroutine(value) or inspect.isclass(value) else getattr(type(value), "__call__", None)
    return call.__get__(value) if inspect.isfunction(call) else None
