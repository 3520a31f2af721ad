# RUN: %python %s
"""np.linspace() and np.logspace() of lists raised TypeError: a list was taken for a dtype."""
import numpy as np

import npcc


def spaced(a):
    return np.linspace([1, 2], 1, 3), np.linspace(a, (3.5, 1), 3, endpoint=False), np.linspace([], 1, 2), np.logspace([1, 2], 2, 3)


a = np.array([1, 2])
assert [x.tolist() for x in npcc.jit(spaced, target="cpu")(a)] == [x.tolist() for x in spaced(a)]
