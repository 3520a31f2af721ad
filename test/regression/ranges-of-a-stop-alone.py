# RUN: %python %s
"""numpy.arange(stop=n) asked for a start, and numpy.isreal of Python's number gave NumPy's bool."""
import numpy as np

import npcc


def ranges(n):
    return np.arange(stop=n), np.arange(stop=n, step=2), np.arange(n, None), np.arange(stop=n, dtype=np.float32)


def nothing(n):
    return np.arange(step=n)


for n in 5, 0, -2, 2.5, np.float32(3):
    expected, found = ranges(n), npcc.jit(ranges)(n)
    assert repr(found) == repr(expected), (found, expected)
try:
    npcc.jit(nothing)(2)
except TypeError as error:
    assert str(error) == "arange() requires stop to be specified.", error
else:
    raise AssertionError("no error")
for function in lambda: np.isreal(3), lambda: np.isreal(2j), lambda: np.isreal(np.float64(2)), lambda: np.isreal(np.array([1, 2j])):
    assert repr(npcc.jit(function)()) == repr(function())
