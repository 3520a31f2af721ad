# RUN: %python %s cpu
# RUN: %python %s debug
# NumPy's elementwise functions give arrays that lie in memory as their operands do. A reshape of the sum of transposes is
# a copy there, into which stores do not show in the sum.
import sys

import numpy as np

import npcc


def swapped(a):
    a = (2 + a).swapaxes(0, 1)
    a.reshape(-1)[0] = 1
    return a


def transposes(a):
    b = a.T * a.T
    c = b.ravel()
    c[:] = 7
    d = b.reshape(b.shape[0], b.shape[1], 1)
    d[0, 0] = 5
    return b, c, d


def slices(a):
    b = (a[:, 1:] + a[:, :-1]).T
    b.reshape(-1)[-1] = 1
    c = np.sqrt(a[1:].T) + np.arange(a.shape[0] - 1.0)
    c.reshape(-1)[0] = 1
    return b, c


def one_in_c_order(a):
    b = a[:2, :2].T + a[:2, :2]
    c = b.reshape(-1)
    c[0] = 1
    return b, c


def columns(a):
    b = a.T + 1
    c = b.reshape((-1, 1))
    c += 1
    return b, c


def stretched(a):
    b = (np.broadcast_to(a, (2, *a.shape)) < a[:1]).T
    c = b.reshape(-1)
    c[0] = True
    d = (a[:, None] - a).T
    d.reshape(-1)[1:2] = 9
    return b, c, d


def added(a):
    return a.T + a.T


def kept_order(a):
    return added(a).ravel("K"), (a[:, 1:].T * 2).ravel("K"), np.exp(a.T).copy("K").ravel("K")


for function in swapped, transposes, slices, one_in_c_order, columns, stretched, kept_order:
    for rows, columns_ in (2, 2), (1, 2), (2, 1), (3, 4):
        if min(rows, columns_) == 1 and function in (slices, one_in_c_order, kept_order):
            continue
        a = np.arange(1.0, rows * columns_ + 1).reshape(rows, columns_)
        expected, got = function(a.copy()), npcc.jit(target=sys.argv[1])(function)(a.copy())
        assert repr(expected) == repr(got), (function.__name__, a.shape, expected, got)
