"""Functions of any length, written as text: one style each, `lines` statements long.

Each style is a function of the number of lines that gives the source of a module with a function `f`, and its
arguments. Statements differ from each other (in a slice, a constant, or a function), so that no two kernels are the
same by accident.
"""
import numpy as np

HEAD = "import numpy as np\n\n\n"


def chain(lines):
    """Elementwise functions, each of which uses the previous value twice."""
    names = ["sin", "cos", "tanh", "sqrt", "exp", "arctan"]
    body = [f"    x = np.{names[k % 6]}(x * {1 + k % 7}e-3) + x * k" for k in range(lines)]
    return _function("x, k", body, "x"), (np.linspace(0.0, 1.0, 100), 0.5)


def scalars(lines):
    """Python's numbers."""
    body = [f"    x = x * x * {1 + k % 7}e-3 + k" for k in range(lines)]
    return _function("x, k", body, "x"), (0.1, 0.5)


def stores(lines):
    """Statements that store into slices of one array: kernels that nothing makes one."""
    body = [f"    x[{1 + k % 5}:-1] = x[{2 + k % 5}:] * {1 + k % 7}e-3 + x[:-{2 + k % 5}]" for k in range(lines)]
    return _function("x", body, "x"), (np.linspace(0.0, 1.0, 100),)


def repeated(lines):
    """One statement, many times."""
    return _function("x, k", ["    x[1:-1] = x[2:] * k + x[:-2]"] * lines, "x"), (np.linspace(0.0, 1.0, 100), 0.5)


def calls(lines):
    """Calls of a helper."""
    helper = "def h(x, k):\n    y = np.cos(x) * k\n    return y + x\n\n\n"
    body = [f"    x = h(x, {1 + k % 7}e-3)" for k in range(lines)]
    return HEAD + helper + _body("x", body, "x"), (np.linspace(0.0, 1.0, 100),)


def slices(lines):
    """Sums of two slices of the previous value: an element is needed at more positions with each line."""
    body = [f"    x = x[1:] * {1 + k % 7}e-1 + x[:-1]" for k in range(lines)]
    return _function("x", body, "x"), (np.linspace(0.0, 1.0, lines + 100),)


def nest(depth):
    """Loops in loops."""
    body = [f"{'    ' * (k + 1)}for i{k} in range(2):" for k in range(depth)]
    body.append("    " * (depth + 1) + "s += x[" + " + ".join(f"i{k}" for k in range(depth)) + "]")
    return _function("x", ["    s = 0.0"] + body, "s"), (np.linspace(0.0, 1.0, 100),)


def _body(parameters, body, result):
    return f"def f({parameters}):\n" + "\n".join(body) + f"\n    return {result}\n"


def _function(parameters, body, result):
    return HEAD + _body(parameters, body, result)


STYLES = {style.__name__: style for style in (chain, scalars, stores, repeated, calls, slices, nest)}
