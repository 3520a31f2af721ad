"""Code that calls something else, for a function's object to run in place of its own.

Like runner.py this file is imported without the package.
"""
import inspect
import types
import warnings


def calling_code(function, callee):
    """The code of a function with the parameters of `function` that calls `callee` with them."""
    parameters = inspect.signature(function).parameters.values()
    shown, given = [], []
    kinds = [p.kind for p in parameters]
    for k, p in enumerate(parameters):
        default = "" if p.default is p.empty else "=None"
        if p.kind is p.VAR_POSITIONAL:
            shown.append(f"*{p.name}")
            given.append(f"*{p.name}")
        elif p.kind is p.VAR_KEYWORD:
            shown.append(f"**{p.name}")
            given.append(f"**{p.name}")
        elif p.kind is p.KEYWORD_ONLY:
            if p.VAR_POSITIONAL not in kinds and "*" not in shown:
                shown.append("*")
            shown.append(p.name + default)
            given.append(f"{p.name}={p.name}")
        else:
            if k and kinds[k - 1] is p.POSITIONAL_ONLY and p.kind is not p.POSITIONAL_ONLY:
                shown.append("/")
            shown.append(p.name + default)
            given.append(p.name)
    if kinds and kinds[-1] is inspect.Parameter.POSITIONAL_ONLY:
        shown.append("/")
    place = "the callee"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a string is not callable: the callee takes its place
        made = compile(f"def {function.__name__}({', '.join(shown)}): return {place!r}({', '.join(given)})", function.__code__.co_filename, "exec")
    code = next(c for c in made.co_consts if isinstance(c, types.CodeType))
    constants = tuple(callee if c == place else c for c in code.co_consts)
    return code.replace(co_consts=constants, co_firstlineno=function.__code__.co_firstlineno, co_qualname=function.__qualname__)
