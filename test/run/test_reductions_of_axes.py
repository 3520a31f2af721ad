"""Reductions of two axes whose elements do not lie in one run, as the operands have different axes: of few and many rows, of short and long ones."""
import unittest

import numpy as np

from harness import Comparison, jit


def of_all(a, m):
    return ((a - m[:, None]) ** 2).sum(), np.abs(a - m[:, None]).max(), (a * m[:, None]).mean()


def of_each(a, m):
    return ((a - m[:, None]) ** 2).sum(axis=(1, 2)), (a[:, :, ::2] * m[:, None]).max(axis=(1, 2))


class ReductionsOfAxes(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(5)

    def test_of_all(self):
        for n, k in ((1, 1), (5, 3), (100, 16), (3001, 7), (5, 700)):
            with self.subTest(shape=(n, k)):
                self.compare(of_all, [self.random.random((n, k)), self.random.random(n)], scale=64)

    def test_of_each(self):
        for shape in ((2, 300, 3), (5, 40, 17), (1, 40, 5), (60, 20, 6), (3, 20, 64)):
            with self.subTest(shape=shape):
                self.compare(of_each, [self.random.random(shape), self.random.random(shape[1])], scale=64)

    def test_other_shapes(self):
        """Code that a call with short rows has made runs calls with long ones, and the other way round."""
        compiled = jit(of_all)
        for n, k in ((100, 16), (16, 100), (100, 16), (2, 9000), (9000, 2)):
            self.compare(of_all, [self.random.random((n, k)), self.random.random(n)], compiled, scale=64)


if __name__ == "__main__":
    unittest.main()
