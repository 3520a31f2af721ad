# RUN: %python %s
"""NumPy's scalars have not all of an array's methods: `x.dot(y)` of a float64 was computed."""
import numpy as np

import npcc


def product(x, y):
    return x.dot(y)


def transposed(x, y):
    return x.mT


def parted(x, y):
    return (x * y).partition(0)


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except AttributeError as error:
        return str(error)


for function in (product, transposed, parted):
    for x in (np.float64(2), np.int32(3), np.complex64(1j), np.bool_(True)):
        assert outcome(npcc.jit(function, target="cpu"), x, x) == outcome(function, x, x), (function, x)
