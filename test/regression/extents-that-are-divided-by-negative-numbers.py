# RUN: %python %s
"""What later calls are asked for, that extents are as in the first call, was computed with 1 for a negative divisor: numpy.arange of a negative step gave no
elements where it has some, or was refused, in a call whose first one was different."""
import numpy as np

import npcc


def arange(step, stop):
    return np.arange(2, stop, step)


def halves(n, k):
    return np.ones(max((n - 5) // k, 0)), np.arange(10)[n // k:]


calls = {arange: [(-1, 5), (-8, -1), (3, 1), (3, 8), (-2, -9), (-1, 5), (5, 2)], halves: [(9, 2), (1, -2), (9, -2), (3, 2), (1, -1)]}
for function, arguments in calls.items():
    for first in arguments:
        compiled = npcc.jit(function)
        for given in [first, *arguments]:
            expected, found = function(*given), compiled(*given)
            assert repr(found) == repr(expected), (function.__name__, first, given, found, expected)
