# RUN: %python %s
"""Positions that a range gives: where it is longer than the axis, NumPy raises an IndexError, also if few of the elements are read afterwards, or none."""
import numpy as np

import npcc


def one_of_them(a):
    return a[np.arange(7)][..., 4, 0]


def in_place(a):
    a //= a[np.arange(7)[::1]][..., 4, 0]


def unread(a):
    a[np.arange(8)[::1]]
    return a


def as_long_as_the_axis(a):
    return a[np.arange(len(a))][2:]


def outcome(function, *arguments):
    try:
        return np.asarray(function(*arguments)).tolist(), arguments[0].tolist()
    except Exception as error:
        return type(error).__name__, str(error), arguments[0].tolist()


for target in ("cpu", "debug"):
    for function in (one_of_them, in_place, unread, as_long_as_the_axis):
        compiled = npcc.jit(target=target)(function)
        for rows in (1, 5, 7, 8, 9):
            a = np.arange(1, rows + 1).reshape(rows, 1)
            got, wanted = outcome(compiled, a.copy()), outcome(function, a.copy())
            assert got == wanted, (target, function.__name__, rows, got, wanted)
