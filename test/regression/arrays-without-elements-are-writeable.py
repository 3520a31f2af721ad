# RUN: %python %s
"""Results of no elements were read-only where the extents to the right of an axis made its stride 0."""
import numpy as np

import npcc


def empty(a):
    return np.ones((3, 0, 5)), a[:, :0], np.array([[], []]), np.broadcast_to(a[0], (3, 4))


a = np.ones((2, 4))
assert [x.flags.writeable for x in npcc.jit(target="cpu")(empty)(a)] == [x.flags.writeable for x in empty(a)] == [True, True, True, False]
