# RUN: %python %s
"""order='A' and 'K' of arguments that are not C-contiguous, and of slices of transposes, were refused: only the call tells how these lie in memory."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "frontend" / "Inputs"))
from against_numpy import same  # noqa: E402


def in_order(a):
    return a.ravel("A"), a.ravel("K"), a.flatten("A"), a.flatten("K"), a.reshape(a.size, order="A"), a.T.reshape(a.size, order="A"), a.T.ravel("K")


def of_slices(a):
    return a.T[:, 1:].ravel("A"), a.T[1:].ravel("A"), a[::2].T.ravel("K"), a.T[:].reshape(-1, order="A")


def of_values(a):
    return (a * 2 + 1).ravel("A"), np.sin(a).ravel("K"), (a + a).reshape(1, -1, order="A")


def stored(a):
    b = a.ravel("A")
    b[1] = 50
    c = a.reshape(-1, order="A")
    c[2] = 60
    return b, c, a.sum()


def more_axes(a):
    return a.ravel("A"), a.T.flatten("A"), a.reshape(a.shape[0], -1, order="A")


def layouts():
    a = np.arange(12.0).reshape(3, 4)
    return [a, np.asfortranarray(a), a[:, ::2], np.asfortranarray(a)[::2], a[:0], np.asfortranarray(a[:, :1]), a[::-1].T, a[1:2].T]


for function in (in_order, of_slices, of_values, stored):
    compiled = npcc.jit(function, target="cpu")
    for k in range(len(layouts())):
        a, b = layouts()[k], layouts()[k]
        if function is stored and a.size < 3:
            continue
        for number, (x, y) in enumerate(zip(function(a), compiled(b))):
            assert same(y, x), (function.__name__, k, number, x, y)
        assert np.array_equal(a, b), (function.__name__, k)

compiled = npcc.jit(more_axes, target="cpu")
for axes in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)):
    a = np.arange(24.0).reshape(2, 3, 4).transpose(axes)
    for x, y in zip(more_axes(a), compiled(a)):
        assert same(y, x), (axes, x, y)
