# RUN: %python %s
"""numpy.poly() of no roots is the number 1.0, and was an array; one that is wrong in its mode had other words in numpy.convolve()."""
import numpy as np

import npcc


def polynomial(roots):
    return np.poly(roots)


def convolved(a, mode):
    return np.convolve(a, a, mode)


def sum_of_one(a):
    return np.add(a)


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except (TypeError, ValueError) as error:
        return str(error)


for roots in ([], [2.0], [1.0, 3.0]):
    roots = np.array(roots)
    assert repr(npcc.jit(polynomial, target="cpu")(roots)) == repr(polynomial(roots))
for mode in ("full", "foo", "V", "xyz", "", 1, 3):
    assert outcome(npcc.jit(convolved, target="cpu"), np.ones(2), mode) == outcome(convolved, np.ones(2), mode), mode
assert outcome(npcc.jit(sum_of_one, target="cpu"), np.ones(2)) == outcome(sum_of_one, np.ones(2))
