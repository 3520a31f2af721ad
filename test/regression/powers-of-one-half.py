# RUN: %python %s
"""x ** 0.5 is the square root of arrays and the power of scalars, which differ for minus infinity and minus zero, and
numpy.power() takes the root for one exponent of float32 and float64. Python's powers of -inf are no complex numbers."""

import functools

import numpy as np

import npcc

compiled = functools.cache(functools.partial(npcc.jit, target="cpu"))  # once for each function


def same(function, *arguments):
    """The compiled function gives what Python gives: value, dtype, kind, sign of zero, or error with its words."""
    with np.errstate(all="ignore"):
        want = outcome(function, arguments)
        got = outcome(compiled(function), arguments)
    assert want == got, (function.__name__, arguments, want, got)


def outcome(function, arguments):
    try:
        value = function(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
    except npcc.CompileError as error:  # "TypeError: its words"
        return tuple(error.msg.splitlines()[0].split(": ", 1))
    except Exception as error:
        return type(error).__name__.lstrip("_"), str(error)
    return type(value).__name__, str(np.asarray(value).dtype), np.shape(value), repr(value)


def operator(x, y):
    return x**y


def ufunc(x, y):
    return np.power(x, y)


def known(x):
    return x**0.5


def known_ufunc(x):
    return np.power(x, 0.5)


for dtype in ("f2", "f4", "f8"):
    a = np.array([-np.inf, -0.0, 0.0, 4.0, np.nan, np.inf], dtype)
    for x in (a, a[0], a[1], a[3], np.array(a[0])):
        same(known, x)
        same(known_ufunc, x)
        for y in (0.5, np.dtype(dtype).type(0.5), np.array(0.5, dtype), np.full(6, 0.5, dtype), 2.0):
            same(operator, x, y)
            same(ufunc, x, y)
    same(lambda x, y: np.float_power(x, y), a, 0.5)
for x in (-np.inf, -0.0, 0.0, 4.0, np.inf):
    same(known, x)
    for y in (0.5, 3.0, np.nan, np.inf, -np.inf):
        same(operator, x, y)
    same(lambda x: x**np.nan, x)
