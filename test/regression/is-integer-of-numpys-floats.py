# RUN: %python %s
"""is_integer() of a scalar of NumPy's was an AttributeError of an array."""
import numpy as np

import npcc


def of_log(x):
    return np.log2(x).is_integer(), np.float32(x).is_integer()


def of_sum(a):
    return a.sum().is_integer()


compiled = npcc.jit(of_log, target="cpu")
for x in (8.0, 7.5, 8, 3):
    assert repr(compiled(x)) == repr(of_log(x)), x
for a in (np.ones(3), np.ones(3, int), np.full(3, 0.5, np.float32)):
    assert repr(npcc.jit(of_sum, target="cpu")(a)) == repr(of_sum(a)), a
