# RUN: %python %s
"""Constants that stayed behind when views of views became pointers of the host made the translation to LLVM fail."""
import numpy as np

import npcc


@npcc.jit
def stepped(a, b, factor):
    x = b * 1.0
    while True:
        d = np.linalg.solve(a * factor, b)
        if (d**2).sum() > 0.1:
            x = x + d
            break
        factor *= 0.5
    return x, factor


a, b = np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 5]]), np.array([1.0, 2, 3])
x, factor = stepped(a, b, 8.0)
expected, last = stepped.py_func(a, b, 8.0)
assert np.allclose(x, expected) and factor == last
