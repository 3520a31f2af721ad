"""Loops over numpy.ndindex and numpy.ndenumerate."""
import unittest

import numpy as np

from harness import Comparison

A, T = np.random.default_rng(0).random((4, 5)), np.random.default_rng(1).random((3, 3, 3))


def stores(a):
    out = np.empty(a.shape)
    for i, j in np.ndindex(a.shape):
        if a[i, j] < 0.2:
            out[i, j] = 0
            continue
        out[i, j] = np.sin(a[i, j]) + 1
    return out


def sums(a):
    total = np.float64(0)
    for place, x in np.ndenumerate(a):
        total += place[0] * x - place[1]
        if x > 0.9:
            continue
        for k in range(3):
            if k == 1:
                break
            total += 1
    return total


def leaves(a):
    place = (0, 0)
    for place in np.ndindex(*a.shape):
        if a[place] > 0.9:
            break
    return place, a[place]


def ends(t):
    out = np.zeros_like(t)
    for i, j, k in np.ndindex(t.shape):
        out[i, j, k] = t[k, j, i] * i
    else:
        out[0, 0, 0] = 7
    return out


def returns(a):
    for i in np.ndindex(a.shape[0]):
        a[i] *= i[0]
    for (i, j), x in np.ndenumerate(a):
        if x > 0.5:
            return i, j
    return None


class Loops(Comparison):
    def test_results(self):
        for function, a in ((stores, A), (stores, A[:0]), (sums, A), (sums, A[:, ::2]), (sums, A[:0]), (leaves, A), (ends, T), (returns, A), (returns, A * 0)):
            with self.subTest(function=function.__name__, shape=a.shape):
                self.compare(function, [a])


if __name__ == "__main__":
    unittest.main()
