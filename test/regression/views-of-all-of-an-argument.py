# RUN: %python %s
"""A view of all of an argument (a[:], a.T of one axis) was returned as the argument itself; in NumPy it is another object that shares its memory."""
import numpy as np

import npcc


def views(a, b, n):
    first = a
    if n > 1:
        first = b
    second = a[:]
    if n > 1:
        second = b.T
    third = a.T
    if n > 1:
        third = a[::2]
    return (a, a[:], a[...], a.T, a.reshape(-1), a.ravel(), a.swapaxes(0, 0), np.moveaxis(a, 0, 0), np.expand_dims(a, ()), a[::-1][::-1],
            np.reshape(a, (1, -1))[0], np.asarray(a), np.atleast_1d(a), first, second, third, second if n > 5 else a * 2)


compiled = npcc.jit(views, target="cpu")
for a, b in (np.arange(4.0), np.ones(4)), (np.arange(8.0)[::2], np.ones(4)):
    for n in (0, 2, 9):
        expected, given = views(a, b, n), compiled(a, b, n)
        for k, (one, other) in enumerate(zip(expected, given)):
            assert np.array_equal(one, other), (k, n)
            assert (one is a, one is b) == (other is a, other is b), (k, n)
            assert np.shares_memory(one, a) == np.shares_memory(other, a) and np.shares_memory(one, b) == np.shares_memory(other, b), (k, n)
