# RUN: %python %s
"""NumPy looks at all positions of `x[p]`, also where nothing is read of the result: an array that is only stored into and dropped, one that is stored over
at once, one whose rows have no columns. Compiled code lost these errors."""
import numpy as np

import npcc


def changed_and_dropped(x, p):
    y = x[p]
    y[1:] -= 3


def masked_and_dropped(x):
    y = x[np.ix_([0], [1, 9])]
    y[y > 0.5] -= 3


def stored_over(x, p):
    y = x[p]
    y[:] = 1
    return y


def first_error(x, p, y):
    x = x[p]
    x[-1] -= y  # of other extents


def rows(x, p):
    return x[p]


def sum_of_rows(x, p):
    return x[p].sum()


def exchanged(x, p, q):
    x[p] = x[q]


def taken(x, p):
    return np.take(x, p, axis=1)


def outcome(function, *arguments):
    try:
        return str(function(*(each.copy() for each in arguments)))
    except (IndexError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def check(function, *arguments):
    expected = outcome(function, *arguments)
    for target in ("cpu", "debug"):
        got = outcome(npcc.jit(target=target)(function), *arguments)
        assert got == expected, (function.__name__, target, got, expected)
    return expected


line, table, wrong = np.arange(5.0), np.arange(12.0).reshape(3, 4), np.array([1, 6])
for function in (changed_and_dropped, stored_over):
    assert "index 6" in check(function, line, wrong)
    check(function, line, np.array([1, -1]))
assert "index 9" in check(masked_and_dropped, table)
assert "index 6" in check(first_error, table, wrong, np.ones(3))
assert "shapes" in check(first_error, table, np.array([1, 2]), np.ones(3))
for extents in ((3, 0), (0, 0), (3, 4)):
    for function in (rows, sum_of_rows):
        assert "index" in check(function, np.ones(extents), wrong)
    assert "index 5" in check(exchanged, np.ones(extents), wrong, np.array([5, 0]))
check(rows, np.ones((3, 0)), np.array([2, -3]))
assert "index 6" in check(taken, np.ones((2, 4, 0)), wrong)
check(taken, np.ones((0, 4, 0)), wrong)


def stretched(x, p):
    np.multiply(x[p], x, out=x)
    return x[:0].sum()


def in_a_loop(x, p):
    for i in range(3):
        x[p] += x


assert "index 2" in check(stretched, np.zeros(0), np.array([2]))
check(stretched, np.zeros(4), np.array([2]))
assert "index 6" in check(in_a_loop, np.arange(3.0), np.array([1, 6, 1, 2]))
assert "shapes" in check(in_a_loop, np.arange(3.0), np.array([1, 0, 1, 2]))
