# RUN: %python %s
"""pad() takes constants before and after, for each axis, and assigns them as items."""

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


def padded(a, constants):
    return np.pad(a, 1, constant_values=constants)


line, square = np.array([1, 2, 3], "i1"), np.arange(6.0).reshape(2, 3)
for constants in (7, np.array([7]), np.array([7, 8]), np.array([7, 8, 9]), np.array([[1, 2], [3, 4]]), np.float64(2.5)):
    same(padded, line, constants)
    same(padded, square, constants)
    same(padded, np.int8(3), constants)
for constants in (300, np.nan, 1e30):
    same(padded, line, constants)
same(lambda a: np.pad(a, ((1, 2), (0, 1)), constant_values=((1, 2), (3, 4))), square)
same(lambda a: np.pad(a, 2, constant_values=(5, 6)), square)
