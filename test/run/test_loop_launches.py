"""How many launches loops take on a GPU, exactly: what a loop becomes is decided by several passes, and one that takes a loop from another shows here.
The programs are written as one writes them, the results are compared with Python's."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit
from test_diagonals import factorize
from test_time_loops import recurrence


def factorize_and_solve(a, b):
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]
    for i in range(a.shape[0]):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(a.shape[0] - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1:] @ x[i + 1:]) / a[i, i]
    return x


def pairs(n, sequence):
    """The most pairs of items that add up to 3 and do not cross."""
    table = np.zeros((n, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                if i < j - 1:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + (1 if sequence[i] + sequence[j] == 3 else 0))
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


def triangular(alpha, a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1:, i], b[i + 1:, j])
    b *= alpha


def smooth(a, steps):
    for t in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = (a[i - 1, j] + a[i, j - 1] + a[i, j] + a[i, j + 1] + a[i + 1, j]) / 5.0


def mark(seen, positions, values, out):
    seen[positions] = 7
    out[positions] = values


def keep(z, c, limit):
    """The numbers that are still small, with what belongs to them."""
    z = z * z + c
    inside = np.abs(z) <= limit
    return z[inside], c[inside]


def decimate(x, taps, m):
    """A filter whose extents meet in every iteration, as numbers that only the call knows say."""
    n = (x.shape[0] - taps.shape[0]) // m + 1
    y = np.zeros(n)
    for k in range(taps.shape[0]):
        y += taps[k] * x[k:k + m * n:m]
    return y


def align(a, b, gap):
    """Rows of a table, each of them a running maximum of the one before."""
    row = gap * np.arange(b.shape[0] + 1)
    for i in range(a.shape[0]):
        match = row[:-1] + np.where(a[i] == b, 2.0, -1.0)
        best = np.concatenate((np.ones(1) * gap * (i + 1), np.maximum(match, row[1:] + gap)))
        row = np.maximum.accumulate(best - gap * np.arange(b.shape[0] + 1)) + gap * np.arange(b.shape[0] + 1)
    return row


def bounds(x):
    """Three numbers of one walk."""
    return x.min(), x.max(), x.sum()


def pairs_of_pixels(image, k):
    """The positions of a histogram are made of parts of a matrix, without an array of their own."""
    return np.bincount((image[:image.shape[0] - k] * 4 + image[k:]).ravel(), minlength=16)


def positive(rng, *shape):
    return rng.uniform(0.5, 1.5, shape)


def dominant(rng, n):
    return positive(rng, n, n) + n * np.eye(n)


class LoopLaunches(Comparison):
    def test_results(self):
        for function, arguments, _ in EXPECTED:
            with self.subTest(function.__name__):
                self.compare(function, arguments(np.random.default_rng(1)), scale=1e4)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        for function, arguments, expected in EXPECTED:
            with self.subTest(function.__name__):
                compiled = jit(function)
                compiled(*arguments(np.random.default_rng(1)))
                values = arguments(np.random.default_rng(2))
                before = npcc.counters()["launches"]
                compiled(*values)
                self.assertEqual(npcc.counters()["launches"] - before, expected)


EXPECTED = [
    (factorize, lambda rng: [dominant(rng, 12)], 1),
    (factorize_and_solve, lambda rng: [dominant(rng, 64), positive(rng, 64)], 4),
    (pairs, lambda rng: [70, rng.integers(0, 4, 70).astype(np.int32)], 2),
    (recurrence, lambda rng: [positive(rng, 40) / 40], 3),
    (triangular, lambda rng: [1.5, positive(rng, 12, 12), positive(rng, 12, 14)], 3),
    (smooth, lambda rng: [positive(rng, 9, 9), 70], 1),
    (mark, lambda rng: [np.zeros(400, np.int64), rng.integers(0, 400, 300), positive(rng, 300), np.zeros(400)], 6),
    (decimate, lambda rng: [positive(rng, 300), positive(rng, 20), 3], 1),
    (align, lambda rng: [rng.integers(0, 4, 30), rng.integers(0, 4, 70), -1.0], 2),
    (bounds, lambda rng: [positive(rng, 30000)], 2),
    (pairs_of_pixels, lambda rng: [rng.integers(0, 4, (30, 20)), 2], 3),
    (keep, lambda rng: [positive(rng, 300) * 1j, positive(rng, 300) + 0j, 1.2], 2),
]


if __name__ == "__main__":
    unittest.main()
