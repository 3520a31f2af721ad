# RUN: %python %s
"""Calls of compiled functions: arguments, keywords, dispatch, results, errors. The functions are handwritten.c: no compiler is needed."""
import array
import copy
import gc
import os
import sys
import traceback
import unittest
import weakref

import numpy as np

sys.path.insert(0, os.getcwd())  # where the build puts handwritten.so
import handwritten
from handwritten import bump, echo, pair, scale


def refuses(test, error, message, call):
    with test.assertRaises(error) as caught:
        call()
    test.assertEqual(str(caught.exception), message)


class Arguments(unittest.TestCase):
    def test_keywords_and_defaults(self):
        x = np.arange(4.0)
        for result in (scale(x, 3.0), scale(x), scale(s=3.0, x=x), scale(x, s=3.0)):
            self.assertEqual(result.tolist(), [0, 3, 6, 9])

    def test_wrong_counts_read_as_pythons(self):
        def plain(x, s=3.0):
            pass

        def keyword_only(*, x):
            pass
        plain.__qualname__, keyword_only.__qualname__ = "scale", "echo"
        x = np.arange(4.0)
        calls = [lambda f: f(), lambda f: f(x, 1, 2), lambda f: f(x, x=x), lambda f: f(x, t=1), lambda f: f(s=1)]
        for call in calls:
            with self.assertRaises(TypeError) as expected:
                call(plain)
            refuses(self, TypeError, str(expected.exception), lambda: call(scale))
        with self.assertRaises(TypeError) as expected:
            keyword_only()
        refuses(self, TypeError, str(expected.exception), lambda: echo())
        refuses(self, TypeError, "bump() got some positional-only arguments passed as keyword arguments: 'x'", lambda: bump(x=x))

    def test_layouts(self):
        x = np.arange(12.0).reshape(3, 4)
        for view in (x[1], x[:, 1], x[2, ::-1], x[::2, 3], x[0, :0]):
            self.assertEqual(scale(view, 2.0).tolist(), (view * 2).tolist())

    def test_declared_types_accept_what_loses_nothing(self):
        x = np.arange(3.0)
        for factor in (2, True, np.float32(2), np.int8(2), np.float64(2), 2.0):
            self.assertEqual(scale(x, factor).tolist(), (x * float(factor)).tolist())
        refuses(self, TypeError, "no signature of scale accepts scale(float64[:], complex). Accepted:\n  scale(float64[:], float)",
                lambda: scale(x, 1j))

    def test_other_types_name_the_signatures(self):
        for value, name in ((np.arange(3), "int64[:]"), (np.ones((2, 2)), "float64[:,:]"), (1.5, "float"), (None, "None"), (np.array(2.0), "float64[()]")):
            refuses(self, TypeError, f"no signature of scale accepts scale({name}, float). Accepted:\n  scale(float64[:], float)", lambda: scale(value))

    def test_arrays_that_no_signature_could_take(self):
        refuses(self, TypeError, "npcc does not support arrays of dtype dtype('>f8')", lambda: scale(np.ones(3, ">f8")))
        refuses(self, TypeError, "npcc does not support arrays of dtype dtype('O')", lambda: scale(np.ones(3, object)))
        refuses(self, TypeError, "npcc does not support arrays of dtype dtype('<U1')", lambda: scale(np.array(["a"])))
        refuses(self, TypeError, "npcc does not support arrays of dtype dtype('float128')", lambda: scale(np.ones(3, np.longdouble)))
        unaligned = np.zeros(25, np.uint8)[1:].view(np.float64)
        refuses(self, TypeError, "npcc does not support unaligned arrays: copy the array first", lambda: scale(unaligned))
        refuses(self, TypeError, "npcc does not support <class 'numpy.matrix'>, a subclass of numpy.ndarray with rules of its own",
                lambda: scale(np.matrix([1.0])))
        refuses(self, TypeError, "npcc does not support values of type <class 'set'>", lambda: scale({1.0}))
        refuses(self, TypeError, "npcc does not support values of type <class 'bytes'>", lambda: scale(b"1"))

    def test_foreign_buffers(self):
        result = scale(array.array("d", [1, 2]), 2.0)
        self.assertEqual(np.asarray(result).tolist(), [2, 4])
        self.assertEqual(type(result).__name__, "Array")

    def test_longlong_is_int64(self):
        self.assertEqual(echo(x=np.longlong(5)), 5)


