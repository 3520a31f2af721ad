# RUN: %python %s
"""searchsorted() orders complex numbers by both parts, with NaN last, and in the dtype that both arguments have."""

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


def found(a, v):
    return np.searchsorted(a, v)


def behind(a, v):
    return np.searchsorted(a, v, side="right")


nan = np.nan
numbers = np.sort(np.array([1 + 2j, 1 + 1j, 2, complex(3, nan), complex(1, nan), complex(nan, 1), complex(nan, nan), complex(nan, 0)]))
for v in (numbers, np.array([1, 1.5, nan]), 1 + 1j, np.complex64(1 + 1j), 2):
    same(found, numbers, v)
    same(behind, numbers, v)
same(found, np.array([-1, 1, 2**62]), np.array([0, 2**63, 2**62 + 1], "u8"))
