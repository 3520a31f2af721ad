# RUN: %python %s
# Of several errors, the one that NumPy meets first, and nothing stored behind it.
import numpy as np

import npcc


def along_a_diagonal(x, n):
    for i in range(n):
        x[n - i, i] = 2.0


def from_the_end(x, n):
    for i in range(n):
        x[i - 2] = i


def by_rows(x, n):
    for i in range(n + 2):
        x[i, :] *= x[i, :] - 1.0


def unused_selection(x):
    chosen = x[x > 2.0]
    chosen + np.ones(10)


def positions(x, n):
    x[[0, 1, 9]] = -1.0


def pairs(x, n):
    x[[0, 3], [7, 1]] = -1.0


def read_only_first(x):
    x[0] = 1j


def fill_read_only(x):
    x.fill(np.nan)


def read_only():
    x = np.arange(6, dtype=np.int64)
    x.flags.writeable = False
    return x


def outcome(function, arguments):
    try:
        function(*arguments)
        return None
    except Exception as error:
        return type(error), str(error)


for function, make in (
    (along_a_diagonal, lambda: (np.arange(9.0).reshape(3, 3), 3)),
    (along_a_diagonal, lambda: (np.arange(16.0).reshape(4, 4), 3)),
    (from_the_end, lambda: (np.arange(5.0), 5)),
    (from_the_end, lambda: (np.arange(5.0), 9)),
    (from_the_end, lambda: (np.arange(1.0), 1)),
    (by_rows, lambda: (np.arange(12.0).reshape(3, 4), 3)),
    (unused_selection, lambda: (np.arange(4.0),)),
    (positions, lambda: (np.arange(4.0), 3)),
    (positions, lambda: (np.arange(12.0).reshape(4, 3), 3)),
    (positions, lambda: (np.zeros((4, 0)), 3)),
    (pairs, lambda: (np.arange(12.0).reshape(3, 4), 3)),
    (read_only_first, lambda: (read_only(),)),
    (fill_read_only, lambda: (read_only(),)),
):
    wanted = make()
    error = outcome(function, wanted)
    for target in ("cpu", "debug"):
        given = make()
        found = outcome(npcc.jit(target=target)(function), given)
        assert found == error, (function.__name__, target, found, error)
        np.testing.assert_array_equal(given[0], wanted[0], err_msg=f"{function.__name__} on {target}")