class Results(unittest.TestCase):
    def test_callers_own_array(self):
        x = np.arange(5.0)
        same, reversed_, first, length = pair(x)
        self.assertIs(same, x)
        self.assertTrue(np.shares_memory(reversed_, x))
        self.assertIs(reversed_.base, x)
        self.assertEqual(reversed_.tolist(), [4, 3, 2, 1, 0])
        self.assertIs(type(first), np.float64)
        self.assertIs(type(length), int)
        reversed_[0] = 9
        self.assertEqual(x[4], 9)

    def test_views_of_read_only_arrays_are_read_only(self):
        x = np.arange(5.0)
        x.flags.writeable = False
        self.assertFalse(pair(x)[1].flags.writeable)

    def test_large_results_live_in_the_runtimes_memory(self):
        x = np.ones(100_000)
        result = scale(x, 2.0)
        self.assertTrue(result.flags.writeable and result.flags.c_contiguous and result.flags.aligned)
        part = result[10:20]
        del result
        gc.collect()
        self.assertEqual(part.tolist(), [2.0] * 10)

    def test_references(self):
        x = np.ones(100_000)
        before = sys.getrefcount(x)
        for _ in range(10):
            pair(x), scale(x)
        self.assertEqual(sys.getrefcount(x), before)
        small = np.ones(3)
        watch = weakref.ref(pair(small)[1].base)
        self.assertIs(watch(), small)

    def test_scalars(self):
        for value in (np.float16(1.5), np.float16(6e-8), np.float16(-0.0), np.float16(65504), np.float16("-inf"), np.uint64(2**64 - 1), np.int8(-7)):
            result = echo(x=value)
            self.assertIs(type(result), type(value))
            self.assertEqual(result.tobytes(), value.tobytes())
        self.assertTrue(np.isnan(echo(x=np.float16("nan"))))
        self.assertEqual(echo(x=1 + 2j), 1 + 2j)
        self.assertIs(echo(x=True), True)

    def test_in_place(self):
        x = np.zeros((3, 4), np.float32)
        self.assertIsNone(bump(x.T))
        self.assertIsNone(bump(x[::-2, ::-1]))
        self.assertEqual(x[:, 0].tolist(), [2, 1, 2])

    def test_read_only_destination(self):
        x = np.zeros((3, 4), np.float32)
        x.flags.writeable = False
        refuses(self, ValueError, "output array is read-only", lambda: bump(x))
        refuses(self, ValueError, "output array is read-only", lambda: bump(np.broadcast_to(np.float32(0), (2, 2))))


class Errors(unittest.TestCase):
    def test_error_of_compiled_code(self):
        try:
            pair(np.empty(0))
        except IndexError as error:
            self.assertEqual(str(error), "index 0 is out of bounds for axis 0 with size 0")
            frame = traceback.extract_tb(error.__traceback__)[-1]
            self.assertEqual((frame.filename, frame.lineno, frame.name), ("script.py", 7, "compiled code"))
            self.assertFalse(hasattr(error, "__notes__"))
        else:
            self.fail("no error")
        self.assertEqual(pair(np.ones(1))[3], 1)


class Function(unittest.TestCase):
    def test_attributes(self):
        self.assertEqual(scale.__name__, "scale")
        self.assertEqual(scale.__doc__, "doc")
        self.assertEqual(scale.__module__, "handwritten")
        self.assertEqual(scale.signatures, ("scale(float64[:], float)",))
        self.assertEqual(repr(scale), "<npcc function scale>")
        self.assertIs(copy.deepcopy(scale), scale)

    def test_as_method(self):
        class Holder:
            method = scale
        refuses(self, TypeError, f"npcc does not support values of type {Holder!r}", lambda: Holder().method(1.0))

    def test_the_rest_of_the_module_is_python(self):
        self.assertEqual(handwritten.factor, 3.0)
        self.assertEqual(handwritten.plain(np.ones(2)).tolist(), [2, 2])
        self.assertFalse(hasattr(handwritten, "__npcc_function__"))


if __name__ == "__main__":
    unittest.main()
