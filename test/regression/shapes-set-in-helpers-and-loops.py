# RUN: %python %s
"""`a.shape = x` was refused in functions that another one calls and, of arrays that an iteration makes, in loops."""
import numpy as np

import npcc


def turn(v):
    v.shape = (len(v), 1)
    return v


def turn_flat(v):
    v.shape = -1


def in_helper(x):
    y = x * 2
    z = y
    turned = turn(y)
    return y, z.shape, turned


def of_copies(x):
    def column(v):
        v = np.array(v)
        v.shape = (len(v), 1)
        return v

    return column(x) * column(x).T


def in_loops(x, n):
    total = 0.0
    for k in range(n):
        y = x + k
        y.shape = (3, 2)
        total += y[:, 0].sum()
        turn_flat(y)
        total += y.ndim + y[k % 6]
    return total


def turned_by_turns(x):
    y = x * 2
    for i in range(40):
        y.shape = (2, 3) if i % 2 == 0 else (3, 2)
        y[0, 0] += i
    return y


for function, arguments in ((in_helper, ()), (of_copies, ()), (in_loops, (40,)), (turned_by_turns, ())):
    compiled = npcc.jit(function, target="cpu")
    try:
        found = compiled(np.arange(6.0), *arguments)
    except npcc.CompileError as error:
        assert function is turned_by_turns and "cannot be assigned to here" in str(error), error
        continue
    expected = function(np.arange(6.0), *arguments)
    assert repr(found) == repr(expected), (function.__name__, found, expected)
