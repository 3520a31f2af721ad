# RUN: %python %s
"""The library's functions, run as the ordinary Python they are, give NumPy's results: value, dtype, shape, and errors."""

import functools
import importlib
import itertools
import os
import sys
import types
import unittest
import warnings

import numpy as np

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "frontend", "python", "npcc")
package = types.ModuleType("npcc")
package.__path__ = [SOURCE]
sys.modules["npcc"] = package
UFUNC_METHODS = importlib.import_module("npcc.library.ufunc_methods")
LIBRARY = importlib.import_module("npcc.library")
LIBRARY.load_all()
FUNCTIONS = LIBRARY.FUNCTIONS
DTYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "u1", "u8", "?", "c16", "c8"]
SHAPES = [(4, 5), (6,), (2, 3, 4)]
TOLERANCES = {"float16": 2e-3, "float32": 1e-5, "complex64": 1e-5}
AXES = [None, 0, -1, (0, 1), 5]


def array(dtype, shape=(4, 5), seed=1):
    return (np.random.default_rng(seed).random(shape) * 10).astype(dtype)


def outcome(function, args, keywords):
    """What a call gives: a list of arrays, or the error's type and words."""
    args = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    try:
        result = function(*args, **keywords)
    except Exception as error:
        return type(error), str(error).removeprefix("axis: ")
    return list(result) if isinstance(result, (tuple, list)) else [result]


def as_called(function):
    """What npcc.library has for a function; a ufunc's as the compiler calls it: with the dtypes that the ufunc says."""
    library = FUNCTIONS[function]
    if not isinstance(function, np.ufunc):
        return library

    def called(*args, **keywords):
        types = function.resolve_dtypes((*(np.asarray(a).dtype for a in args), *(None,) * function.nout))
        result = library(*(np.asarray(a).astype(t) for a, t in zip(args, types)), **keywords)
        result = result if isinstance(result, tuple) else (result,)
        results = [np.asarray(r).astype(t)[()] for r, t in zip(result, types[function.nin:])]
        return tuple(results) if len(results) > 1 else results[0]

    return called


