# RUN: %python %s
"""A definition that is parsed alone is the one that its whole file has, with the same lines and columns."""
import ast
import importlib
import inspect
import linecache
import pkgutil
import types

import npcc.library
from npcc.definitions import alone
from npcc.private_names import mangle


def whole(code):
    tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    mangle(tree)
    definitions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == code.co_name]
    return next(n for n in definitions if code.co_firstlineno in (n.lineno, *(d.lineno for d in n.decorator_list)))


def compare(function):
    """Whether it was found alone, and if so as in the file."""
    code = function.__code__
    lines = inspect.findsource(function)[0]
    found = alone(code, lines)
    if found is None:
        return False
    assert alone(code, lines) is found
    assert ast.dump(found, include_attributes=True) == ast.dump(whole(code), include_attributes=True), function
    return True


def decorated(function):
    return function


@decorated
def with_decorator(x):
    class Private:
        __hidden = 1

    # a comment inside
# and one at the margin
    return [Private, lambda y: x + y]


def ends_with_a_string(x):
    y = x
    """text
at the margin"""


def ends_with_a_parenthesis(x):
    return (
        x
)


def constant(x):
    pass


def outer():
    def inner():
        return 1
    return inner


assert compare(with_decorator) and compare(constant) and compare(outer) and compare(ends_with_a_parenthesis)
assert compare(ends_with_a_string)
assert not compare(outer()) and not compare(with_decorator(1)[1])

counts = [0, 0]
for module in [*pkgutil.walk_packages(npcc.library.__path__, "npcc.library."), types.SimpleNamespace(name="statistics"),
               types.SimpleNamespace(name="textwrap")]:
    module = importlib.import_module(module.name)
    for function in vars(module).values():
        if isinstance(function, types.FunctionType) and function.__module__ == module.__name__ and not hasattr(function, "__wrapped__"):
            counts[compare(function)] += 1
print(counts)
assert counts[1] > 500 and counts[0] < counts[1] / 20
