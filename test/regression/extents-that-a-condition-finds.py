# RUN: %python %s
# An array that an iteration makes by broadcasting has extents that are found there: behind the condition of the loop nobody sees them.
import numpy as np

import npcc


def grown(a, b, n):
    total = 0.0
    for k in range(n):
        a = np.where(a > b, a, b + k)
        if a[0] > 3:
            break
        total += np.abs(a).max()
    return a, total


def until_left(a, b):
    total = np.float64(0)
    while True:
        new = a + b
        if new.max() > 9:
            break
        total += np.abs(new).sum()
        a = new
    return a, new, total


for size in (1, 3):
    for n in (0, 2, 9):
        arguments = np.full(size, 0.5), np.array([1.0, -1.0, 2.0]), n
        for one, other in zip(npcc.jit(target="cpu")(grown)(*arguments), grown(*arguments)):
            np.testing.assert_array_equal(one, other)
    arguments = np.full(size, 0.5), np.array([1.0, -1.0, 2.0])
    for one, other in zip(npcc.jit(target="cpu")(until_left)(*arguments), until_left(*arguments)):
        np.testing.assert_array_equal(one, other)
