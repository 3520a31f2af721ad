# RUN: %python %s
"""np.fill_diagonal() with no values leaves the array as it is; it raised ValueError or IndexError."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def filled(a, values, wrap):
    np.fill_diagonal(a, values, wrap)
    return a.tolist()


for wrap in (False, True):
    for shape in ((3, 3), (6, 2), (1, 1)):
        assert filled(np.ones(shape), np.zeros((0, 3)), wrap) == np.ones(shape).tolist()
assert filled(np.zeros((2, 2)), np.array([1.0, 2.0]), False) == [[1, 0], [0, 2]]
