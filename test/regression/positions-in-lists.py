# RUN: %python %s
"""Positions that a list has are looked at, all of them and first, as those that an array has: only the elements that were needed in the end were looked at."""
import numpy as np

import npcc


def part(a, y):
    return a[[0, 1], [0, 0]][2::-2]


def masked(a, y):
    w = a[np.ix_([0], [1, 3])]
    w[w > 0.5] -= 3
    return w


def beside(a, y):
    a = a[np.ix_([0], [1, 0])]
    a[-1] -= y
    return a


def outcome(function, arguments):
    try:
        return str(function(*arguments))
    except (IndexError, ValueError) as error:
        return type(error).__name__, str(error)


for target in ("cpu", "debug"):
    for function in (part, masked, beside):
        compiled = npcc.jit(target=target)(function)
        for shape in ((0, 0), (1, 1), (3, 1), (2, 4)):
            for extent in (1, 2, 3):
                arguments = np.ones(shape, np.int32), np.arange(extent)
                copies = [a.copy() for a in arguments]
                assert outcome(function, arguments) == outcome(compiled, copies), (function.__name__, target, shape, extent)
                assert all(map(np.array_equal, arguments, copies)), (function.__name__, target, shape, extent)
