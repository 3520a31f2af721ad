# RUN: %python %s
"""A mask of extent 0 was an IndexError for a longer axis, of which it selects nothing in NumPy. Where the call has stored nothing, Python makes it
again."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "frontend" / "Inputs"))
from against_numpy import same  # noqa: E402


@npcc.jit(target="cpu")
def selected(a, m):
    return a[m]


@npcc.jit(target="cpu")
def total(a, m):
    return a[m].sum()


@npcc.jit(target="cpu")
def columns(a, m):
    return a[:, m], a[..., m].sum()


@npcc.jit(target="cpu")
def changed(a, m):
    a[:, m] = 3
    return a


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except IndexError as error:
        return str(error)


line, table = np.arange(5.0), np.arange(12.0).reshape(3, 4)
none = np.zeros(0, bool)
for function, array, mask in (
        (selected, line, none), (total, line, none), (selected, table, np.zeros((3, 0), bool)), (selected, table, np.zeros((0, 4), bool)),
        (selected, table, np.zeros((0, 3), bool)), (selected, table, none), (columns, table, none), (changed, table, none),
        (selected, line, np.zeros(4, bool)), (selected, table[:0], np.ones(3, bool)), (columns, table, np.ones(3, bool)), (selected, line, line > 2)):
    expected, mine = outcome(function.__wrapped__, array.copy(), mask), outcome(function, array.copy(), mask)
    if isinstance(expected, tuple):
        assert all(same(y, x) for x, y in zip(expected, mine)), (expected, mine)
    else:
        assert expected == mine if isinstance(expected, str) else same(mine, expected), (expected, mine)
