# RUN: %python %s
# What functions do at their edges: numbers without axes, arrays without elements, errors in NumPy's words. Histograms of two axes of float32 could not
# be compiled: edges that are float32 or, of no points, float64 met the other dtype on a path that is never taken.
import numpy as np

import npcc


def both(a, b):
    return np.histogram2d(a, b, 3)


def no_bins(a, edges):
    return np.histogram(a, edges)


def cubes(a):
    return np.histogramdd(a, 2)


def least(a):
    return np.nanmin(a, axis=0)


def grid(n):
    return np.fromfunction(lambda i, j: i + 2 * j, (3, n))


def triangle(n):
    return np.tri(n), np.tri(2, n)


def mean(a):
    return np.average(a, axis=0)


def taken(a):
    return np.take(a, [0, -1], axis=0)


def beyond(a):
    return np.take(a, [0, 1], axis=0)


def split(a):
    return np.array_split(a, 2)


def joined(a, b):
    return np.concatenate([a, b])


def places(a):
    return np.nonzero(a)


def put(a):
    np.put_along_axis(a, np.array(0), 1, -1)


def between(a, b):
    return np.interp(a, b, b)


def contracted(a, b):
    return np.einsum("...ij,...j->...i", a, b)


def padded(a, n):
    return np.pad(a, n)


def outcome(function, arguments):
    try:
        result = function(*[a.copy() if isinstance(a, np.ndarray) else a for a in arguments])
    except Exception as error:
        return type(error).__name__, str(error)
    return [(x.dtype, x.tolist()) for x in (result if isinstance(result, (tuple, list)) else (result,)) if isinstance(x, (np.ndarray, np.generic))]


line = np.array([1, 2, 3, 4.5])
for function, arguments in (
        (both, (line.astype("f4"), line[::-1].astype("f4"))), (both, (line.astype("f2"), line.astype("f2"))), (both, (line[:0].astype("f4"),) * 2),
        (no_bins, (line, np.zeros(0))), (no_bins, (line, np.zeros(1))), (no_bins, (line[:0], np.zeros(0, int))),
        (cubes, (np.zeros((2, 2, 2)),)), (cubes, (np.zeros((1, 0)),)),
        (least, (np.array(5, np.uint8),)), (least, (np.array(5.0),)), (grid, (-1,)), (grid, (2,)), (triangle, (-1,)), (triangle, (2,)),
        (mean, (np.zeros((2, 0)),)), (mean, (np.zeros((0, 2)),)), (mean, (np.array(3.0),)), (taken, (np.array(7),)), (taken, (line,)), (beyond, (np.array(7),)),
        (split, (np.array(3),)), (split, (line,)), (joined, (np.zeros((3, 1)), np.array(1))), (joined, (np.array(1), np.zeros((3, 1)))),
        (places, (np.array(True),)), (places, (np.array(3),)), (put, (np.array(2),)), (between, (line.astype("c8"), line)),
        (contracted, (np.zeros((2, 2)), np.zeros(4))), (padded, (np.array(1.0), -1)), (padded, (line, -1)), (padded, (line, 1))):
    with np.errstate(all="ignore"):
        expected = outcome(function, arguments)
    got = outcome(npcc.jit(target="cpu")(function), arguments)
    assert repr(expected) == repr(got), f"{function.__name__}: {got}, NumPy: {expected}"
