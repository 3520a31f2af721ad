# RUN: %python %s
# Two names that a loop binds to one value: one of them kept what it had before the loop, or nothing at all.

import npcc
import numpy as np


def arrays(x, n):
    for _ in range(n):
        xn = 2 * x
        x = xn
    return x, xn


def integers(n):
    a, b = 0, 1
    while a < n:
        t = a + b
        b = t
        a = t
    return a, b


def floats(n):
    a, b = 0.5, 1.5
    for i in range(n):
        a = b
        b = a
    return a, b


for n in (1, 2, 5):
    for expected, given in zip(arrays(np.arange(3.0), n), npcc.jit(arrays, target="cpu")(np.arange(3.0), n)):
        np.testing.assert_array_equal(given, expected)
for n in (0, 1, 50):
    assert npcc.jit(integers, target="cpu")(n) == integers(n)
    assert npcc.jit(floats, target="cpu")(n) == floats(n)
