"""Loops whose iterations need each other stay on the host: they give Python's results and errors, of square arrays and of others."""
import unittest

import numpy as np

from harness import Comparison, jit


def factors(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def paths(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def from_the_end(a, x):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1] - 1):
            x[j + 1] = x[j] * a[i, -1] + a[i - 1, j - 1]
    return x


class HostLoops(Comparison):
    def test_shapes(self):
        rng = np.random.default_rng(1)
        for function in (factors, paths):
            compiled = jit(function)
            for shape in ((7, 7), (6, 9), (9, 6), (0, 0), (1, 1)):
                with self.subTest(function.__name__, shape=shape):
                    self.compare(function, [rng.random(shape) + 9 * np.eye(*shape)], compiled, scale=16)

    def test_from_the_end(self):
        compiled = jit(from_the_end)
        for length in (8, 5, 3):
            with self.subTest(length=length):
                self.compare(from_the_end, [np.random.default_rng(2).random((6, 6)) / 9, np.ones(length)], compiled, scale=16)


if __name__ == "__main__":
    unittest.main()
