# RUN: %python %s
"""What an array takes when a number is assigned to it, and what NumPy raises when it does not: these were stored as
any bits, or silently cut."""

import numpy as np

import npcc


def item(a, v):
    a[0] = v
    return a


def region(a, v):
    a[...] = v
    return a


def positions(a, v):
    a[[0]] = v
    return a


def masked(a, v):
    a[a == 0] = v
    return a


def filling(a, v):
    a.fill(v)
    return a


def updated(a, v):
    a[0] += v
    return a


def added(a, v):
    return a + v, a == v, a < v, v <= a


def whole(a, v):
    return np.full(2, v, a.dtype), np.array(v, a.dtype), np.array([v], a.dtype)


def outcome(function, a, v):
    try:
        with np.errstate(all="ignore"):
            return repr(function(a.copy(), v))
    except npcc.CompileError as error:
        return str(error.msg)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


VALUES = [
    300,
    -1,
    2**40,
    7,
    2.5,
    -1.5,
    float("nan"),
    float("inf"),
    1e10,
    1e30,
    1j,
    True,
    np.float32(np.nan),
    np.float64(1e10),
    np.int64(300),
    np.complex64(2 + 1j),
]
for function in (item, region, positions, masked, filling, updated, added, whole):
    compiled = npcc.jit(function, target="cpu")
    for dtype in ("i1", "u1", "i8", "u8", "f4", "?"):
        for value in VALUES:
            want, given = outcome(function, np.zeros(2, dtype), value), outcome(compiled, np.zeros(2, dtype), value)
            assert want == given, (function.__name__, dtype, value, want, given)
