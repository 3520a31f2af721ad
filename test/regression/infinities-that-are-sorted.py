# RUN: %python %s
# An infinity among many numbers was sorted by vectors as the greatest finite one.
import numpy as np

import npcc


@npcc.jit
def ordered(a):
    return np.sort(a), np.argsort(a, kind="stable")


for dtype in ("f2", "f4", "f8"):
    a = (np.random.default_rng(0).standard_normal(1000) * 10).astype(dtype)
    a[::7], a[2::13], a[3::17] = np.nan, np.inf, -np.inf
    values, positions = ordered(a)
    assert np.array_equal(values, np.sort(a), equal_nan=True)
    assert np.array_equal(positions, np.argsort(a, kind="stable"))
