# RUN: %python %s
"""A function was compiled anew for each tuple of integers that it was called with: a position on a board, the dice of a throw."""
import numpy as np

import npcc


def distance(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def counted(dice, name):
    return sorted(dice), dice.count(6), name[0], sum(dice) / len(dice)


def reduced(a, axes):
    return a.sum(axis=axes)


def shaped(shape):
    return np.zeros(shape).shape


compiled = npcc.jit(distance, target="cpu", cache=False)
before = npcc.counters()["imports"]
for k in range(40):
    assert compiled((k, 2 * k), (3, k % 5)) == distance((k, 2 * k), (3, k % 5))
assert npcc.counters()["imports"] - before < 12, npcc.counters()["imports"] - before

compiled = npcc.jit(counted, target="cpu", cache=False)
before = npcc.counters()["imports"]
for k in range(30):
    dice, name = (k % 6 + 1, 6, k), ("throw", k)
    assert compiled(dice, name) == counted(dice, name)
assert npcc.counters()["imports"] - before < 20, npcc.counters()["imports"] - before

# Where they have to be known, they are.
a = np.arange(120.0).reshape(2, 3, 4, 5)
compiled = npcc.jit(reduced, target="cpu", cache=False)
for axes in [(0, 1), (1, 2), (0, 3), (2, 3), (1, 3), (0, 2), (-1, 0), (-2, 1), (0, 1)]:
    assert np.allclose(compiled(a, axes), reduced(a, axes))
compiled = npcc.jit(shaped, target="cpu", cache=False)
for k in range(8):
    assert compiled((k, 3)) == (k, 3) and compiled((k,)) == (k,)