class Library(unittest.TestCase):
    def setUp(self):
        filters = warnings.catch_warnings()
        filters.__enter__()
        self.addCleanup(filters.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def same(self, function, *args, **keywords):
        want, have = outcome(function, args, keywords), outcome(as_called(function), args, keywords)
        call = f"{function.__name__}{args}{keywords}"
        if not isinstance(want, list) or not isinstance(have, list):
            self.assertEqual(want, have, call)
            return
        self.assertEqual([(type(x), np.asarray(x).dtype, np.shape(x)) for x in want],
                         [(type(x), np.asarray(x).dtype, np.shape(x)) for x in have], call)
        for x, y in zip(want, have):
            np.testing.assert_allclose(y, x, rtol=TOLERANCES.get(str(np.asarray(x).dtype), 1e-12), atol=1e-9, err_msg=call)

    def everywhere(self, functions, dtypes=DTYPES, shapes=SHAPES, **choices):
        """Each function for all dtypes and shapes and all combinations of keywords."""
        for function, dtype, shape in itertools.product(functions, dtypes, shapes):
            for values in itertools.product(*choices.values()):
                self.same(function, array(dtype, shape), **dict(zip(choices, values)))

    def test_ordering(self):
        for dtype in ("f8", "i4", "f2", "c16"):
            a = array(dtype)
            if a.dtype.kind in "fc":
                a[1, 2] = np.nan
            for axis in (None, 0, -1, (0, 1)):
                self.same(np.median, a, axis=axis, keepdims=axis == 0)
                if dtype != "c16":
                    for q in (0.3, [0.25, 1.0], 0, 1.5):
                        self.same(np.quantile, a, q, axis=axis, keepdims=axis == 0)
                    self.same(np.percentile, a, 35, axis=axis)
            for keywords in ({}, {"return_counts": True}, {"return_index": True, "return_inverse": True}):
                self.same(np.unique, a, **keywords)
            for function in (np.union1d, np.intersect1d, np.setdiff1d, np.setxor1d, np.isin):
                self.same(function, a[0], array(dtype, (7,), 3))

    def test_statistics(self):
        self.everywhere([np.mean, np.var, np.std, np.average, np.ptp], axis=AXES, keepdims=[False, True])
        a, w = array("f8"), array("f8", seed=2)
        for ddof in (0, 1, 7):
            self.same(np.var, a, axis=0, ddof=ddof)
            self.same(np.std, a, ddof=ddof)
        for dtype in ("f4", "f8"):
            self.same(np.mean, array("i4"), dtype=dtype)
            self.same(np.std, a, dtype=dtype)
        self.same(np.mean, np.arange(5), dtype=int)
        self.same(np.mean, [[1, 2], [3, 4]], axis=0)
        self.same(np.average, a, weights=w)
        self.same(np.average, a, axis=1, weights=w[0], returned=True)
        self.same(np.average, a, weights=w[0])
        self.same(np.average, a, axis=0, weights=w[0])
        self.same(np.average, a, axis=0, weights=np.zeros(4))
        self.same(np.average, array("i4"), axis=0, weights=np.arange(4))
        for keywords in ({}, {"rowvar": False}, {"bias": True}, {"ddof": 0}):
            self.same(np.cov, a, **keywords)
        self.same(np.cov, array("f4"))
        self.same(np.cov, a[0], w[0])
        self.same(np.cov, a[0])
        self.same(np.corrcoef, a)

    def test_missing_values(self):
        for dtype in ("f8", "f4", "c16"):
            a = array(dtype, (3, 4))
            a[0, 1] = a[2, 2] = np.nan
            for axis in (None, 0, 1):
                for function in (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd):
                    self.same(function, a, axis=axis)
                self.same(np.nancumsum, a, axis=axis)
                if dtype != "c16":
                    self.same(np.nanmax, a, axis=axis, keepdims=True)
                    self.same(np.nanmin, a, axis=axis)
        nothing = np.full((2, 2), np.nan)
        for function in (np.nansum, np.nanmean, np.nanmax, np.nanmin, np.nanvar):
            self.same(function, nothing, axis=0)
        self.everywhere([np.nansum, np.nanmean, np.nanmax, np.nanstd], dtypes=["i4", "u1"], axis=[None, 0])
        x = np.array([1, np.nan, np.inf, -np.inf])
        for dtype in ("f8", "f4", "c16", "i4"):
            self.same(np.nan_to_num, x.astype(dtype))
        self.same(np.nan_to_num, x, nan=1.0, posinf=2.0, neginf=3.0)

    def test_joining(self):
        for dtype, shape in itertools.product(DTYPES, SHAPES):
            a = array(dtype, shape)
            for axis in (0, -1, 1, 7):
                self.same(np.concatenate, (a, a), axis=axis)
                self.same(np.stack, (a, a), axis=axis)
            self.same(np.concatenate, (a, a), axis=None)
            for function in (np.vstack, np.hstack, np.dstack, np.column_stack):
                self.same(function, (a, a))
        a, b = array("f8"), array("f8", (3, 5))
        self.same(np.concatenate, (array("i4"), array("f4")))
        for parts in ((a, b), (a, a[0]), (), (1.0, 2.0)):
            self.same(np.concatenate, parts)
            self.same(np.concatenate, parts, axis=1)
            self.same(np.stack, parts)
        self.same(np.append, a, b)
        self.same(np.append, a, b, axis=0)

    def test_rearranging(self):
        for dtype, shape in itertools.product(DTYPES, SHAPES):
            a = array(dtype, shape)
            for axis in (None, 0, -1, 7):
                self.same(np.roll, a, 2, axis=axis)
                self.same(np.roll, a, -7, axis=axis)
                self.same(np.repeat, a, 3, axis=axis)
            for reps in (2, (2, 3), (2, 1, 3)):
                self.same(np.tile, a, reps)
            for k in (-1, 0, 1):
                self.same(np.tril, a, k)
                self.same(np.triu, a, k)
                self.same(np.diag, a, k)
            self.same(np.clip, a, 2, 5)
            self.same(np.clip, a, None, np.float32(4))
        a = array("f8")
        self.same(np.roll, a, (1, 2), axis=(0, 1))
        self.same(np.repeat, a, -1)
        for k in range(-2, 5):
            self.same(np.rot90, a, k)
        self.same(np.matrix_transpose, array("f8", (2, 3, 4)))
        self.same(np.rollaxis, array("f8", (2, 3, 4)), 2)

    def test_borders(self):
        a = array("f8")
        for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
            for width in (1, (2, 3), ((1, 0), (0, 9))):
                self.same(np.pad, a, width, mode=mode)
        self.same(np.pad, array("i4"), 2, constant_values=7)
        for at in (0, 2, -1, 9):
            self.same(np.delete, a, at, axis=1)
            self.same(np.insert, a, at, 7.0, axis=1)
            self.same(np.insert, a[0], at, [1, 2])
        self.same(np.delete, a, 3)
        self.same(np.insert, a, 1, a[0], axis=0)
        for sections in (2, 3, [1, 3]):
            self.same(np.split, a, sections)
            self.same(np.array_split, a, sections, axis=1)
            self.same(np.hsplit, a, sections)
            self.same(np.vsplit, a, sections)
        self.same(np.ix_, [0, 1], np.arange(3))

    def test_differences(self):
        self.everywhere([np.diff], shapes=SHAPES, axis=[0, -1, 7], n=[1, 2, 0])
        self.everywhere([np.gradient], axis=AXES, edge_order=[1, 2])
        self.everywhere([np.trapezoid], dtypes=["f8", "f4", "i4"], axis=[0, -1], dx=[1.0, 0.5])
        x = np.array([0.0, 1, 3, 4, 7])
        table = np.outer(x, x)
        for order in (1, 2, 3):
            self.same(np.gradient, x ** 2, x, edge_order=order)
        self.same(np.gradient, table, 0.5, 2.0)
        self.same(np.gradient, table, x, 1.0)
        self.same(np.gradient, table, 1.0, 2.0, 3.0)
        self.same(np.gradient, table, x[:3], axis=0)
        self.same(np.diff, x, prepend=0, append=[1, 2])
        self.same(np.diff, x, n=-1)
        self.same(np.ediff1d, table)
        self.same(np.trapezoid, x ** 2, x)
        self.same(np.trapezoid, table, x, axis=0)
        self.same(np.trapezoid, table, table)

    def test_creation(self):
        ends = [(0, 1), (0, 10, 5), (2.5, 7, 4), (3, 3, 0), (0, 1, 1), (np.float32(0), np.float32(1), 5), (np.float32(0), 2, 3), (0, 1j, 3), (1, 2, -1)]
        for args in ends:
            for keywords in ({}, {"endpoint": False}, {"dtype": np.float32}, {"dtype": int}):
                self.same(np.linspace, *args, **keywords)
                self.same(np.logspace, *args, **keywords)
        self.same(np.linspace, 0, 1, 5, retstep=True)
        self.same(np.linspace, np.zeros(3), np.ones(3), 5)
        self.same(np.linspace, np.zeros(3), np.ones(3), 5, axis=-1)
        self.same(np.geomspace, 1, 1000, 4)
        self.same(np.geomspace, 1000, 1, 7)
        self.same(np.geomspace, 0, 1)
        for keywords in ({}, {"indexing": "ij"}, {"sparse": True}, {"indexing": "no"}):
            self.same(np.meshgrid, np.arange(3), np.arange(4.0), np.arange(2), **keywords)
            self.same(np.meshgrid, np.arange(3), **keywords)
        for args in ((3,), (3, 4, 1), (3, 4, -1, int)):
            self.same(np.tri, *args)
        self.same(np.indices, (2, 3))
        self.same(np.fromfunction, lambda i, j: i * 10 + j, (3, 4))
        for keywords in ({}, {"N": 2}, {"increasing": True}):
            self.same(np.vander, np.arange(1, 5), **keywords)
            self.same(np.vander, array("f8", (4,)), **keywords)

    def test_linear_algebra(self):
        for dtype, shape in itertools.product(DTYPES, SHAPES):
            a = array(dtype, shape)
            self.same(np.linalg.norm, a)
            self.same(np.linalg.norm, a, axis=0, keepdims=True)
            for order in (None, 1, -1, np.inf, -np.inf, 0, 3, "fro"):
                self.same(np.linalg.norm, a, order, axis=(0, 1))
            for order in (None, 1, 2, np.inf, -np.inf, 0, 3, "fro"):
                self.same(np.linalg.norm, a, order, axis=-1)
            self.same(np.outer, a, a)
            self.same(np.kron, a, a)
        a, b = array("f8", (4, 3)), array("f8", (4, 3), 2)
        self.same(np.cross, a, b)
        self.same(np.cross, a, b[0])
        self.same(np.cross, 1.0, 2.0)
        self.same(np.tensordot, a, b, axes=((0, 1), (0, 1)))
        self.same(np.tensordot, a, b.T, axes=1)
        self.same(np.tensordot, array("f8", (2, 3, 4)), array("f8", (4, 3, 5)), axes=((1, 2), (1, 0)))
        self.same(np.vecdot, a, b)
        self.same(np.vecdot, array("c16"), array("c16"))
        self.same(np.linalg.matrix_power, array("f8", (3, 3)), 3)
        self.same(np.linalg.matrix_power, array("i8", (3, 3)), 0)

    def test_einsum(self):
        a, b, c = array("f8", (3, 4)), array("f8", (3, 4), 2), array("f8", (3, 3))
        d = array("f8", (2, 3, 4))
        for subscripts, *operands in (("ij,ij->", a, b), ("ij,kj->ik", a, b), ("ii", c), ("ii->i", c), ("ij->ji", a), ("ij", a), ("i,j", a[0], b[0]),
                                      ("ji,kj", a, c), ("aij,ajk->aik", d, np.swapaxes(d, 1, 2)), ("aij,ij->a", d, a), ("ij,ij->i", a, b),
                                      ("aij,ik,kl->alj", d, c, c), ("ij,jk,kl", c, c, c), (" i j , j -> i ", a, b[0]), ("iij->j", array("f8", (3, 3, 2)))):
            self.same(np.einsum, subscripts, *operands)
            self.same(np.einsum, subscripts, *[x.astype(np.int32) for x in operands])

    def test_counting(self):
        x, w = np.array([1, 4, 1, 0, 2]), array("f8", (5,))
        self.same(np.bincount, x)
        self.same(np.bincount, x, weights=w, minlength=8)
        self.same(np.bincount, np.array([1, -1]))
        self.same(np.bincount, np.array([], int))
        self.same(np.bincount, w)
        points, v = np.array([0.0, 1, 1, 3, 7]), np.array([[-1.0, 0, 0.5], [1, 7, 8]])
        for side in ("left", "right"):
            self.same(np.searchsorted, points, v, side)
            self.same(np.searchsorted, points, 3.0, side)
        for right in (False, True):
            self.same(np.digitize, v, points, right)
            self.same(np.digitize, v, points[::-1], right)
        a = array("f8")
        for keywords in ({}, {"bins": 3}, {"range": (2, 8)}, {"bins": [0, 1, 5, 9.5]}, {"density": True}, {"weights": a}):
            self.same(np.histogram, a, **keywords)
            self.same(np.histogram, array("i4"), **keywords)
        self.same(np.histogram, array("f4"))
        grid = np.array([0.0, 1, 3, 4])
        for x in (np.array([-1.0, 0, 0.5, 2, 4, 5]), 2.5):
            self.same(np.interp, x, grid, grid ** 2)
            self.same(np.interp, x, grid, grid ** 2, left=-1, right=9)

    def test_stores(self):
        calls = [(np.add.at, np.zeros(4), [1, 1, 2], 1.0), (np.add.at, np.zeros(4), [1, 1, 2], np.arange(3.0)),
                 (np.maximum.at, np.zeros(4), [1, 1], np.array([3.0, 2])), (np.add.at, np.zeros((3, 2)), ([0, 0, 2], [1, 1, 0]), 2.0),
                 (np.put, np.zeros((2, 3)), [0, -1, 4], [1, 2]), (np.put, np.zeros(4), [0, 2], 7), (np.fill_diagonal, np.zeros((3, 4)), 1),
                 (np.fill_diagonal, np.zeros(3), 1), (np.copyto, np.zeros(3), np.arange(3)), (np.copyto, np.zeros(3), 5, np.array([True, False, True]))]
        for function, target, *args in calls:
            if function == np.copyto and len(args) == 2:
                args, keywords = args[:1], {"where": args[1]}
            else:
                keywords = {}
            want, have = target.copy(), target.copy()
            if outcome(function, [], {})[0] is TypeError:
                errors = []
                library = FUNCTIONS.get(function) or functools.partial(UFUNC_METHODS.at, function.__self__)
                for call, into in ((function, want), (library, have)):
                    try:
                        call(into, *args, **keywords)
                        errors.append(None)
                    except ValueError as error:
                        errors.append(str(error))
                self.assertEqual(*errors)
            np.testing.assert_array_equal(have, want, err_msg=str((function, args)))

    def test_positions(self):
        for arguments in ((4,), (4, 1), (5, -1, 3)):
            self.same(np.tril_indices, *arguments)
            self.same(np.triu_indices, *arguments)
        self.same(np.diag_indices, 3, 3)
        self.same(np.mask_indices, 3, np.triu, 1)
        for order in "CFA":
            self.same(np.unravel_index, np.arange(12), (3, 4), order)
            self.same(np.ravel_multi_index, (np.arange(3), np.arange(3)), (3, 4), order=order)
        self.same(np.unravel_index, 12, (3, 4))
        for mode in ("raise", "wrap", "clip", ("wrap", "clip"), "x"):
            self.same(np.ravel_multi_index, (np.arange(-2, 3), np.arange(5)), (3, 4), mode)

    def test_polynomials(self):
        a, b = array("f8", (5,)), array("i4", (3,)) + 1
        for function in (np.polyadd, np.polysub, np.polymul, np.polydiv):
            self.same(function, a, b)
            self.same(function, b, a)
        for m in (-1, 0, 1, 3):
            self.same(np.polyder, a, m)
            self.same(np.polyint, a, m)
        self.same(np.polyint, a, 2, [1, 2, 3])
        self.same(np.poly, a)
        x, y = array("f8", (7,)), array("f8", (7,), 3)
        for keywords in ({}, {"w": y}, {"cov": True}, {"cov": "unscaled"}, {"full": True}):
            self.same(np.polyfit, x, y, 2, **keywords)
        self.same(np.polyfit, x, y[:3], 2)
        for p in ([1, -6, 11, -6], [0, 0, 2, -4, 0], [3], [0, 0], [1, 0, 1]):
            self.same(np.roots, p)

    def test_windows(self):
        for function, m in itertools.product((np.bartlett, np.blackman, np.hamming, np.hanning), (-1, 0, 1, 2, 7)):
            self.same(function, m)
        self.same(np.kaiser, 6, 8.6)
        self.everywhere([np.i0], dtypes=["f8", "f4", "i4", "u1"])

    def test_selections(self):
        a, places = array("f8"), array("i8", (6,)) % 3
        self.same(np.repeat, a, [1, 0, 2, 3], 0)
        self.same(np.repeat, a, [1, -2], 0)
        self.same(np.insert, a, [1, 1, 3], [[1], [2], [3]], 0)
        self.same(np.insert, a, slice(0, 4, 2), 7, 1)
        for mode in ("raise", "wrap", "clip"):
            self.same(np.choose, places + 1, [places, 5, 7], mode=mode)
        self.same(np.block, [[a, a], [a, a]])
        self.same(np.block, [[a], a])
        self.same(np.apply_along_axis, np.sort, 0, a)
        self.same(np.resize, a, (3, 9))
        self.same(np.packbits, a > 5, 1, "little")
        self.same(np.unpackbits, array("u1"), 0, 19)
        self.same(np.trim_zeros, np.array([0, 0, 1, 0, 2, 0]))
        self.same(np.unwrap, a * 3, axis=0)
        for keywords in ({"axis": 0}, {"axis": 1, "return_inverse": True}, {"axis": 0, "return_index": True, "return_counts": True}):
            self.same(np.unique, array("i4") % 2, **keywords)

    def test_elementwise(self):
        self.everywhere([np.deg2rad, np.rad2deg, np.radians, np.degrees], dtypes=["f8", "f4", "f2", "i8", "i2", "u1", "?"])
        self.everywhere([np.sinc], dtypes=["f8", "f4", "i4"])
        self.everywhere([np.round, np.around], dtypes=["f8", "f4", "f2", "i4"], decimals=[0, 1])
        self.everywhere([np.real, np.imag, np.angle], dtypes=["f8", "f4", "c16", "c8"])
        self.everywhere([np.fix, np.modf], dtypes=["f8", "f4"])
        a, b = array("f8") - 5, array("f8", seed=2)
        self.same(np.divmod, a, b)
        self.same(np.divmod, a.astype("f4"), b.astype("f4"))
        self.same(np.polyval, [1.0, 2.0, 3.0], a)
        self.same(np.polyval, array("f8", (3,)), a)
        self.same(np.select, [a < 0, a < 2], [a, a * 2], 7.0)
        self.same(np.piecewise, a, [a < 0, a > 2], [-1, lambda x: x * 2])
        self.same(np.piecewise, a, [a < 0], [lambda x: -x, 1])

    def test_comparisons(self):
        for dtype in DTYPES:
            for function in (np.isclose, np.allclose, np.array_equal):
                if dtype != "?":
                    self.same(function, array(dtype), array(dtype))
                    self.same(function, array(dtype), array(dtype) + 1)
        odd, other = np.array([np.nan, np.inf, -np.inf, 1]), np.array([np.nan, np.inf, np.inf, 1])
        for equal_nan in (False, True):
            self.same(np.isclose, odd, other, equal_nan=equal_nan)
            self.same(np.array_equal, odd, odd, equal_nan=equal_nan)
        self.same(np.isclose, np.arange(3), np.arange(3.0))
        self.same(np.array_equal, np.zeros((2, 3)), np.zeros((3, 2)))

    def test_digits(self):
        for number in (0, 1, 6, 128, -1, -2, -3, -128, 1000):
            for width in (None, 0, 1, 3, 8, 12):
                self.assertEqual(outcome(np.binary_repr, (number, width), {}), outcome(as_called(np.binary_repr), (number, width), {}))
            for base, padding in itertools.product((1, 2, 10, 16, 36, 37), (0, 3)):
                given = (number, base, padding)
                self.assertEqual(outcome(np.base_repr, given, {}), outcome(as_called(np.base_repr), given, {}), given)
        for text, separator in (("1, 2.5,3", ","), ("", ","), ("7;", ";"), ("1 2\n3", " "), ("1,x", ","), ("1,,2", ","), ("1", "")):
            self.same(np.fromstring, text, sep=separator)
            if text:  # of more numbers than there are NumPy's are undefined
                self.same(np.fromstring, text, np.float32, 1, sep=separator)

    def test_signals(self):
        for n, m in ((6, 3), (3, 6), (5, 5), (4, 2)):
            for mode in ("full", "same", "valid"):
                self.same(np.convolve, array("f8", (n,)), array("f8", (m,), 2), mode)
                self.same(np.correlate, array("f8", (n,)), array("f8", (m,), 2), mode)
        self.same(np.convolve, np.arange(4), np.arange(2))
        self.same(np.correlate, array("c16", (5,)), array("c16", (3,)))
        self.same(np.convolve, np.zeros(0), np.ones(2))


if __name__ == "__main__":
    unittest.main()
