# RUN: %python %s
"""A small array of a global is part of the code. Where an argument shared its memory and the function stored into that, the code went on with the elements
that the global had before, silently. So it is a parameter where an argument, another global's array or what an object holds overlaps with it."""
import numpy as np

import npcc


class Grid:
    pass


def stored(v):
    v += 1
    return U.sum(), U[1]


def read(v):
    return U.sum() + v.sum()


def of_object(grid):
    grid.inner[...] = 3
    return U.sum(), grid.inner.sum()


def of_globals(k):
    global inner
    for _ in range(3):
        inner += U[:-2] + k
    LARGE[:8] += 1
    return inner.sum(), U.sum(), SMALL.sum()


def reset():
    global U, inner, LARGE, SMALL
    U = np.arange(6.0)
    inner = U[1:-1]
    LARGE = np.arange(1000.0)
    SMALL = LARGE[4:10]


def run(f):
    reset()
    other, grid = np.zeros(6), Grid()
    grid.inner = inner
    found = []
    # The first call shares nothing, the second one does, and those behind it may again not.
    for function, *arguments in ((stored, other), (stored, U), (stored, U[::-2]), (stored, other), (stored, U[2:]), (read, other), (read, U), (of_object, grid),
                                 (of_globals, 2), (of_globals, 1), (stored, np.zeros(0))):
        found += [function.__name__, f(function)(*arguments)]
    return found, U.tolist(), LARGE.sum(), other.tolist()


kept = {}
expected = run(lambda function: function)
found = run(lambda function: kept.setdefault(function, npcc.jit(function)))
assert found == expected, (found, expected)
