# RUN: %python %s
"""numpy.vectorize computes with Python's numbers, but the dtype of its result is that of NumPy's numbers: uint64 and int64 make float64, float32 stays."""
import numpy as np

import npcc


def mixed(a, b):
    return np.vectorize(lambda x, y: x + 2 * y)(a, b)


def third(a, b):
    return np.vectorize(lambda x, y: x / 3)(a, b)


def chosen(a, b):
    return np.vectorize(lambda x, y: x if x > y else 0)(a, b)


def compared(a, b):
    return np.vectorize(lambda x, y: x > y)(a, b)


for function in (mixed, third, chosen, compared):
    compiled = npcc.jit(target="cpu")(function)
    for first in ("float32", "uint64", "int8", "bool"):
        for second in ("int16", "bool", "float64"):
            a, b = np.arange(1, 5).astype(first), np.arange(4).astype(second)
            expected, found = function(a, b), compiled(a, b)
            assert expected.dtype == found.dtype and np.array_equal(expected, found), (function.__name__, first, second, expected, found)
