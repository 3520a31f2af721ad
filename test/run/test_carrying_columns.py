"""Loops inside of a kernel that carry values for each of its elements: searches, polynomials, filters, recurrences. A block of elements
goes through each iteration together."""
import unittest

import numpy as np

from harness import Comparison, jit


def searches(sorted, x):
    return np.searchsorted(sorted, x), np.searchsorted(sorted, x, "right"), np.interp(x, sorted, np.sqrt(np.abs(sorted)))


def polynomial(x, c):
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(c.shape[0]):
            s = s * x[i] + c[k]
        y[i] = s
    return y


def filtered(x, h):
    y = np.zeros((x.shape[0], x.shape[1] - h.shape[0] + 1))
    for j in range(y.shape[0]):
        for i in range(y.shape[1]):
            s = 0.0
            for k in range(h.shape[0]):
                s += h[k] * x[j, i + k]
            y[j, i] = s / (1 + i)
    return y


def sequences(x, n):
    """Two values that change places, one that all elements share, and one that counts."""
    y = np.zeros_like(x)
    steps = np.zeros(x.shape[0], np.int64)
    for i in range(x.shape[0]):
        a, b, scale, count = x[i], 1.0, 2, 0
        for k in range(n):
            a, b = b, 0.5 * a + b / scale
            if a > b:
                count += k
            scale = (scale * 3 + k) % 7 + 1
        y[i] = a + b * scale
        steps[i] = count
    return y, steps


def two_loops(x, c):
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(c.shape[0]):
            s = s * x[i] + c[k]
        t = s
        for k in range(c.shape[0]):
            t = np.sqrt(np.abs(t)) + s * c[k]
        y[i] = t - s
    return y


class CarryingColumns(Comparison):
    def test_searches(self):
        rng = np.random.default_rng(1)
        compiled = jit(searches)
        for dtype in ("f8", "f4", "i8", "i4"):
            for n in (1, 2, 3, 64, 100, 1025, 5000):
                for m in (0, 1, 15, 16, 127, 128, 129, 1000, 30011):
                    with self.subTest(dtype=dtype, n=n, m=m):
                        x = rng.integers(-20, 1020, m).astype(dtype)
                        self.compare(searches, [np.sort(rng.integers(0, 1000, n)).astype(dtype), x], compiled, scale=4)
        x = rng.random(1000)
        x[::7] = np.nan
        self.compare(searches, [np.append(np.sort(rng.random(300)), np.inf), x], compiled, scale=4)

    def test_loops(self):
        rng = np.random.default_rng(2)
        compiled = {f: jit(f) for f in (polynomial, filtered, sequences, two_loops)}
        for n in (0, 1, 15, 16, 17, 127, 128, 129, 1000, 4097):
            for terms in (0, 1, 5, 31):
                with self.subTest(n=n, terms=terms):
                    x, c = rng.random(n), rng.random(terms)
                    self.compare(polynomial, [x, c], compiled[polynomial], scale=16)
                    self.compare(two_loops, [x, c], compiled[two_loops], scale=64)
                    self.compare(sequences, [x, terms], compiled[sequences], scale=16)
                    self.compare(filtered, [rng.random((3, n + terms)), rng.random(terms + 1)], compiled[filtered], scale=16)


if __name__ == "__main__":
    unittest.main()
