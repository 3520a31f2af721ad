# RUN: %python %s
"""Sets of integers whose common dtype does not hold them: NumPy compares few one by one, in tables, or as floats.
union1d() gives Python's numbers the dtype of the other argument."""

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


def among(x, y):
    return np.isin(x, y)


def without(x, y):
    return np.setdiff1d(x, y)


def together(x, y):
    return np.union1d(x, y)


large = np.array([0, 1, 2**62, 2**62 + 1, 2**63 - 1, 2**63 - 2, 7, 8, 9, 10, 11, 12, 13, 14])
unsigned = np.array([0, 1, 2**62 + 1, 2**63 - 1, 2**63, 2**64 - 1, 7, 8, 9, 10, 11, 12, 13, 14], "u8")
for x in (large, unsigned, -large):
    for y in (large, unsigned, -large, large.astype(float), unsigned.astype(complex), large[:3], unsigned[4:6], unsigned[6:]):
        same(among, x, y)
        same(without, x, y)
        same(without, np.concatenate([x, x]), y)
for x in (7, 300, 2.5, True, 1j):
    for y in (np.int16(3), np.uint8(255), np.array([1, 2], "i1"), np.float32(2.5), np.bool_(True)):
        same(together, x, y)
        same(together, y, x)
