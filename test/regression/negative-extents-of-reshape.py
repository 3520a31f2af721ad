# RUN: %python %s
"""Any negative extent stands for the unknown one in numpy.reshape, not -1 alone; and numpy.isscalar says yes of strings."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def shapes(a, name):
    return a.reshape(-10).shape, a.reshape(2, -7).shape, np.reshape(a, (-2, 3)).shape, np.isscalar(name), np.isscalar("x" + str(a.size))


assert shapes(np.arange(6.0), "n") == ((6,), (2, 3), (2, 3), True, True)
