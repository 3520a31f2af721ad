# RUN: %python %s
"""Indices of a NumPy scalar, where another path has an array: NumPy's words, and an array for an ellipsis."""
import npcc
import numpy as np


def item(x, n):
    return x[0]


def part(x, n):
    return x[:1]


def whole(x, n):
    return x[...]


def stored(x, n):
    x[...] = 1
    return x


def stored_float(x, n):
    x = 0.5 * n
    x[0] = 1


def chosen(function):
    def program(a, n):
        return function(np.sum(a) if n > 1 else a, n)

    return program


def result(function, n):
    try:
        return repr(function(np.ones(3), n))
    except (IndexError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


for function in (item, part, whole, stored, stored_float):
    program = chosen(function)
    for target in ("cpu", "debug"):
        compiled = npcc.jit(program, target=target)
        for n in (1, 2):
            assert result(compiled, n) == result(program, n), (function.__name__, n, result(compiled, n), result(program, n))
