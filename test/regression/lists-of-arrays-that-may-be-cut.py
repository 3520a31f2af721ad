# RUN: %python %s
"""An array that is a part of itself, or itself, as a condition says, was taken for one of the same extents in each iteration."""
import numpy as np

import npcc


def parts(x, n):
    kept = []
    for _ in range(n):
        x = x[:-1] if x.shape[0] > 3 else x
        kept.append(x * 2)
    return kept


for n in (0, 1, 5):
    got, wanted = npcc.jit(parts, target="cpu", cache=False)(np.arange(6.0), n), parts(np.arange(6.0), n)
    assert len(got) == len(wanted) and all(np.array_equal(a, b) for a, b in zip(got, wanted)), (got, wanted)
