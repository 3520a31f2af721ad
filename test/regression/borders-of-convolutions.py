# RUN: %python %s
"""What is beyond an array's ends is no term of a convolution: as a zero it made NaN of infinities."""

import numpy as np

import npcc


def convolved(a, v, mode):
    return np.convolve(a, v, mode)


def correlated(a, v, mode):
    return np.correlate(a, v, mode)


a, v = np.array([1.0, np.inf, 2, 3]), np.array([np.inf, 1, 2])
for mode in ("full", "same", "valid"):
    for function in (convolved, correlated):
        compiled = npcc.jit(function, target="cpu")
        for x, y in ((a, v), (v, a), (np.arange(5.0), v), (np.arange(4), np.arange(6))):
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(compiled(x, y, mode), function(x, y, mode))
