"""Loops over arrays that are left in the middle: `break` and `return` where an array has converged."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def until_close(u, tolerance):
    while True:
        new = u * 0.5 + 1.0
        if np.abs(new - u).max() < tolerance:
            break
        u = new
    return u


def returned(u, tolerance):
    while True:
        new = u * 0.5 + 1.0
        error = np.abs(new - u).max()
        u = new
        if error < tolerance:
            return u, new


def at_most(u, tolerance, n):
    for k in range(n):
        new = u * 0.5 + 1.0
        if np.abs(new - u).max() < tolerance:
            break
        u = new
    return u, k


def after_the_update(u, tolerance, n):
    k = -1
    for k in range(n):
        old = u.copy()
        u = u * 0.5 + 1.0
        if np.linalg.norm(u - old) < tolerance:
            break
    return u, old, k


def with_a_rest(u, tolerance, n):
    total = np.zeros_like(u)
    for k in range(2, n, 3):
        r = 1.0 - 0.4 * u
        if np.abs(r).max() < tolerance:
            break
        u = u + r
        total += u * k
    return u, total


def with_an_else(u, tolerance, n):
    ended = 0
    for k in range(n):
        new = np.sqrt(u + 1)
        if np.allclose(new, u, atol=tolerance):
            ended = k
            break
        u = new
    else:
        ended = -1
    return u, ended


def two_ways_out(u, tolerance, n):
    for k in range(n):
        new = u * 0.7 + 0.2
        change = np.abs(new - u).sum()
        if change < tolerance:
            break
        if new[0, 0] > 0.66:
            u = new * 10
            break
        u = new
    return u


def inside_another(u, tolerance, n):
    for step in range(3):
        for k in range(n):
            new = u * 0.5 + step
            if np.abs(new - u).max() < tolerance:
                break
            u = new
        u = u + 1
    return u


def two_arrays(u, v, tolerance, n):
    for k in range(n):
        w = 0.5 * (u + v)
        v = np.sqrt(np.abs(u * v))
        if np.abs(w - v).max() < tolerance:
            return w, k
        u = w
    return u, -1


def in_place(u, tolerance, n):
    for k in range(n):
        change = 0.3 * (1 - u)
        u += change
        if change.max() < tolerance:
            break
    return u, k


def grid(side):
    return np.random.default_rng(5).random((side, side))


class LeftLoops(Comparison):
    def check(self, function, *numbers):
        compiled = npcc.jit(function)
        for side in (1, 9):
            with self.subTest(function=function.__name__, side=side, numbers=numbers):
                self.compare(function, [grid(side), *numbers], compiled)

    def test_while(self):
        for function in (until_close, returned):
            self.check(function, 1e-6)
            self.check(function, 100.0)  # in the first iteration

    def test_for(self):
        for function in (at_most, after_the_update, with_a_rest, with_an_else, two_ways_out, inside_another, in_place):
            self.check(function, 1e-3, 30)
            self.check(function, 1e-3, 5)  # the end of the count comes first
            self.check(function, 100.0, 5)

    def test_no_iteration(self):
        for function in (with_a_rest, with_an_else, two_ways_out, inside_another):
            self.check(function, 1e-6, 0)
        with self.assertRaises(UnboundLocalError):
            npcc.jit(at_most)(grid(3), 1e-6, 0)

    def test_two_arrays(self):
        for n in (1, 3, 60):
            self.compare(two_arrays, [grid(9), grid(9) + 1, 1e-12, n])

    def test_what_comes_in_stays(self):
        u = grid(6)
        kept = u.copy()
        compiled = npcc.jit(until_close)
        self.assertIs(compiled(u, 100.0), u)
        compiled(u, 1e-6)
        np.testing.assert_array_equal(u, kept)

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        for function, numbers, launches in ((until_close, (1e-6,), 2), (returned, (1e-6,), 2), (at_most, (1e-6, 60), 2),
                                            (after_the_update, (1e-6, 60), 2), (with_a_rest, (1e-6, 60), 4)):
            with self.subTest(function=function.__name__):
                compiled = npcc.jit(function)
                compiled(grid(40), *numbers)
                before = npcc.counters()["launches"]
                compiled(grid(40), *numbers)
                self.assertEqual(npcc.counters()["launches"] - before, launches)


if __name__ == "__main__":
    unittest.main()
