# RUN: %python %s
# An array of a list that holds tuples of Python's floats and of NumPy's ended in an error of np.dtype.
import numpy as np

import npcc


def clipped(points, offset):
    kept = []
    for place in range(len(points)):
        point, following = points[place], points[(place + 1) % len(points)]
        if point[0] <= offset:
            kept.append(point)
        share = np.float64(0.5)
        kept.append((point[0] + share * (following[0] - point[0]), following[1]))
    return kept


def areas(offsets):
    sums = []
    for offset in offsets:
        corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0)]
        for step in range(2):
            corners = clipped(corners, offset + step)
        x, y = np.array(corners).T
        sums.append(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return sums, np.array(corners), np.array(corners, np.float32)


offsets = np.array([1.0, 5.0])
expected, result = areas(offsets), npcc.jit(areas)(offsets)
assert repr(result) == repr(expected), (result, expected)
