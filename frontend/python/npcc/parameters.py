"""What a Python function says of its parameters."""
import inspect
import sys
import types

from .errors import compile_error

MISSING = object()  # stands for "no default"


def signature_of(function):
    """inspect.signature of a function. A function in C says its parameters as text, which inspect takes apart with Python's tokenizer; that compiles a
    regular expression for each kind of token at its first use, which takes longer than the import of a small function. The parser of Python needs none."""
    function = inspect.unwrap(function)  # of a function of NumPy's that other libraries' arrays may replace
    text = getattr(function, "__text_signature__", None)
    if not isinstance(function, types.BuiltinFunctionType) or not text or "$" in text:
        return inspect.signature(function)
    scope = {}
    try:
        exec(f"def stand_in{text}: pass", vars(sys.modules[function.__module__]), scope)
    except (KeyError, NameError, SyntaxError):  # a text that is no Python: inspect says so, or reads it in another way
        return inspect.signature(function)
    return inspect.signature(scope["stand_in"])


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
