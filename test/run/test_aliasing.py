"""Arguments that share memory, results that are arguments or views of them."""
import unittest

import numpy as np

from harness import Comparison, jit
from programs import heat, saxpy_module
from inputs import uniform


def shift(a, b):
    a[1:] = b[:-1] * 2


def swap_halves(a):
    n = a.shape[0] // 2
    t = a[:n].copy()
    a[:n] = a[n:2 * n]
    a[n:2 * n] = t


def first_or_second(a, b, first):
    if first:
        return a
    return b


def interior(a):
    return a[1:-1, 1:-1]


def new_and_its_part(a):
    t = a + 1
    return t, t[1:]


def new_twice(a):
    b = a * 2
    return b, b


def twice(a):
    return a, a


class Aliasing(Comparison):
    def test_one_array_for_two_parameters(self):
        a = uniform((12, 9))
        self.compare(heat.diffuse_between, [a, a, 0.2, 3], scale=10)
        x = uniform(50, dtype=np.float32)
        self.compare(saxpy_module.saxpy, [2.0, x, x])

    def test_overlapping_slices(self):
        for offset in (-3, -1, 0, 1, 3):
            with self.subTest(offset=offset):
                x = uniform(40)
                self.compare(shift, [x[5:30], x[5 + offset:30 + offset]])

    def test_reversed_overlap(self):
        x = uniform(40)
        self.compare(shift, [x, x[::-1]])

    def test_within_one_array(self):
        for n in (0, 1, 2, 7, 100):
            self.compare(swap_halves, [uniform(n)])

    def test_results_that_are_arguments(self):
        compiled = jit(first_or_second)
        for first in (True, False):
            self.compare(first_or_second, [uniform(5), uniform(5, seed=1), first], compiled)

    def test_results_that_are_views(self):
        a = uniform((6, 7))
        view = jit(interior)(a)
        self.compare(interior, [a])
        self.assertTrue(np.shares_memory(view, a))
        view[0, 0] = -5
        self.assertEqual(a[1, 1], -5)

    def test_one_new_array_twice(self):
        first, second = jit(new_twice)(uniform(5))
        self.assertIs(first, second)

    def test_views_of_one_new_array(self):
        for n in (5, 500):
            whole, part = jit(new_and_its_part)(uniform(n))
            whole[1] = -7
            self.assertEqual(part[0], -7)

    def test_one_array_twice(self):
        a = uniform(4)
        first, second = jit(twice)(a)
        self.assertIs(first, a)
        self.assertIs(second, a)


if __name__ == "__main__":
    unittest.main()
