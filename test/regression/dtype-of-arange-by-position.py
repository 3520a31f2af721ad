# RUN: %python %s
"""numpy.arange takes its dtype by position, though the signature that NumPy 2.4 gives says by name only."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def counted(n):
    return np.arange(0, n, 2, np.uint8)


assert counted(7).dtype == np.uint8 and counted(7).tolist() == [0, 2, 4, 6]
