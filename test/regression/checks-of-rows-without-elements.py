# RUN: %python %s
"""A loop of which each iteration makes a check and stores a row was one kernel whose elements made the check: rows without elements made none."""
import numpy as np

import npcc


def picked(x, n):
    out = np.zeros((n, x.shape[1]))
    for i in range(n):
        out[i] = x[i] * 2
    return out


def split(x, n, parts):
    out = np.zeros((n, x.shape[0]))
    for j in range(x.shape[0]):
        if parts < 1:
            raise ValueError("no parts")
        out[:, j] = x[j] / parts
    return out


def outcome(function, *arguments):
    try:
        return function(*arguments).shape
    except (IndexError, ValueError) as error:
        return type(error), str(error)


for columns in (0, 3):
    for n in (2, 5):
        x = np.ones((4, columns))
        for target in ("cpu", "debug"):
            got = outcome(npcc.jit(target=target)(picked), x, n)
            assert got == outcome(picked, x, n), (got, outcome(picked, x, n))
for n in (0, 3):
    for parts in (0, 1):
        for target in ("cpu", "debug"):
            got = outcome(npcc.jit(target=target)(split), np.ones(4), n, parts)
            assert got == outcome(split, np.ones(4), n, parts), got
