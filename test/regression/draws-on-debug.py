# RUN: %python %s
"""The target debug took arrays of random numbers for never written: it was not told of draws."""
import numpy as np

import npcc


@npcc.jit(target="debug")
def drawn(n):
    rng = np.random.default_rng(3)
    scales = rng.random(n)
    return rng.exponential(1.0, n) + rng.normal(0.0, scales), rng.integers(0, 5, (n, 2)).sum(axis=1)


for given, wanted in zip(drawn(4), drawn.py_func(4)):
    assert np.array_equal(given, wanted)
