# RUN: %python %s
"""The library's functions, run as the ordinary Python they are, give NumPy's results: value, dtype and shape."""

import importlib
import os
import sys
import types
import unittest

import numpy as np

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "frontend", "python", "npcc")
package = types.ModuleType("npcc")
package.__path__ = [SOURCE]
sys.modules["npcc"] = package
FUNCTIONS = importlib.import_module("npcc.library").FUNCTIONS
DTYPES = ["f8", "f4", "f2", "i8", "i4", "u1", "?", "c16"]


def array(dtype, shape=(4, 5)):
    return (np.random.default_rng(1).random(shape) * 10).astype(dtype)


class Library(unittest.TestCase):
    def same(self, function, *args, **keywords):
        expected, given = function(*args, **keywords), FUNCTIONS[function](*args, **keywords)
        if not isinstance(expected, (tuple, list)):
            expected, given = (expected,), (given,)
        self.assertEqual(len(expected), len(given))
        for want, have in zip(expected, given):
            want, have = np.asarray(want), np.asarray(have)
            self.assertEqual((want.dtype, want.shape), (have.dtype, have.shape), (function, args, keywords))
            np.testing.assert_allclose(have, want, rtol=2e-3 if want.dtype == np.float16 else 1e-6)

    def test_statistics(self):
        for dtype in DTYPES:
            for keywords in ({}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}):
                for function in (np.mean, np.var, np.std):
                    self.same(function, array(dtype), **keywords)
        self.same(np.std, array("f8"), axis=0, ddof=1)
        self.same(np.average, array("f8"), axis=0)
        self.same(np.ptp, array("i4"), axis=1)

    def test_joining(self):
        for dtype in DTYPES:
            a = array(dtype)
            self.same(np.concatenate, (a, a), axis=1)
            self.same(np.stack, (a, a), axis=1)
            self.same(np.vstack, (a, a))
            self.same(np.hstack, (a[0], a[1]))
        self.same(np.concatenate, (array("i4"), array("f4")))

    def test_rearranging(self):
        for dtype in DTYPES:
            a = array(dtype)
            self.same(np.roll, a, 2)
            self.same(np.roll, a, -1, axis=1)
            self.same(np.tile, a, (2, 3))
            self.same(np.repeat, a, 3, axis=0)
            self.same(np.tril, a)
            self.same(np.triu, a, 1)
        self.same(np.clip, np.arange(5.0), 1, 3)

    def test_differences(self):
        for dtype in ["f8", "f4", "i4"]:
            self.same(np.diff, array(dtype))
            self.same(np.gradient, array(dtype))
        self.same(np.gradient, array("f8"), 0.5, axis=1)
        self.same(np.diff, array("f8"), 2, axis=0)
        self.same(np.trapezoid, array("f8"))

    def test_others(self):
        self.same(np.linspace, 0, 1, 11)
        self.same(np.linspace, 2.5, 7, 4, endpoint=False)
        self.same(np.meshgrid, np.arange(3), np.arange(4))
        self.same(np.linalg.norm, array("f4"), axis=1)
        self.same(np.linalg.norm, array("c16"))
        self.same(np.outer, np.arange(3), np.arange(4.0))
        self.same(np.kron, np.eye(2), np.ones((2, 3)))
        self.same(np.cross, array("f8", (2, 3)), array("f8", (2, 3)) + 1)
        self.same(np.isclose, np.arange(3.0), np.arange(3.0) + 1e-9)
        self.same(np.nan_to_num, np.array([1, np.nan, np.inf, -np.inf]))


if __name__ == "__main__":
    unittest.main()
