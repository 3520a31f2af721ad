# RUN: %python %s
"""Products over one axis of arrays of several axes, positions of true elements, and ufunc.at of indices of several axes."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "Inputs"))
from against_numpy import check  # noqa: E402

random = np.random.default_rng(0)


def dot(a, b):
    return np.dot(a, b)


def inner(a, b):
    return np.inner(a, b)


def where_true(a):
    return np.argwhere(a > 0.5), np.argwhere(a[0])


def at(a):
    np.add.at(a, np.array([[0, 1], [1, 0]]), 2.0)
    np.add.at(a, (np.array([[0, 1], [1, 0]]), np.array([1, 2])), np.array([1.0, 2.0]))
    np.add.at(a, 0, 1)
    np.add.at(a, np.array([[0, 1], [1, 0]]), a[0] * 2)
    return a


for left, right in (((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((2, 3, 4), (5, 4, 2)), ((4,), (2, 4, 3)), ((2, 3, 4), (2, 3, 5))):
    check(dot, random.random(left), random.random(right))
for left, right in (((2, 3, 4), (5, 4)), ((3, 4), (2, 5, 4)), ((2, 3, 4), (5, 2, 4))):
    check(inner, random.random(left), random.random(right))
check(where_true, random.random((2, 3)))
check(at, random.random((3, 4)))
