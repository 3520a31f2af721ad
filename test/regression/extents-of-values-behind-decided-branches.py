# RUN: timeout 60 %python %s
"""The extent of an array that a branch makes was asked for as that of a function of several arrays, where the branch turned out to be decided only after extents were resolved."""
import numpy as np

import npcc


def trimmed(c):
    is_kept = c != 0
    last = c.shape[0] - int(np.argmax(is_kept[::-1]))
    return c[:last if np.any(is_kept) else 1]


@npcc.jit(target="cpu")
def squared(a):
    c = a.copy()
    return trimmed(np.convolve(trimmed(c), trimmed(c)))


a = np.array([1.0, 2.0, 0.0, 3.0, 0.0])
assert np.array_equal(squared(a), squared.py_func(a)) and squared(a).shape == (7,)
