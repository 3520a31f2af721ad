# RUN: %python %s
"""numpy.vectorize of a function that gives an int or a float: its first result says which one the array is of."""
import numpy as np

import npcc


def doubled(x):
    return np.vectorize(lambda v: v * 2 if v > 2 else 0)(x), np.vectorize(lambda v: v * 2 if v > 2 else 0.0)(x)


for x in (np.array([1.0, 3.5, 7.0]), np.array([3.5, 1.0]), np.array([[1, 5], [7, 2]])):
    got, want = npcc.jit(doubled, target="cpu")(x), doubled(x)
    assert repr(got) == repr(want), (got, want)
