"""Reductions over many rows of few columns, whose rows threads share; and the places of what a long search finds."""
import unittest

import numpy as np

from harness import Comparison, jit


def over_rows(a):
    return a.sum(axis=0), (a * a).mean(axis=0), a.max(axis=0), a.min(axis=0), np.sqrt((a ** 2).sum(axis=0)), a.sum(axis=1)


def of_a_vector(a, v):
    return a.T @ v, v @ a, (a * v[:, None]).sum(axis=0) + 1


def middle_axis(a):
    return a.sum(axis=1), a.prod(axis=0)


def places(x):
    return x.argmax(), x.argmin(), x.max(), np.argmax(-x)


class LongColumns(Comparison):
    def test_columns(self):
        rng = np.random.default_rng(2)
        compiled, product = jit(over_rows), jit(of_a_vector)
        for dtype in ("f2", "f4", "f8", "i4", "c16"):
            for rows, columns in ((127, 600), (128, 512), (1000, 70), (5003, 17), (4097, 16), (5000, 3), (200, 9000)):
                with self.subTest(dtype=dtype, shape=(rows, columns)):
                    a = rng.integers(-4, 5, (rows, columns)).astype(dtype)
                    if dtype != "c16":
                        self.compare(over_rows, [a], compiled, scale=16)
                    if dtype in ("f4", "f8", "c16"):
                        self.compare(of_a_vector, [a, rng.integers(-4, 5, rows).astype(dtype)], product, scale=16)

    def test_middle(self):
        a = np.random.default_rng(4).integers(-1, 2, (3, 700, 40)).astype("f8")
        self.compare(middle_axis, [a], jit(middle_axis), scale=16)

    def test_places(self):
        compiled = jit(places)
        for dtype in ("f4", "f8", "i4", "i8"):
            for n in (1, 100, 16384, 16385, 100003):
                for at in sorted({0, n // 3, n - 1}):
                    with self.subTest(dtype=dtype, n=n, at=at):
                        x = (np.arange(n) % 97).astype(dtype)
                        x[at] = 1000
                        x[n - 1 - at] = -5
                        x[-1] = x[at]  # the first of two
                        self.compare(places, [x], compiled)
                        if dtype[0] == "f":
                            x[at:] = np.where(np.arange(n - at) % 1000 == 0, np.nan, x[at:])
                            self.compare(places, [x], compiled)


if __name__ == "__main__":
    unittest.main()
