# RUN: %python %s
# list() of an array that has a name was refused where the array has rows: they are views, as NumPy's are.
import numpy as np

import npcc


def longest(a):
    best = 0
    for line in list(a) + list(a.T):
        best = max(best, line.sum())
    return best


def stored_through_the_list(a):
    rows = list(a)
    rows[0][0] = 9
    return a


def stored_below_the_list(a):
    rows = list(a)
    a[1, 1] = 7
    return rows[1].sum(), len(rows)


def grown(a):
    rows = list(a)
    rows.append(rows[0] * 2)
    return len(rows), rows[-1], tuple(a)[0]


for function in (longest, stored_through_the_list, stored_below_the_list, grown):
    a = np.arange(9).reshape(3, 3)
    expected, got = function(a.copy()), npcc.jit(target="cpu")(function)(a.copy())
    assert repr(expected) == repr(got), (function, expected, got)
