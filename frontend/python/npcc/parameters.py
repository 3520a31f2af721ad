"""What a Python function says of its parameters."""
import inspect

from .errors import compile_error

MISSING = object()  # stands for "no default"


def has_variable_parameters(function):
    return any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in inspect.signature(function).parameters.values())


def describe_parameters(function):
    """(names, positional-only count, positional count, defaults) of a Python function, in the order of its parameters."""
    parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            code = function.__code__
            raise compile_error([dict(is_error=True, file=code.co_filename, line=code.co_firstlineno, column=0, end_line=0, end_column=0,
                                      message=f"{parameter} of {function.__name__}: the parameters of a function that is declared are fixed",
                                      notes=["name the parameters"])])
    names = tuple(p.name for p in parameters)
    positional_only = sum(p.kind is p.POSITIONAL_ONLY for p in parameters)
    positional = sum(p.kind is not p.KEYWORD_ONLY for p in parameters)
    defaults = tuple(MISSING if p.default is p.empty else p.default for p in parameters)
    return names, positional_only, positional, defaults
