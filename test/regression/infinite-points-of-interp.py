# RUN: %python %s
"""interp() of complex points treated both parts as one number: an infinity in one made NaN of the other."""

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


def between(x, f):
    return np.interp(x, [0.0, 1.0], [f, 3.0])


for f in (complex(np.inf, 1), complex(1, np.inf), complex(np.nan, 1), 2 - 1j):
    for x in (0.0, 0.5, 1.0, 2.0, -1.0, np.nan):
        same(between, x, f)
    same(between, np.array([0.0, 0.25, 1.0, np.nan]), f)
