# RUN: %python %s
"""Masks, positions and reductions of selections, compiled, against NumPy."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "Inputs"))
from against_numpy import check  # noqa: E402

line = np.array([3.0, -1, 2, -5, 0, 7])
table = np.arange(24.0).reshape(4, 6)


def select(x, m):
    return x[m], x[m].sum(), x[m].max(), x[m].mean(), x[m].size, len(x[m])


def own_array(x):
    y = x[x > 0]
    y[0] = 9
    return y, x


def several_axes(a):
    rows = a[:, 0] > 5
    return a[a > 7] * 2, a[a > 7].sum(), a[rows], a[rows].sum(axis=1), a[rows].sum(axis=0), a[rows, 1:]


def positions(a):
    i, j = np.nonzero(a % 5 == 0)
    return i, j, np.flatnonzero(a > 20), np.where(a[0] > 2)[0]


def store_selection(x):
    x[x < 0] = x[x > 0][:2]
    return x


def store_too_many(x):
    x[x < 0] = np.array([1.0, 2, 3])
    return x


def store_one(a):
    a[a < 5] = a[a == 7]
    return a


def store(a):
    a[:, a[0] > 2] = 0
    a[a > 10] += 1
    a[a[:, 1] > 10] *= 2
    return a


def arithmetic(x, m):
    return x[m][1:], x[m] + x[m], (x[m] - x[~m][0]) * 2, np.sum(x[m] * x[m]), np.argmax(x[m])


def none_selected(x):
    return x[x > 100], x[x > 100].sum()


def maximum_of_none(x):
    return x[x > 100].max()


def wrong_extent(x):
    return x[np.ones(3, bool)]


def fancy(a):
    b = a[[0, 2]]
    a[[0, 1], [3, -1]] = 50
    a[:, [0, 0]] += 1
    return b, a[np.array([0, -1]), 1:3], a[:, [0, 0]], a[np.array([[0], [1]]), [2, 3]], a[0, :, None][[1]]


def out_of_bounds(x):
    return x[[0, 9]]


def accumulate(x):
    return (np.maximum.accumulate(x), np.minimum.accumulate(x), np.add.accumulate(x), np.bitwise_or.reduce((x > 0).astype(int)),
            np.sum(x, initial=3), np.max(x, initial=100), np.sum(x, where=x > 0), np.max(x, where=x < 0, initial=-100))


for function, *arguments in [(select, line, line > 0), (own_array, line), (several_axes, table), (positions, table), (store_selection, line),
                             (store_too_many, line), (store_one, table), (store, table), (arithmetic, line, line > 0), (none_selected, line),
                             (maximum_of_none, line), (wrong_extent, line), (fancy, table), (out_of_bounds, line), (accumulate, line)]:
    check(function, *arguments)
