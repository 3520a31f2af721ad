"""Loops in which every row of the arrays goes its own way: on a GPU teams of threads take rows through the whole loop."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def ring(x, force, dt, steps):
    """Lorenz's model of 1996: neighbours along a row, which is a ring."""
    def slope(v):
        return (np.roll(v, -1, axis=1) - np.roll(v, 2, axis=1)) * np.roll(v, 1, axis=1) - v + force
    for _ in range(steps):
        half = x + 0.5 * dt * slope(x)
        x = x + dt * slope(half)
    return x


def columns_of_soil(h, conductivity, dt, steps):
    for _ in range(steps):
        k = conductivity * np.exp(0.1 * h)
        flux = -0.5 * (k[:, 1:] + k[:, :-1]) * (h[:, 1:] - h[:, :-1] - 1.0)
        h[:, 1:-1] -= dt * np.diff(flux, axis=1)
    return h


def beliefs(p, likelihood, steps):
    """Each row is summed up in each step."""
    for t in range(steps):
        p = 0.5 * (p + np.roll(p, 1, axis=1)) * likelihood[t % likelihood.shape[0]]
        p = p / p.sum(axis=1, keepdims=True)
    return p


def images(u, steps):
    """Rows of two axes each."""
    for _ in range(steps):
        u[:, 1:-1, 1:-1] += 0.1 * (u[:, 2:, 1:-1] + u[:, :-2, 1:-1] + u[:, 1:-1, 2:] + u[:, 1:-1, :-2] - 4 * u[:, 1:-1, 1:-1])
    return u


def best_of_rows(points, rates, steps):
    """A number for each row goes round beside the row."""
    best = np.full(points.shape[0], np.inf)
    for k in range(steps):
        moved = points + rates[k] * np.cos(3.0 * points + k)
        cost = (moved ** 2).sum(axis=1)
        better = cost < best
        points, best = np.where(better[:, None], moved, points), np.where(better, cost, best)
    return points, best


def with_numbers(x, tolerance):
    """Numbers go round that are the same for all rows."""
    steps, dt = 0, 0.5
    while dt > tolerance:
        x = x + dt * (np.roll(x, 1, axis=1) - x)
        dt *= 0.7
        steps += 1
    return x, steps, dt


def rows_meet(x, steps):
    """Not each row by itself: the mean is everybody's."""
    for _ in range(steps):
        x = 0.5 * (x + np.roll(x, 1, axis=1)) - x.mean(axis=0)
    return x


def rows_meet_while(x, tolerance):
    """The arrays of a `while` have other names in its body."""
    dt = 0.5
    while dt > tolerance:
        x = 0.5 * (np.roll(x, 1, axis=0) + np.roll(x, 1, axis=1))
        dt *= 0.7
    return x


def two_that_meet_while(x, y, tolerance):
    dt = 0.5
    while dt > tolerance:
        t = np.roll(x, 1, axis=1) + 1.0
        x = 0.5 * (np.roll(t, 1, axis=1) + np.roll(y, 1, axis=0))
        y = t * 0.5
        dt *= 0.7
    return x, y


def made_before_the_condition(x, tolerance):
    while True:
        y = 0.9 * np.roll(x, 1, axis=1)
        if y[0, 0] < tolerance:
            break
        x = 0.5 * (y + np.roll(y, 1, axis=0))
    return x, y


def next_row(x, steps):
    for _ in range(steps):
        y = np.roll(x, 1, axis=1) + 1.0
        x[:-1] = y[1:]
    return x


def first_row_decides(x, steps):
    for k in range(steps):
        x = np.roll(x, 1, axis=1) + x[0, k]
    return x


def overlapping(x, y, steps):
    for _ in range(steps):
        t = np.roll(x, 1, axis=1)
        y += 0.5 * t
        x *= 0.9


def rows_disagree(a, b):
    for k in range(1, b.shape[0] - 1):
        a %= b
        a[~(a > 0)] = b[-1 - k]
    return a


class RowLoops(Comparison):
    def test_results(self):
        rng = np.random.default_rng(5)
        for rows, n in ((1, 5), (3, 40), (70, 1), (33, 64), (5, 700)):
            x = rng.random((rows, n))
            with self.subTest(rows=rows, n=n):
                self.compare(ring, (x, 8.0, 0.01, 4))
                self.compare(ring, (x.astype(np.float32), np.float32(8), np.float32(0.01), 0))
                self.compare(beliefs, (x, rng.random((3, n)) + 0.1, 5))
                self.compare(best_of_rows, (x, rng.random(4), 4))
                self.compare(with_numbers, (x, 0.1))
                self.compare(with_numbers, (x, 0.6))
                if n > 1:
                    self.compare(columns_of_soil, (x, rng.random((rows, n)), 0.01, 3))
        self.compare(images, (rng.random((9, 6, 7)), 4))

    def test_rows_that_meet(self):
        rng = np.random.default_rng(6)
        for function in (rows_meet, next_row, first_row_decides):
            with self.subTest(function=function.__name__):
                self.compare(function, (rng.random((20, 9)), 5))
        self.compare(rows_meet_while, (rng.random((70, 9)), 0.1))
        self.compare(two_that_meet_while, (rng.random((70, 9)), rng.random((70, 9)), 0.1))
        self.compare(made_before_the_condition, (rng.random((70, 9)) + 1.0, 0.1))
        for n in (6, 300):
            self.compare(rows_disagree, (rng.integers(1, 12, n), rng.integers(1, 12, n)))
        x = rng.random((21, 9))
        self.compare(overlapping, (x[:-1], x[1:], 3))
        self.compare(overlapping, (x, x, 3))

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        rng = np.random.default_rng(7)
        x = rng.random((70, 40))
        for function, arguments, expected in (
                (ring, (x, 8.0, 0.01, 9), 2), (columns_of_soil, (x, x, 0.01, 9), 1), (beliefs, (x, x, 9), 2), (images, (rng.random((9, 6, 7)), 9), 1),
                (best_of_rows, (x, x[0], 9), 3), (with_numbers, (x, 0.01), 2)):
            with self.subTest(function=function.__name__):
                compiled = jit(function)
                given = [npcc.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
                before = npcc.counters()["launches"]
                compiled(*given)
                self.assertEqual(npcc.counters()["launches"] - before, expected)


if __name__ == "__main__":
    unittest.main()
