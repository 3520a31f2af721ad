"""numpy.sort and argsort over the dtypes and axes: NaN last, positions stable; and what the library makes of them."""
import unittest

import numpy as np

from harness import Comparison, jit

DTYPES = ["u2", "f2", "c16"]  # the runtime's own test has them all


def orders(a):
    return np.sort(a), np.sort(a, axis=0), np.sort(a, axis=None), np.sort(a.T, axis=0)


def positions(a):
    return np.argsort(a, kind="stable"), np.argsort(a, axis=None, stable=True), a.argsort(0, kind="stable"), np.argsort(a[::-1], axis=-1, kind="stable")


def in_place(a):
    a.sort()
    a[::2].sort(axis=0)
    return a.copy()


def fused(a):
    return np.sort(a * 2 - 1)[..., ::-1] + 1, np.sort(a).sum()


def medians(a):
    return np.median(a), np.median(a, axis=0), np.median(a, axis=(0, 1), keepdims=True), np.percentile(a, 30), np.percentile(a, [25, 50.0], axis=0)


def quantiles(a, q):
    return np.quantile(a, q, axis=1, keepdims=True), np.percentile(a, q, axis=None)


def distinct(a):
    values, first, inverse, counts = np.unique(a, return_index=True, return_inverse=True, return_counts=True)
    return values, first, inverse, counts, np.unique(a), np.unique(a, return_counts=True)[1]


def sets(a, b):
    return np.isin(a, b), np.union1d(a, b), np.intersect1d(a, b), np.setdiff1d(a, b), np.setxor1d(a, b), np.lexsort((a[0], b[0]))


# Which order the elements before and behind have is not NumPy's to say.
def kth(a):
    parts = np.partition(a, 2, axis=-1)
    return parts[:, 2], np.sort(parts[:, :2]), np.sort(parts[:, 3:]), a[0][np.argpartition(a[0], 3)[3]]


def arrays(dtype):
    random = np.random.default_rng(5)
    for shape in ((7,), (3, 5), (2, 3, 4), (0, 3), (3, 0), (1, 700), (9, 12)):
        a = random.integers(0, 5, shape).astype(dtype)
        if a.dtype.kind in "fc" and a.size:
            a.flat[::3] = np.nan
        yield a


class Sorting(Comparison):
    def test_dtypes(self):
        compiled = [jit(f) for f in (orders, positions, in_place)]
        for dtype in DTYPES:
            for a in arrays(dtype):
                for function, f in zip((orders, positions, in_place), compiled):
                    with self.subTest(function=function.__name__, dtype=dtype, shape=a.shape):
                        self.compare(function, [a], f)

    def test_library(self):
        random = np.random.default_rng(2)
        compiled = {f: jit(f) for f in (medians, quantiles, distinct, sets)}
        a, b = (random.random((4, 5)) * 6 for _ in range(2))
        for rows in (a, a[:3], np.where(a > 4, np.nan, a)):  # an odd and an even number, and NaN
            self.compare(medians, [rows], compiled[medians])
            self.compare(quantiles, [rows, 0.25], compiled[quantiles])
        self.compare(distinct, [np.where(a > 4, np.nan, a.round())], compiled[distinct])
        self.compare(distinct, [a[:0]], compiled[distinct])
        self.compare(sets, [a.astype("i4"), b.astype("i4")], compiled[sets])
        self.compare(quantiles, [np.ones((2, 3)), 1.5], compiled[quantiles])
        self.compare(kth, [a])

    def test_large(self):
        a = np.random.default_rng(1).random((3, 100000))
        self.compare(fused, [a])
        self.compare(positions, [a])


if __name__ == "__main__":
    unittest.main()
