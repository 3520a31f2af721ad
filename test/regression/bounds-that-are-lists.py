# RUN: %python %s
"""np.clip() of bounds that are lists or tuples raised TypeError: a list was taken for a dtype."""
import numpy as np

import npcc


def clipped(a):
    return np.clip(a, [1, 2, 3], 4), np.clip(a, 1, (2.5, 3, 3)), a.clip([1, 2, 3], (2, 3, 4))


found, expected = npcc.jit(clipped, target="cpu")(np.arange(6).reshape(2, 3)), clipped(np.arange(6).reshape(2, 3))
assert [(x.dtype, x.tolist()) for x in found] == [(x.dtype, x.tolist()) for x in expected]
