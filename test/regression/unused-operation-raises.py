# RUN: %python %s
"""An operation whose result nobody uses was dropped with the ValueError that NumPy raises."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "frontend" / "Inputs"))
from against_numpy import check  # noqa: E402


def unused(a, b):
    a + b
    c = a * b
    c = a
    return c


def unused_selection(a, k):
    b = a[k]
    a[k]
    return a


def unused_choice(a, b, c):
    x = np.where(a, b, c)


for k in ([0, 2], [0, 5], [-4, 1], [], [2, 4, -5, 3], [7]):
    check(unused_selection, np.ones(3), np.array(k, dtype=np.int64))
for shapes in (((3,), (4,)), ((3,), (1,)), ((2, 3), (2,)), ((2, 3), (3,))):
    check(unused, *map(np.ones, shapes))


def only_extents(a, b):
    """The second extent follows from one operand; the third ones do not fit."""
    c = (a + b) * np.outer(b, b)
    return c.shape[1]


def only_extents_of_selection(a, k):
    b = a[k]
    for _ in range(3):
        c = b
    return c.shape[0]


for n in (8, 3, 1):
    check(only_extents, np.ones(n), np.ones((1, 3, 1)))
for k in ([0, 2], [0, 5], []):
    check(only_extents_of_selection, np.ones(3), np.array(k, dtype=np.int64))
check(unused_choice, np.ones((3, 2)), 1.5, np.ones((3, 3)))
check(unused_choice, np.ones((3, 3)), np.ones((3, 3)), np.ones(0))
