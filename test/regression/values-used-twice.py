# RUN: %python %s
"""Straight-line code that uses a value twice took time that doubled with each line: years for these. The code for it doubled too where the two
uses are at different positions, or in the two arms of a branch."""
import linecache

import numpy as np

import npcc


def compiled(parameters, lines, result="x"):
    """A function of these lines, with a source that npcc finds."""
    name = f"<program {len(linecache.cache)}>"
    text = f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {result}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def check(parameters, lines, *arguments):
    function = compiled(parameters, lines)
    jitted = npcc.jit(target="cpu")(function)
    wanted = function(*[np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments])
    got = jitted(*[np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments])
    assert got.dtype == wanted.dtype and got.shape == wanted.shape and np.allclose(got, wanted, rtol=1e-12, equal_nan=True), lines[0]


def size(parameters, lines, *arguments):
    """How many operations the loop form has."""
    types = ", ".join(f"{a.dtype}[{', '.join(':' * a.ndim)}]" if isinstance(a, np.ndarray) else type(a).__name__ for a in arguments)
    return len(npcc.jit(target="cpu")(compiled(parameters, lines)).inspect("loops", types).splitlines())


def grows_linearly(parameters, line, *arguments, lines=(20, 40, 80)):
    """As much from 40 to 80 lines as two times from 20 to 40, and a rest."""
    few, some, many = (size(parameters, [line] * n, *arguments) for n in lines)
    assert many - some <= 2.5 * (some - few) + 50, (line, few, some, many)


x = np.linspace(0.0, 1.0, 200)
rows = np.linspace(0.0, 1.0, 60).reshape(6, 10)
mask = np.arange(6) % 2 == 0
elementwise = "x = np.sin(x) + x * k"
square = "x = x * x + x"
newton = "x = x - (x * x - k) / (2.0 * x)"
slices = "x = x[1:] * k + x[:-1]"
arms = "x = np.where(m[:, None], np.sin(x), x * 0.5)"
inside = "x = x.copy(); x[1:-1] = np.sin(x[1:-1]) + x[1:-1]"
neighbours = "y = x.copy(); y[1:-1] = x[2:] * k + x[:-2]; x = y"

check("x, k", [elementwise] * 40, x, 0.5)
check("x", [square] * 40, x / 100)
check("x, k", [newton] * 40, x + 1.0, 2.0)
check("x, k", [slices] * 40, x, 0.5)
check("x, m", [arms] * 40, rows, mask)
check("x", [inside] * 40, x)
check("x, k", [neighbours] * 40, x, 0.5)
check("x", ["for i in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12):", "    x = np.concatenate((x, x * i))"], x[:2])
check("x", ["for i in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12):", "    x = np.concatenate((x, x[:1] * i))"], x[:2])

grows_linearly("x, k", elementwise, x, 0.5)
grows_linearly("x", square, x)
grows_linearly("x, k", slices, x, 0.5)
grows_linearly("x, m", arms, rows, mask)
grows_linearly("x", inside, x)
grows_linearly("x, k", neighbours, x, 0.5)

# A kernel of all of them would take LLVM the square of its length, and recursion over it more than a thread's usual stack.
check("x, k", ["x = np.cos(x) * k + x"] * 3000, x, 0.001)
