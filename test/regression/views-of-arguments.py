# RUN: %python %s
"""np.broadcast_to copied, and raised in words of its own; np.inner took the transpose of an array beside a scalar; a general version that
cannot be compiled was a KeyError; small views of one new array were copied apart."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "frontend" / "Inputs"))
from against_numpy import check, outcome  # noqa: E402


def stretched(a, n):
    return np.broadcast_to(a, (n, 3))


def inner(a):
    return np.inner(2.0, a), np.inner(a, a)


def store_stretched(a):
    b = np.broadcast_to(a, (2, 3))
    b[0, 0] = 1.0
    return b


def parts(a):
    t = a + 1
    return t, t[None, 1], t[1, ...]


compiled = npcc.jit(stretched, target="cpu")
for shape in ((3,), (1,), (1, 3), (4, 3), (4, 1)):
    a = np.arange(float(np.prod(shape))).reshape(shape)
    result, expected = compiled(a, 4), stretched(a, 4)
    assert np.array_equal(result, expected) and np.shares_memory(result, a) and not (result.flags.writeable and 0 in result.strides)
check(stretched, np.arange(2.0), 4)
check(stretched, np.ones((2, 3)), 4)
check(store_stretched, np.arange(3.0))
check(inner, np.arange(4.0).reshape(2, 2))

whole, row, element = npcc.jit(parts, target="cpu")(np.arange(4.0).reshape(2, 2))
whole[1, 0] = 9
assert row[0, 0] == 9 and element[0] == 9
