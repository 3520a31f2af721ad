# RUN: %python %s
"""An argument or a new array, both without axes, is one result in every version of a function: that for arguments which share memory, too."""
import numpy as np

import npcc


def program(a, b):
    if a:
        return b
    b[...] = 7
    return np.zeros_like(b)


for target in ("cpu", "debug"):
    compiled = npcc.jit(target=target)(program)
    for value in (1, 0):
        mine, theirs = np.array(value), np.array(value)
        got, expected = compiled(mine, mine), program(theirs, theirs)
        assert got == expected and got.dtype == expected.dtype and mine == theirs, (target, value, got, expected)
        assert (got is mine) == (expected is theirs)
