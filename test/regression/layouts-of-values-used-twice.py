# RUN: %python %s
"""How an array lies in memory was asked along every path from it to what it is computed of: the time doubled with each value that is used twice."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def doubled(a):
    x = a
    for _ in (0,) * 40:
        x = x + x * 0.5
    return np.zeros_like(x), x.copy(order="A")


zeros, copy = doubled(np.ones((2, 3)))
assert zeros.shape == (2, 3) and np.allclose(copy, 1.5**40)
