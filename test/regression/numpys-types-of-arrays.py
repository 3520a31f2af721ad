# RUN: %python %s
"""numpy.float64() of an array of that dtype gave a copy; NumPy gives the array itself, as numpy.asarray does."""
import numpy as np

import npcc


def stored(a):
    b = np.float64(a)
    b[...] = 7
    return b


def view(a):
    b = np.float64(a[::2])
    b[0] = 7
    return b


def added(a):
    b = np.int64(a)
    b += 1
    return b


for function in (stored, view, added):
    for a in (np.arange(4.0) + 0.5, np.arange(4), np.arange(4, dtype="f4"), np.arange(6.0).reshape(2, 3).T, np.zeros((0, 2))):
        if function is view and len(a) == 0:
            continue
        mine, other = a.copy(), a.copy()
        got, expected = npcc.jit(function, target="cpu")(mine), function(other)
        np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(mine, other)
        assert got.dtype == expected.dtype and np.shares_memory(got, mine) == np.shares_memory(expected, other), (function, a)

b = np.array(2.5)
assert type(npcc.jit(lambda a: np.float64(a), target="cpu")(b)) is np.float64
