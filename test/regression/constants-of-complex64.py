# RUN: %python %s
"""A known numpy.complex64 lost its imaginary part, and ndarray.item() of a tuple took it for rows."""
import numpy as np

import npcc

FACTOR = np.complex64(3 + 2j)


def keys(numbers):
    return list(numbers), list(numbers.values())


def scaled(a):
    return a * FACTOR, FACTOR


def item(a):
    return a.item((1, 2)), a.item((0, -1)), a.item(4), a.item(1, 0)


given = {np.complex64(3 + 1j): 4 + 5j}
assert repr(npcc.jit(keys, target="cpu")(given)) == repr(keys(given))
a = np.ones(2, np.complex64)
assert repr(npcc.jit(scaled, target="cpu")(a)) == repr(scaled(a))
b = np.arange(6).reshape(2, 3)
assert npcc.jit(item, target="cpu")(b) == item(b)
