"""Positions at which a mask is true (np.flatnonzero, np.nonzero, np.where), and positions that occur once."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison

RNG = np.random.default_rng(11)


def scale(t, active, d):
    i = np.flatnonzero(active)
    t[i] += d[i] * 2
    return t


def both_axes(a, m):
    i, j = np.nonzero(m)
    a[i, j] += 1
    return a, len(i)


def first_axis(a, m):
    i, j = np.nonzero(m)
    return a[i], a[:, j], i, j


def turned(a, m):
    i, j = np.nonzero(m)
    a[j, i] = 5
    return a


def rows(a, m, v):
    k = np.where(m)[0]
    a[k] = a[k] * 2 + v
    return a, k


def one_for_each(a, m, v):
    a[np.flatnonzero(m)] = v
    return a


def group_means(x, labels):
    out = np.zeros(5)
    for k in range(5):
        i = np.where(labels == k)[0]
        if len(i):
            out[k] = x[i].mean()
    return out


def changed(a, m):
    i = np.flatnonzero(m)
    i[0] = 1
    a[i] = 7
    return a


def mask_changes(a, m):
    i = np.flatnonzero(m)
    m[:] = False
    a[i] = 7
    return a, a[i]


def in_a_loop(u, fixed, steps):
    inside = np.flatnonzero(~fixed)
    for _ in range(steps):
        u[inside] = 0.5 * (u[inside - 1] + u[inside]) + 1
    return u


def longer(a, m):
    i = np.flatnonzero(m)
    a[i] = 1
    return a, a[i] * 2


def ranks(x):
    order = np.argsort(x)
    r = np.empty(len(x), np.int64)
    r[order] = np.arange(len(x))
    return r


def backwards(x):
    order = np.argsort(x)[::-1]
    y = np.zeros_like(x)
    y[order[1:]] = x[:-1] * 2
    return y


def newton(x, most):
    x = x.copy()
    active = np.arange(len(x))
    steps = 0
    for _ in range(most):
        v = x[active]
        new = v - (v ** 3 - 2 * v - 5) / (3 * v ** 2 - 2)
        x[active] = new
        active = active[np.abs(new - v) > 1e-9]
        steps += 1
        if len(active) == 0:
            break
    return x, steps


def wanders(x, most):
    out = np.zeros(len(x))
    ids = np.arange(len(x))
    for k in range(most):
        out[ids] = k + 1
        ids = ids[x[ids] > k]
        if k == 2:
            ids[:] = 0
    return out


class MaskPositions(Comparison):
    def test_lines(self):
        for n in (0, 1, 50, 3000):
            t, d, m = RNG.random(n), RNG.random(n), RNG.random(n) < 0.3
            self.compare(scale, [t, m, d])
            self.compare(one_for_each, [t, m, 2.5])
            self.compare(one_for_each, [t, m, RNG.random(m.sum())])
            self.compare(mask_changes, [t, m])
            self.compare(longer, [t, m])
        self.compare(one_for_each, [np.zeros(50), np.arange(50) < 7, np.arange(6.0)])  # ValueError

    def test_other_extents(self):
        for function in (longer, mask_changes):
            compiled = npcc.jit(function)
            for n in (50, 40, 60):
                m = np.zeros(50, bool)
                m[[3, 5, 35]] = True
                self.compare(function, [np.zeros(n), m], compiled)
            m[45] = True
            with self.assertRaisesRegex(IndexError, "index 45 is out of bounds for axis 0 with size 40"):
                compiled(np.zeros(40), m)

    def test_planes(self):
        for shape in ((1, 1), (5, 7), (40, 30)):
            a, m = RNG.random(shape), RNG.random(shape) < 0.4
            self.compare(both_axes, [a, m])
            self.compare(first_axis, [a, m])
        self.compare(turned, [RNG.random((6, 6)), RNG.random((6, 6)) < 0.4])

    def test_rows(self):
        a, m = RNG.random((60, 4)), RNG.random(60) < 0.3
        self.compare(rows, [a, m, 1.0])
        self.compare(rows, [a, m, RNG.random(4)])

    def test_groups(self):
        self.compare(group_means, [RNG.random(500), RNG.integers(0, 4, 500)])

    def test_positions_that_change(self):
        self.compare(changed, [np.zeros(60), np.arange(60) % 7 == 3])

    def test_loops(self):
        self.compare(in_a_loop, [RNG.random(80), RNG.random(80) < 0.3, 9])
        self.compare(newton, [RNG.random(700) * 3 + 1.5, 50], scale=100)
        self.compare(wanders, [RNG.integers(0, 6, 300), 6])

    def test_orders(self):
        for n in (0, 1, 700):
            self.compare(ranks, [RNG.random(n)])
        self.compare(backwards, [RNG.random(400)])

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        m = RNG.random(3000) < 0.3
        self.assertEqual(self.launches(scale, RNG.random(3000), m, RNG.random(3000)), 1)
        self.assertEqual(self.launches(both_axes, RNG.random((40, 30)), RNG.random((40, 30)) < 0.4), 1)
        self.assertLessEqual(self.launches(group_means, RNG.random(500), RNG.integers(0, 4, 500)), 2)
        self.assertLessEqual(self.launches(ranks, RNG.random(3000)), 2)


if __name__ == "__main__":
    unittest.main()
