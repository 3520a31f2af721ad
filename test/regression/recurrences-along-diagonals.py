# RUN: %python %s
"""A position that moves against the loop is another one in each iteration: what is stored there is not what the next one loads."""

import numpy as np

import npcc


def made(n):
    x = np.arange(1.0, n * n + 1).reshape(n, n)
    for i in range(1, n):
        x[n - i, i] = x[n - i, i - 1]
    return x


def given(x):
    n = x.shape[0]
    for i in range(1, n):
        x[n - 1 - i, i] = x[n - 1 - i, i - 1]
    x[:, 1] = x[1] + 0


def along(x):
    n = x.shape[0]
    for i in range(2, n):
        x[i, n - i] = x[i - 1, n - i + 1] + 1.0


def summed(x, y):
    n = x.shape[0]
    s = 0.0
    for i in range(n):
        s += x[i] * y[n - 1 - i]
        y[n - 1 - i] = s
    return s


for n in (1, 2, 3, 9, 70):
    np.testing.assert_array_equal(npcc.jit(made, target="cpu")(n), made(n))
    for function in (given, along):
        if n > 1:
            wanted, got = (np.arange(1.0, n * n + 1).reshape(n, n) for _ in range(2))
            function(wanted)
            npcc.jit(function, target="cpu")(got)
            np.testing.assert_array_equal(got, wanted)
    x, y = np.random.default_rng(n).random((2, n))
    mine = y.copy()
    assert summed(x, y) == npcc.jit(summed, target="cpu")(x, mine)
    np.testing.assert_array_equal(mine, y)
