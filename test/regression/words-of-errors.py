# RUN: %python %s
"""Errors of index arrays that do not meet, which are IndexErrors, of positions in flattened arrays, of axes named twice, and of three operands."""
import numpy as np

import npcc


def by_arrays(x, i, j):
    return x[i, j]


def to_arrays(x, i, j):
    x[i, j] = 1


def along(x, i, j):
    return np.take_along_axis(x, i, 0)


def item(x, i, j):
    return x.item(99)


def item_from_the_end(x, i, j):
    return x.item(-2), x.item(-99)


def transposed(x, i, j):
    return np.transpose(x, (0, 0))


def transposed_by_method(x, i, j):
    return x.transpose(1, 1)


def chosen(x, i, j):
    return np.where(x > 0, np.ones(3), 0)


def chosen_of_three(x, i, j):
    return np.where(x > 0, 1, np.ones((2, 1, 3)))


def error_of(function, arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


for rows, columns in (((2, 2), (1, 5)), ((3,), (2,)), ((2, 1, 4), (3, 3))):
    x, i, j = np.ones((4, 5)), np.zeros(rows, int), np.zeros(columns, int)
    others = (along, item, item_from_the_end, transposed, transposed_by_method, chosen, chosen_of_three)
    for function in (by_arrays, to_arrays) + (others if rows == (2, 2) else ()):
        compiled = error_of(npcc.jit(function, target="cpu"), (x.copy(), i, j))
        want = error_of(function, (x.copy(), i, j))
        assert isinstance(want, tuple) and want == compiled, (function, want, compiled)
