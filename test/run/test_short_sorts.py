"""Places of short sorted lines, which minima and maxima find: medians of windows and of few arrays, the least and the largest ones."""
import unittest

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from harness import TARGET, Comparison, jit
import npcc


def median_of_windows(a):
    rows, columns = a.shape[0] - 2, a.shape[1] - 2
    return np.median(np.stack([a[i:i + rows, j:j + columns] for i in range(3) for j in range(3)]), axis=0)


def median_of_views(a):
    return np.median(sliding_window_view(a, (3, 3)), axis=(-2, -1))


def wide_windows(a):
    return np.median(sliding_window_view(a, 25, axis=1), axis=-1)


def of_few(a, b, c, d):
    lines = np.sort(np.stack([a, b, c, d]), axis=0)
    return lines[0], lines[1] + lines[2], lines[-1], np.median([a, b, c], axis=0)


def along_rows(a):
    lines = np.sort(a[:, :7], axis=1)
    return lines[:, 3], lines[::-2, 6], lines[1:, 0] * 2


def all_places(a):
    lines = np.sort(a[:, :5], axis=1)
    return lines, lines[:, 2], np.argsort(a[:, :5], axis=1)[:, 0]


def place_of_call(a, k):
    return np.sort(a[:, :5], axis=1)[:, k]


def parts(a):
    return np.partition(a[:, :6], 2, axis=1)[:, 2], np.percentile(a[:, :6], 30, axis=1), np.nanmedian(a[:, :6], axis=1)


class ShortSorts(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(11)

    def values(self, shape, dtype):
        x = self.random.integers(-6, 7, shape)
        return (x > 0) if dtype == "?" else x.astype(dtype)

    def test_dtypes(self):
        for dtype in ("f8", "f4", "f2", "i8", "i4", "i2", "i1", "u1", "u4", "u8", "?", "c16"):
            for function in (median_of_windows, along_rows, all_places):
                with self.subTest(dtype, function=function.__name__):
                    self.compare(function, [self.values((9, 8), dtype)])

    def test_nan(self):
        for dtype in ("f8", "f4", "f2"):
            a = self.values((40, 30), dtype)
            a[self.random.random(a.shape) < .2] = np.nan
            a[self.random.random(a.shape) < .2] = np.inf
            for function in (median_of_windows, median_of_views, wide_windows, along_rows, parts):
                with self.subTest(dtype, function=function.__name__):
                    self.compare(function, [a])
            self.compare(of_few, list(a[:4]))

    def test_extents(self):
        for rows in (3, 4, 7, 33):
            self.compare(median_of_views, [self.random.random((rows, 5))])
            self.compare(median_of_windows, [self.random.random((rows, 3))])
        self.compare(wide_windows, [self.random.random((3, 61))])
        for k in (0, 2, 4, -1, 5):
            self.compare(place_of_call, [self.random.random((6, 6)), k])

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        a = self.random.random((20, 30))
        for function in (median_of_windows, median_of_views, wide_windows):
            with self.subTest(function.__name__):
                compiled = jit(function)
                compiled(a)
                before = npcc.counters()["launches"]
                compiled(a)
                self.assertEqual(npcc.counters()["launches"] - before, 1)


if __name__ == "__main__":
    unittest.main()
