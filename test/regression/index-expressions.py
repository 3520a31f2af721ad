# RUN: %python %s
"""numpy.s_ and numpy.index_exp could not be compiled."""
import numpy as np

import npcc

INNER = np.s_[1:-1, ::2]


def cut(a, y, x, r=1):
    window = np.s_[max(y - r, 0) : y + r + 1, max(x - r, 0) : x + r + 1]
    part = a[window]
    part *= 2.0
    return part.sum(), window[0].start, window[1].stop, a[INNER], a[np.s_[..., None]].shape


def chosen(a, k):
    where = {"rows": np.s_[k:], "column": np.s_[:, k], "element": np.s_[k, 0], "reversed": np.s_[::-1]}
    a[where["column"]] = 0.0
    a[where["rows"]] += 1.0
    return a[where["element"]], a[where["reversed"]], len(np.index_exp[k]), len(np.index_exp[k, 1:]), a[np.index_exp[k]]


def by_place(a, axis):
    views = []
    for index in (np.s_[1:], np.s_[:-1]):
        views.append(a[(slice(None),) * axis + (index,)])
    return views[0] - views[1]


for f, arguments in ((cut, (2, 0)), (cut, (0, 3, 2)), (chosen, (1,)), (by_place, (0,)), (by_place, (1,))):
    expected, found = np.arange(20.0).reshape(4, 5), np.arange(20.0).reshape(4, 5)
    results = f(expected, *arguments), npcc.jit(target="cpu", fallback=False)(f)(found, *arguments)
    assert repr(results[0]) == repr(results[1]), (f.__name__, results)
    assert np.array_equal(expected, found), f.__name__
