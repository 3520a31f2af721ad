"""Runs a function in NumPy and compiled, and compares everything that a caller could see: values, types, dtypes, shapes, the arguments
afterwards, what shares memory, and errors."""
import contextlib
import io
import os
import sys
import unittest

import numpy as np

import executed
import npcc
from tolerances import tolerance

TARGET = os.environ.get("NPCC_TEST_TARGET", "cpu")


def copies(arguments):
    """Fresh arguments with the same values, strides and aliasing: arrays that share memory share it in the copy too."""
    buffers = {}

    def copy(argument):
        if not isinstance(argument, np.ndarray):
            return argument
        owner = argument
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        if id(owner) not in buffers:
            buffers[id(owner)] = owner.copy(order="K")
        fresh = buffers[id(owner)]
        if argument is owner:
            return fresh
        offset = argument.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        memory = fresh.view(np.uint16) if fresh.dtype.name == "bfloat16" else fresh  # which Python's buffers have no letter for
        view = np.ndarray(argument.shape, argument.dtype, memory.data, offset, argument.strides)
        view.flags.writeable = argument.flags.writeable
        return view

    return [copy(a) for a in arguments]


class Outcome:
    def __init__(self, function, arguments, to_numpy=lambda value: value):
        self.error = self.value = None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            try:
                self.value = function(*arguments)
            except Exception as error:
                self.error = error
        self.printed = printed.getvalue()
        self.returned_arguments = [next((k for k, a in enumerate(arguments) if a is leaf and not np.isscalar(a)), None) for leaf in leaves(self.value)]
        self.value = map_leaves(to_numpy, self.value)
        self.arguments = [to_numpy(a) for a in arguments]


def to_numpy(value):
    return value.get() if isinstance(value, npcc.ndarray) else value


def leaves(value):
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (tuple, list)) else [value]


def map_leaves(function, value):
    if not isinstance(value, (tuple, list)):
        return function(value)
    items = [map_leaves(function, item) for item in value]
    return value._make(items) if hasattr(value, "_make") else type(value)(items)


class Comparison(unittest.TestCase):
    maxDiff = None

    def compare(self, function, arguments, compiled=None, on_device=False, scale=1):
        """`compiled`: the compiled function, jitted for the target if it is not given. on_device: arrays are passed as npcc.ndarray.
        scale: a factor for the tolerance of ill-conditioned programs."""
        compiled = compiled or jit(function)
        expected = Outcome(function, copies(arguments))
        given = copies(arguments)
        if on_device:  # results are npcc.ndarray then, which become NumPy's for the comparison
            given = [npcc.array(a, device=device()) if isinstance(a, np.ndarray) else a for a in given]
        got = Outcome(compiled, given, to_numpy)
        self.compare_errors(expected.error, got.error)
        inputs = [a.dtype for a in arguments if isinstance(a, np.ndarray)]
        self.compare_values(expected.value, got.value, scale, not on_device, inputs)
        for k, (a, b) in enumerate(zip(expected.arguments, got.arguments)):
            with self.subTest(argument=k):
                self.compare_values(a, b, scale)
        if not expected.error:
            self.compare_identity(expected.returned_arguments, got.returned_arguments)
        self.assertEqual(len(expected.printed.splitlines()), len(got.printed.splitlines()), got.printed)
        if not expected.error:
            executed.note(sys.modules[type(self).__module__].__file__, function)

    def launches(self, function, *arguments):
        """Kernels that a call of the compiled function starts where its arrays are on the device."""
        return count_launches(jit(function), [npcc.array(a, device=device()) if isinstance(a, np.ndarray) else a for a in arguments])

    def compare_identity(self, expected, got):
        self.assertEqual(expected, got, "which results are the caller's own arrays")

    def compare_errors(self, expected, got):
        if got is not None and expected is None:
            raise got
        self.assertEqual(type(expected), type(got), f"NumPy: {expected!r}, compiled: {got!r}")
        if expected is not None:
            self.assertEqual(str(expected), str(got))

    def compare_values(self, expected, got, scale=1, exact_types=True, inputs=()):
        if isinstance(expected, (tuple, list)):
            self.assertIs(type(got), type(expected))
            self.assertEqual(len(expected), len(got))
            for a, b in zip(expected, got):
                self.compare_values(a, b, scale, exact_types, inputs)
            return
        if exact_types:
            self.assertIs(type(got), type(expected))
        if expected is None or got is None:
            self.assertIs(got, expected)
            return
        a, b = np.asarray(expected), np.asarray(got)
        self.assertEqual(b.dtype, a.dtype)
        self.assertEqual(b.shape, a.shape)
        relative, absolute = tolerance(a.dtype, inputs)
        if a.dtype.name == "bfloat16":  # of which NumPy's own comparisons know nothing
            a, b = a.astype(np.float32), b.astype(np.float32)
        np.testing.assert_allclose(b, a, relative * scale, absolute * scale, equal_nan=True)


def device():
    return "cuda:0" if TARGET == "cuda" else "cpu"


def jit(function, **options):
    return npcc.jit(function, target=TARGET, **options)


def count_launches(compiled, arguments):
    """Kernels that a call starts on a GPU, where the function was called before."""
    compiled(*arguments)
    before = npcc.counters()["launches"]
    compiled(*arguments)
    return npcc.counters()["launches"] - before


def layouts(array):
    """The same values in every layout that NumPy has: (name, array)."""
    yield "contiguous", np.ascontiguousarray(array)
    if array.ndim == 0:
        return
    yield "Fortran order", np.asfortranarray(array)
    backward = (slice(None, None, -1),) * array.ndim
    yield "reversed", np.ascontiguousarray(array[backward])[backward]
    wide = np.zeros([2 * n + 3 for n in array.shape], array.dtype)
    part = tuple(slice(1, 2 * n + 1, 2) for n in array.shape)
    wide[part] = array
    yield "sliced", wide[part]
    shifted = np.zeros(array.size + 1, array.dtype)[1:].reshape(array.shape)
    shifted[...] = array
    yield "shifted", shifted
