"""Stores at positions that a mask selects, a[i[m]] = v[m], and selections by a mask and by its opposite."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison

RNG = np.random.default_rng(7)


def number(a, i, m):
    a[i[m]] = 3
    return a


def values(a, i, v, m):
    a[i[m]] = v[m]
    return a


def computed(a, i, v, m):
    a[i[m] - 1] = v[m] * 2 + 1
    return a


def two_axes(a, i, j, v, m):
    a[i[m], j[m]] = v[m]
    return a


def rows(a, i, v, m):
    a[i[m]] = v[m]
    return a


def one_row(a, i, v, m):
    a[i[m]] = v
    return a


def second_axis(a, i, v, m):
    a[:, i[m]] = v
    return a


def named(a, b, i, v, m):
    k = i[m]
    a[k] = v[m]
    b[k] = 7
    return a, b, len(k)


def halves(x, m):
    return x[m], x[~m], m.sum()


def opposite_first(x, y, m):
    n = np.logical_not(m)
    a = x[n]
    b = y[n]
    return a, b, y[m] * 2, len(b)


def in_branches(x, m, c):
    if c:
        a = x[m]
    else:
        a = x[~m]
    return a, x[~m], x[m]


def counted_only(x, m):
    return len(x[m]), len(x[~m]), x[m].sum()


def escapes(c, iterations):
    z = np.zeros_like(c)
    ids = np.arange(len(c))
    out, last = np.zeros(len(c), np.int32), np.zeros_like(c)
    for k in range(1, iterations + 1):
        z = z * z + c
        gone = np.abs(z) > 2
        out[ids[gone]] = k
        last[ids[gone]] = z[gone]
        z, c, ids = z[~gone], c[~gone], ids[~gone]
        if len(ids) == 0:
            break
    return out, last, z


class SelectedPositions(Comparison):
    def test_vectors(self):
        for function in (number, values, computed):
            compiled = npcc.jit(function)
            for count in (0, 1, 50, 700):
                for size in (40, 3000):
                    with self.subTest(function=function.__name__, count=count, size=size):
                        i = RNG.integers(-size + 1, size, count)
                        v = [] if function is number else [RNG.random(count)]
                        self.compare(function, [np.zeros(size), i, *v, RNG.random(count) < 0.5], compiled)

    def test_masks_of_two_axes(self):
        i, m = RNG.integers(0, 90, (30, 20)), RNG.random((30, 20)) < 0.4
        self.compare(number, [np.zeros(90), i, m])
        self.compare(values, [np.zeros(90), i, RNG.random((30, 20)), m])

    def test_two_axes(self):
        compiled = npcc.jit(two_axes)
        for count in (20, 600):
            i, j = RNG.integers(0, 9, count), RNG.integers(-7, 7, count)
            self.compare(two_axes, [np.zeros((9, 7)), i, j, RNG.random(count), RNG.random(count) < 0.5], compiled)

    def test_rows(self):
        for count in (20, 600):
            i, m = RNG.integers(0, 30, count), RNG.random(count) < 0.5
            self.compare(rows, [np.zeros((30, 5)), i, RNG.random((count, 5)), m])
            self.compare(one_row, [np.zeros((30, 5)), i, RNG.random(5), m])
            self.compare(second_axis, [np.zeros((5, 30)), i, 2.5, m])

    def test_large_arrays(self):
        i = RNG.integers(0, 5_000_000, 400)
        i[200:] = i[:200]
        self.compare(values, [np.zeros(5_000_000, np.int8), i, np.arange(400).astype(np.int8), RNG.random(400) < 0.5])

    def test_names(self):
        i, m = RNG.integers(0, 90, 500), RNG.random(500) < 0.5
        self.compare(named, [np.zeros(90), np.zeros(90), i, RNG.random(500), m])

    def test_only_selected_positions_are_checked(self):
        i, m = RNG.integers(0, 90, 500), RNG.random(500) < 0.5
        i[~m] = 1000
        self.compare(number, [np.zeros(90), i, m])
        self.compare(values, [np.zeros(90), i, RNG.random(500), m])
        m[np.flatnonzero(~m)[3]] = True
        for function, v in ((number, []), (values, [RNG.random(500)])):
            a = np.zeros(90)
            with self.assertRaisesRegex(IndexError, "index 1000 is out of bounds for axis 0 with size 90"):
                npcc.jit(function)(a, i, *v, m)
            if TARGET != "cuda":  # a device stores on behind a check that has failed
                self.assertFalse(a.any())

    def test_opposites(self):
        for shape in ((0,), (1,), (30,), (9000,), (40, 50)):
            x, y, m = RNG.random(shape), RNG.random(shape), RNG.random(shape) < 0.3
            self.compare(halves, [x, m])
            self.compare(opposite_first, [x, y, m])
            self.compare(counted_only, [x, m])
            self.compare(in_branches, [x, m, True])
            self.compare(in_branches, [x, m, False])

    def test_what_is_left_of_a_loop(self):
        x, y = np.meshgrid(np.linspace(-2, 0.6, 30), np.linspace(-1.2, 1.2, 20))
        self.compare(escapes, [(x + 1j * y).ravel(), 30], scale=1000)
        self.compare(escapes, [(x + 1j * y + 3).ravel(), 30])

    @unittest.skipUnless(TARGET == "cuda", "counts launches and waits")
    def test_launches(self):
        i, m = RNG.integers(0, 90, 500), RNG.random(500) < 0.5
        self.assertLessEqual(self.launches(number, np.zeros(90), i, m), 2)


if __name__ == "__main__":
    unittest.main()
