# RUN: %python %s
"""Constructs that numerical programs use, compiled, against Python."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "Inputs"))
from against_numpy import check  # noqa: E402

table = np.arange(12.0).reshape(3, 4)


def tuples_into_rows(a, x):
    a[1] = x, 2, 3, x
    a[:2, 1] = x, -x
    return a[2]


def running_maximum(a):
    for i in range(1, a.shape[0]):
        a[i, 0] = max(a[i, 0], a[i - 1, 1])
        a[i, 1] = min(a[i, 1], a[i - 1, 0] + 1, a[0, 0])


def matrix_power(m, n):
    result = np.eye(2, dtype=int)
    while n:
        if n % 2 == 1:
            result = np.dot(result, m)
        m = np.dot(m, m)
        n //= 2
    return result


def grids(n, x):
    a, b = np.mgrid[0:n, 0:3]
    return (a * 10 + b, np.mgrid[1:n:2, -1:1:5j], np.mgrid[0:x:0.25], np.ogrid[0:n, 2:3, :4][2], np.ogrid[0:n, 0:2][0], np.mgrid[0:1:4j],
            np.mgrid[0:1:0.5, 0:n], np.mgrid[n:3], np.mgrid[0:3], np.ogrid[-1:1:3j, 0:n][1])


def array_constructor(n):
    a, b = np.ndarray((n, 2), dtype=np.float32), np.ndarray(n)
    a[:], b[:] = 1, n
    return a, b


def assigned_shape(n, m):
    a, b = np.mgrid[0:n, 0:m]
    same = a
    c = a * 2
    a.shape = b.shape = c.shape = n * m
    return same, b, c


def means_of_bins(data, radius, n):
    result = np.zeros(n)
    for i in range(n):
        chosen = data[np.logical_and(i / n <= radius, radius < (i + 1) / n)]
        result[i] = chosen.mean() + chosen.size
    return result


def selection_that_changes(data):
    chosen = data[data > 0.5]
    before = chosen.sum()
    chosen[:] = 1
    return before, chosen.sum(), chosen


def stacks(a, b):
    return a @ b, a[::-1, :, ::-1] @ b, np.matmul(a[0], b)


def unread_and_outside(a, i):
    b = a[i]
    b[0] = 1
    c = np.zeros(2)
    c[:] = a[i]
    return a


def gram(a):
    return a @ a.T, a.T @ a, a[1:] @ a[1:].T, (a * 2) @ (a * 2).T


def reshapes(a, n, m, k):
    b = a * 2
    c = (a + 1).reshape(n, m, k)
    return (b.reshape(n * m, k) + 1, b.reshape(n, 1, m * k) * 2, b.reshape(n, m, 1, k) - 1, b.reshape(1, n * m * k) + 0, (b + 1).reshape(m, n, k),
            (b + 1).T.reshape(n, m, k), (b + 1).reshape(n, k, m), np.repeat(b, 3, axis=0), np.repeat(b, 2, axis=2), np.tile(b, (2, 1, 2)),
            (b - a).reshape(-1), c.T.reshape(k, m * n), (b + 1).reshape(n, m * k).T.reshape(m * k, n),
            (b + 1).transpose(1, 0, 2).reshape(m * n, k) * 2)


random = np.random.default_rng(0)
for shape in [(2, 3, 4), (1, 3, 2), (3, 1, 2), (2, 2, 2), (1, 1, 1), (0, 3, 2), (2, 3, 0), (4, 4, 1)]:
    check(reshapes, random.random(shape), *shape)
for function, *arguments in [(means_of_bins, random.random(99), random.random(99), 4), (gram, random.random((40, 7))),
                             (unread_and_outside, random.random(3), np.array([1, 7])), (unread_and_outside, random.random(3), np.array([1, 0])),
                             (gram, random.random((7, 40))[:, ::-1] + 1j), (gram, random.random((0, 3))), (selection_that_changes, random.random(30)),
                             (stacks, random.random((2, 3, 4)), random.random((4, 5))), (stacks, random.random((2, 0, 4)), random.random((4, 5))),
                             (stacks, np.arange(24).reshape(2, 3, 4), np.arange(8).reshape(4, 2)), (assigned_shape, 3, 4), (grids, 5, 2.0), (array_constructor, 4), (tuples_into_rows, table, 5.0),
                             (running_maximum, table), (matrix_power, np.array([[1, 1], [1, 0]]), 13)]:
    check(function, *arguments)
