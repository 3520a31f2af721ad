# RUN: %python %s
"""list() of an array with several axes, and a star in a target for one, were refused: their items are views, what is stored in which the array holds."""
import numpy as np

import npcc


def starred(x):
    rows = x.reshape(-1, 3)
    first, *rest = rows
    first -= rest[0]
    rest[1][1] = 7.0
    return rows, [row.sum() for row in rest], len(rest)


def between(x):
    rows = x.reshape(-1, 3)
    first, *middle, last = rows
    return first + last, [row * 2 for row in middle], sum(middle)


def listed(x):
    rows = list(x.reshape(-1, 3))
    rows.append(rows[0] + 1)
    rows[1] *= 10
    rows.reverse()
    return x, np.array(rows), len(rows)


def popped(x):
    rows = list(x.reshape(2, -1, 2).transpose(1, 0, 2))
    total = np.zeros((2, 2))
    while rows:
        row = rows.pop()
        row += 1
        total += row
    return total, x


def sorted_rows(x):
    return sorted(list(x.reshape(-1, 3)), key=lambda row: -row[0])[0], x


for function in (starred, between, listed, popped, sorted_rows):
    found, expected = npcc.jit(function, target="cpu")(np.arange(12.0)), function(np.arange(12.0))
    assert repr(found) == repr(expected), (function.__name__, found, expected)
try:
    npcc.jit(between, target="cpu")(np.arange(3.0))
except ValueError as error:
    assert str(error) == "not enough values to unpack (expected at least 2, got 1)", error
else:
    raise AssertionError("not raised")
