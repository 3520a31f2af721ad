# RUN: %python %s
"""piecewise() assigns to the elements where a condition holds, with the errors of that assignment."""

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


def pieces(x, y):
    return np.piecewise(x, [x > 1], [y, 0])


for x in (np.array([0.0, 1, 2, 3]), np.array([0, 1, 2, 3], "i1"), np.float64(2), np.float64(0)):
    for y in (7, np.array([7.0, 8.0]), np.array([7.0, 8.0, 9.0]), np.array([7.0])):
        same(pieces, x, y)
same(lambda x: np.piecewise(x, [x < 1, x > 2], [-1, lambda v: v * 2]), np.arange(5.0))
