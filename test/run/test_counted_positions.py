"""Stores at positions that count, a[i, k - i] = ... with i = np.arange(...): no two meet, unless they count from the end."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def diagonal(a, low, high, total):
    i = np.arange(low, high)
    a[i, total - i] = i * 1.5
    return a


def every_other(a, step):
    i = np.arange(len(a) // step)
    a[step * i] += a[step * i + 1]
    return a


def edit_distance(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), np.int64)
    d[:, 0] = np.arange(n + 1)
    d[0, :] = np.arange(m + 1)
    for k in range(2, n + m + 1):
        i = np.arange(max(1, k - m), min(n, k - 1) + 1)
        j = k - i
        differs = (a[i - 1] != b[j - 1]).astype(np.int64)
        d[i, j] = np.minimum(d[i - 1, j - 1] + differs, np.minimum(d[i - 1, j], d[i, j - 1]) + 1)
    return d


class CountedPositions(Comparison):
    def test_diagonals(self):
        compiled = npcc.jit(diagonal)
        for bounds in ((0, 6, 5), (2, 5, 7), (5, 5, 9), (-3, 3, 2), (-6, 6, 0), (-6, 6, 5), (-2, 0, -3)):
            with self.subTest(bounds=bounds):
                self.compare(diagonal, [np.zeros((6, 7)), *bounds], compiled)

    def test_outside(self):
        compiled = npcc.jit(diagonal)
        for bounds in ((0, 7, 5), (-8, 2, 3), (0, 6, 8)):
            with self.subTest(bounds=bounds):
                with self.assertRaisesRegex(IndexError, "out of bounds"):
                    compiled(np.zeros((6, 7)), *bounds)

    def test_steps(self):
        for step in (2, 3, 5):
            self.compare(every_other, [np.arange(30.0), step])

    def test_antidiagonals(self):
        rng = np.random.default_rng(3)
        for n, m in ((1, 1), (9, 30), (70, 40)):
            self.compare(edit_distance, [rng.integers(0, 4, n), rng.integers(0, 4, m)])

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        compiled = npcc.jit(edit_distance, target=TARGET)
        texts = np.zeros(90, np.int64), np.ones(60, np.int64)
        compiled(*texts)
        before = npcc.counters()["launches"]
        compiled(*texts)
        self.assertEqual(npcc.counters()["launches"] - before, 2)


if __name__ == "__main__":
    unittest.main()
