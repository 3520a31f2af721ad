"""Classes whose methods are compiled."""
import inspect


def compile_methods(cls, compile_function):
    """The class, with `compile_function` of each of its methods, static methods and properties. Python makes the objects, so `__init__` and other methods that
    Python calls by their names stay as they are, as do class methods, generators and coroutines."""
    for name, value in list(vars(cls).items()):
        is_special = name.startswith("__") and name.endswith("__") and name != "__call__"
        if not is_special and (made := compiled(value, compile_function)) is not None:
            setattr(cls, name, made)
    return cls


def compiled(value, compile_function):
    """What stands for a method; None for what stays."""
    if isinstance(value, staticmethod):
        function = compiled(value.__func__, compile_function)
        return None if function is None else staticmethod(function)
    if isinstance(value, property):
        parts = [function and (compiled(function, compile_function) or function) for function in (value.fget, value.fset, value.fdel)]
        return property(*parts, value.__doc__)
    is_plain = inspect.isfunction(value) and not hasattr(value, "py_func")
    waits = inspect.isgeneratorfunction(value) or inspect.iscoroutinefunction(value) or inspect.isasyncgenfunction(value)
    return compile_function(value) if is_plain and not waits else None
