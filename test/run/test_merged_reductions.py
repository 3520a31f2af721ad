"""Arrays that are made, or read, beside a reduction over the same elements: on a GPU one kernel does both. The launches are counted."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, count_launches, jit


def total_of_new(x):
    y = x * 2 + 1
    return y, y.sum()


def residual_step(x, r, p, alpha):
    x = x + alpha * p
    r = r - alpha * p
    return x, r, (r * r).sum()


def columns_of_new(x):
    y = x * 2 + 1
    return y, y.sum(axis=0)


def columns_in_place(x):
    largest = np.abs(x).max(axis=0)
    x *= 3
    return largest


def extremes(x):
    y = np.sqrt(x)
    return y, y.max(), y.min()


def inside_of_new(x):
    y = x * x
    return y, y[1:-1, 2:].sum()


def new_of_inside(x):
    y = np.zeros_like(x)
    y[1:-1, 1:-1] = x[1:-1, 1:-1] * 2
    return y, x.sum()


def relaxed_with_changes(x, steps):
    u = x.copy()
    change = np.float64(0)
    for _ in range(steps):
        new = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        change = np.abs(new - u[1:-1, 1:-1]).max()
        u[1:-1, 1:-1] = new
    return u, change


def relaxed_until(x, tolerance):
    u = x.copy()
    for k in range(30):
        new = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        change = np.abs(new - u[1:-1, 1:-1]).max()
        u[1:-1, 1:-1] = new
        if change < tolerance:
            break
    return u, k


def relaxed_while(x, tolerance):
    u = x.copy()
    k = 0
    while k < 30:
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
        k += 1
        if np.sqrt(((u - old)**2).sum()) < tolerance:
            break
    return u, k


MATRICES = (total_of_new, columns_of_new, columns_in_place, extremes, inside_of_new, new_of_inside)
SHAPES = ((61, 37), (5, 4), (3, 3), (300, 257), (2000, 3), (1, 1), (2, 0), (7, 1))


class MergedReductions(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(3)

    def test_matrices(self):
        for function in MATRICES:
            for shape in SHAPES:
                if function is extremes and 0 in shape:
                    continue
                if function is columns_in_place and shape[0] == 0:
                    continue
                with self.subTest(function=function.__name__, shape=shape):
                    self.compare(function, [self.random.random(shape)], scale=64)

    def test_layouts(self):
        big = self.random.random((80, 90))
        for function in MATRICES:
            for view in (big.T, big[::2, 1::3], big[::-1]):
                with self.subTest(function=function.__name__, strides=view.strides):
                    self.compare(function, [view], scale=64)

    def test_vectors(self):
        for n in (1, 100, 5000, 70001):
            with self.subTest(n=n):
                self.compare(residual_step, [*self.random.random((3, n)), 0.25], scale=64)

    def test_relaxations(self):
        for shape in ((3, 3), (20, 30)):
            x = self.random.random(shape)
            for steps in (0, 1, 2, 7):
                with self.subTest(shape=shape, steps=steps):
                    self.compare(relaxed_with_changes, [x, steps], scale=64)
            for tolerance in (1e-2, 1e-3, 10.0, 0.0):
                with self.subTest(shape=shape, tolerance=tolerance):
                    self.compare(relaxed_until, [x, tolerance], scale=64)
                    self.compare(relaxed_while, [x, tolerance], scale=64)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        """A kernel over parts, which stores the new arrays, and one that puts the parts together."""
        x = self.random.random((300, 257))
        for function, arguments, expected in ((total_of_new, [x], 2), (residual_step, [x, x, x, 0.5], 2), (columns_of_new, [x], 2), (extremes, [x], 2)):
            with self.subTest(function=function.__name__):
                compiled = jit(function)
                given = [npcc.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
                self.assertEqual(count_launches(compiled, given), expected)


if __name__ == "__main__":
    unittest.main()
