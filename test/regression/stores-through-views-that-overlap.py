# RUN: %python %s
# Stores through a view in which an element has several places: all values are computed before the first is stored, and the last one stays.
import warnings

import numpy as np

import npcc

warnings.simplefilter("ignore")


def windows(a, b):
    w = np.lib.stride_tricks.as_strided(a, (a.size - 2, 3), (8, 8))
    w += 1
    w[...] = b
    for i in range(w.shape[0]):
        for j in range(3):
            w[i, j] = w[i, j] * 2 + j
    return a


def chosen(a, flag):
    w = np.broadcast_arrays(a, np.zeros((3, a.size)))[0] if flag else a[None]
    w += 1
    return a


for function, arguments in ((windows, (np.arange(9.0), np.random.default_rng(0).random((7, 3)))), (chosen, (np.arange(5.0), True)), (chosen, (np.arange(5.0), False))):
    want = function(arguments[0].copy(), *arguments[1:])
    got = npcc.jit(function)(arguments[0].copy(), *arguments[1:])
    assert np.array_equal(want, got), (want, got)
