# RUN: %python %s
"""The library is there with every release of NumPy 2: with those that lack a function that others have, and with those that have one under another name.

NumPy is turned into such a release before npcc is imported."""

import unittest

import numpy as np

ADDED = ["cumulative_prod", "cumulative_sum", "matvec", "unstack", "vecmat"]  # in 2.1 and 2.2
REMOVED = ["row_stack"]  # in 2.5
for name in ADDED + REMOVED:
    if hasattr(np, name):
        delattr(np, name)


def trapz(y, x=None, dx=1.0, axis=-1):  # until 2.3
    return np.trapezoid(y, x, dx, axis)


def in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None):  # until 2.3
    return np.isin(np.ravel(ar1), ar2, assume_unique, invert, kind=kind)


np.trapz, np.in1d = trapz, in1d
import npcc  # noqa: E402
from npcc import library  # noqa: E402


class LibraryReleasesTest(unittest.TestCase):
    def test_all_modules_are_imported(self):
        library.load_all()
        for name in ADDED + REMOVED:
            self.assertIn(name, library.FUNCTIONS)

    def test_functions_beside_those_that_are_missing(self):
        @npcc.jit(target="cpu")
        def function(a):
            return np.concatenate((a, a)), np.inner(a, a), np.matmul(a, a, axes=[0, 0, ()])

        a = np.arange(4.0)
        joined, inner, product = function(a)
        np.testing.assert_array_equal(joined, np.concatenate((a, a)))
        self.assertEqual((inner, product), (14.0, 14.0))

    def test_names_that_releases_have_for_others(self):
        @npcc.jit(target="cpu")
        def function(y):
            return np.trapz(y, dx=0.5), np.in1d([y], [2.0, 4.0]), np.in1d(y, 2.0, invert=True)

        area, found, others = function(np.array([1.0, 2.0, 4.0]))
        self.assertEqual(area, 2.25)
        self.assertEqual((found.tolist(), others.tolist()), ([False, True, True], [True, False, True]))


unittest.main()
