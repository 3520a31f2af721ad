# RUN: %python %s
"""A slice could not be returned."""
import numpy as np

import npcc


def windows(a, n):
    inner = slice(1, -1)
    return inner, np.s_[::2, 1:n], [slice(k, k + n) for k in (0, 2)], slice(None), a[inner]


assert str(npcc.jit(windows, target="cpu")(np.arange(5.0), 3)) == str(windows(np.arange(5.0), 3))
