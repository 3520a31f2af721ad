"""numpy.sort and argsort over the dtypes and axes: NaN last, positions stable; and what the library makes of them."""
import unittest

import numpy as np

from harness import Comparison, jit

DTYPES = ["u2", "i8", "f2", "f8", "c16"]  # the runtime's own test has them all


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


def arrays(dtype):
    random = np.random.default_rng(5)
    for shape in ((7,), (3, 5), (2, 3, 4), (0, 3), (3, 0), (1, 700)):
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

    def test_large(self):
        a = np.random.default_rng(1).random((3, 100000))
        self.compare(fused, [a])
        self.compare(positions, [a])


if __name__ == "__main__":
    unittest.main()
