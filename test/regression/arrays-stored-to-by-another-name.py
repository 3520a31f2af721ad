# RUN: %python %s
"""What a loop begins with was copied before it, though its first iteration stores to it by another name."""
import numpy as np

import npcc


def through_argument(x, n):
    h = x
    for k in range(n):
        x[0] = k + 7.0
        h = h * 2.0
    return h


def through_other(x, n):
    h, p = x, x + 1
    for k in range(n):
        x[-1] = k - 3.0
        h, p = h * 0.5 + p, h
    return h, p


for function in (through_argument, through_other):
    for n in (0, 1, 4):
        given, other = np.arange(5.0), np.arange(5.0)
        expected, got = function(given, n), npcc.jit(function)(other, n)
        assert np.array_equal(expected, got), (function, n, expected, got)
        assert np.array_equal(given, other)
