# RUN: %python %s
"""NumPy's functions of lists in which an item is an array on one path, and a number or an array of other axes on another."""
import npcc
import numpy as np


def columns(n, a):
    return np.column_stack([2 if n > 1 else a, np.full(3, 3)])


def named(n, a):
    x = a[0] if n > 1 else a
    return np.concatenate([x, np.ones(1)])


def blocks(n, a):
    return np.block([[a, a[:, :1] if n > 1 else a[:, 0]]])


def result(function, n):
    try:
        return repr(function(n, np.arange(6.0).reshape(3, 2)))
    except ValueError as error:
        return str(error)


for function in (columns, named, blocks):
    for target in ("cpu", "debug"):
        compiled = npcc.jit(function, target=target)
        for n in (1, 2):
            assert result(compiled, n) == result(function, n), (function.__name__, n, result(compiled, n), result(function, n))
