# RUN: %python %s
"""a.flat of contiguous and other arrays, compiled, against NumPy."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).parent / "Inputs"))
from against_numpy import same  # noqa: E402


def elements(a):
    a.flat[0] = 3
    a.flat[-1] += 2
    part = a.flat[1:3]
    part[0] = 77
    return a.flat[2], a.T.flat[3], part


def parts(a):
    a.flat[::2] = 9
    a.T.flat[4] = 5.0
    a.flat[a.ravel() > 8] = 1
    total = 0.0
    for v in a.flat:
        total += v
    return total, len(a.flat), a.flat[[1, 2, 2]], np.asarray(a.flat).sum()


def whole(a):
    a.flat = np.arange(12.0).reshape(2, 6) * 2
    a.T.flat = 1 + np.arange(12.0)


def outside(a):
    return a.flat[40]


def layouts():
    return [np.arange(12.0), np.arange(12.0).reshape(3, 4), np.arange(24.0).reshape(3, 8)[:, ::2], np.asfortranarray(np.arange(12.0).reshape(3, 4))]


def outcome(function, a):
    try:
        result = function(a)
    except IndexError as error:
        result = str(error)
    return list(result) if isinstance(result, tuple) else [result]


for function in (elements, parts, whole, outside):
    compiled = npcc.jit(function, target="cpu")
    for k in range(4):
        a, b = layouts()[k], layouts()[k]
        expected, mine = outcome(function, a), outcome(compiled, b)
        assert all(map(same, mine, expected)) and same(b.copy(), a.copy()), (function.__name__, k, mine, expected)
