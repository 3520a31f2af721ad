# RUN: %python %s
"""An element of what is computed, taken with an ellipsis, is an array of no axes, as that of an array is."""
import numpy as np

import npcc


def elements(c):
    return c[..., -1], c[np.array([0])][..., -1], (c + 1)[..., 0], (c * 2)[0], np.sum(c[..., 0] + c[1:][..., 0])


c = np.arange(3.0)
for mine, theirs in zip(npcc.jit(elements, target="cpu")(c), elements(c)):
    assert type(mine) is type(theirs) and mine == theirs and np.shape(mine) == np.shape(theirs), (mine, theirs)
