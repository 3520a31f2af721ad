# RUN: %python %s
"""arctan2 of two zeros that the compiler knew was nan: upstream folds it so. It is 0 or pi, by the signs of the zeros."""
import numpy as np

import npcc


def known():
    zeros, minus = np.zeros(2), np.full(2, -0.0)
    return np.arctan2(zeros, 0), np.arctan2(0, minus), np.arctan2(minus, zeros), np.arctan2(minus, minus), np.angle(0), np.arctan2(0, np.zeros(1, int))


def given(x):
    return np.arctan2(x, 0.0), np.arctan2(0, x), np.angle(x), np.arctan2(x, x), np.angle(x * (1 + 0j))


def parts(z):
    return np.angle(np.zeros_like(z[0])), np.angle(np.zeros_like(np.mean(z)))


def described(values):
    return [repr(np.asarray(x).tolist()) for x in values]


assert described(npcc.jit(known, target="cpu")()) == described(known())
for x in (np.array([0.0, -0.0, 1.0, -1.0, np.nan]), np.zeros(3, np.float32)):
    assert described(npcc.jit(given, target="cpu")(x)) == described(given(x)), (described(npcc.jit(given, target="cpu")(x)), described(given(x)))
for z in (np.array([1 + 2j, 3j]), np.ones(2, np.complex64)):
    assert described(npcc.jit(parts, target="cpu")(z)) == described(parts(z))
