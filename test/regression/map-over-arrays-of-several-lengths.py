# RUN: %python %s
"""map() over several arrays or lists whose lengths are known at run time only was refused."""
import operator

import numpy as np

import npcc


def over_arrays(a, b):
    return list(map(lambda x, y: x * y, a, b)), sum(map(operator.sub, a, b))


def over_lists(n, a):
    halves = [0.5 * k for k in range(n)]
    return list(map(lambda x, y, z: x + y * z, range(n), halves, a))


a, b = np.arange(4.0), np.arange(3.0)
assert repr(npcc.jit(over_arrays, target="cpu")(a, b)) == repr(over_arrays(a, b))
assert npcc.jit(over_lists, target="cpu")(5, [3, 1, 2]) == over_lists(5, [3, 1, 2])
