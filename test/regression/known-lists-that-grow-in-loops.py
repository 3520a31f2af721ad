# RUN: %python %s
"""A list of known items that each iteration makes longer was imported for one length after the other, each with code of its own, without end; and arrays of a
global list were no items of such a list."""
import numpy as np

import npcc

CORNERS = [np.array([0, 0]), np.array([0.5, 0.75]), np.array([1, 0])]


def refine(points):
    finer = []
    for k, point in enumerate(points[:-1]):
        finer.append(point)
        finer.append((point + points[k + 1]) / 2)
    finer.append(points[-1])
    return finer


@npcc.jit(target="cpu")
def numbers(steps):
    points = [1.0, 2.0, 4.0]
    for _ in range(int(steps.sum())):
        points = refine(points)
    return np.array(points)


@npcc.jit(target="cpu")
def arrays(steps):
    points = [np.array([1, 2]), np.array([2.0, 3.0]), np.array([1, 2])]
    for _ in range(int(steps.sum())):
        points = refine(points)
    return points


@npcc.jit(target="cpu")
def corners(steps):
    points = CORNERS
    for _ in range(int(steps.sum())):
        points = refine(points)
    return np.array(points)


for function in (numbers, arrays, corners):
    for steps in (0, 3):
        found, expected = function(np.array([steps])), function.py_func(np.array([steps]))
        assert len(found) == len(expected)
        for mine, other in zip(found, expected):
            assert np.array_equal(mine, other) and np.asarray(mine).dtype == np.asarray(other).dtype, (function, steps)
