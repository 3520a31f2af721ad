"""Reductions of points of a few numbers each: over the points of each group, over the groups, over all that a mask selects; few and many of either."""
import unittest

import numpy as np

from harness import Comparison, jit


def over_points(x):
    lengths = np.sqrt((x ** 2).sum(axis=2))
    return lengths.sum(axis=1), x[:, :, 1].max(axis=1), x[:, :, 0].argmin(axis=1)


def over_groups(x):
    lengths = np.sqrt((x ** 2).sum(axis=2))
    return lengths.sum(axis=0), x[:, :, 1].max(axis=0), x[:, :, 0].argmin(axis=0)


def selected(p, limit):
    far = (p ** 2).sum(axis=1) > limit
    return p[far], far.sum(), np.where(p[:, 0] > p[:, 1])[0]


class GroupsOfPoints(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(3)

    def test_groups(self):
        over = [jit(over_points), jit(over_groups)]
        for shape in ((4, 700, 3), (700, 4, 3), (1, 900, 2), (900, 1, 2), (40, 30, 3), (3, 5, 4)):
            for function, compiled in zip((over_points, over_groups), over):
                with self.subTest(function=function.__name__, shape=shape):
                    self.compare(function, [self.random.random(shape)], compiled, scale=64)

    def test_selections(self):
        compiled = jit(selected)
        for n in (33000, 100, 1):
            with self.subTest(n=n):
                self.compare(selected, [self.random.random((n, 3)), 1.0], compiled, scale=64)


if __name__ == "__main__":
    unittest.main()
