# RUN: %python %s
"""NumPy casts what it reduces to any output, multiplies where dot has a number, and puts into arrays of no axes: each was an error."""
import warnings

import numpy as np

import npcc

warnings.simplefilter("ignore", np.exceptions.ComplexWarning)


def reduced(a, out, running):
    np.sum(a, out=out)
    np.cumprod(a, out=running)
    return out, running


def multiplied(a, out):
    return np.dot(a, 3, out=out), np.dot(2, a, out=out)


def placed(a):
    np.put(a, [0, -1], [2, 5])
    return a


for dtype in ("f8", "c16", "i8"):
    for other in ("i2", "u4", "f4", "?"):
        given = np.array([1.5, 1.5, 300]).astype(dtype)
        results = [one(given, np.zeros((), other), np.zeros(3, other)) for one in (reduced, npcc.jit(target="cpu")(reduced))]
        for wanted, result in zip(*results):
            assert result.dtype == wanted.dtype and np.array_equal(result, wanted), (dtype, other)
results = [one(np.arange(3), np.zeros(3)) for one in (multiplied, npcc.jit(target="cpu")(multiplied))]
assert np.array_equal(results[0], results[1])
assert npcc.jit(target="cpu")(placed)(np.array(1.0)) == 5
