# RUN: %python %s
"""@npcc.jit as a caller sees it: specialisation, keywords, attributes, fallback, inspection, threads, processes."""
import contextlib
import copy
import io
import os
import pickle
import threading
import unittest

import numpy as np

import npcc


@npcc.jit(target="cpu")
def combine(a, b=2.0, *, c=1.0):
    """Doc."""
    return a * b + c


@npcc.jit(target="cpu")
def scale(x, k):
    return x * k


@npcc.jit(target="cpu")
def calls_another(x):
    return scale(x, 2) + 1


@npcc.jit(target="cpu", fallback=True)
def formatted(x):
    return np.array2string(x, formatter={})


@npcc.jit(target="cpu")
def speak(x):
    print("sum", np.sum(x))


@npcc.jit(target="cpu")
def along(x, n, axis=0, function=np.sum, mode=None):
    for _ in range(n):
        x = x + 1
    return function(x, axis=axis) if mode is None else x


class Vector:
    def __init__(self, values):
        self.values = values

    @npcc.jit(target="cpu", fallback=True)
    def norm(self):
        return float(np.sqrt(np.sum(self.values ** 2)))


class Jit(unittest.TestCase):
    def test_specialises_on_dtype_and_rank(self):
        for values, text in ((np.ones(3), "float64[:]"), (np.ones((2, 3), np.float32), "float32[:,:]"), (np.arange(3), "int64[:]"), (np.float32(3), "float32"),
                             (3, "int"), (2.5, "float"), (True, "bool"), (1j, "complex")):
            result, expected = scale(values, 2), values * 2
            self.assertEqual(np.asarray(result).tolist(), np.asarray(expected).tolist())
            self.assertEqual((type(result), np.asarray(result).dtype), (type(expected), np.asarray(expected).dtype))
            self.assertIn(f"scale({text}, int)", scale.signatures)
        count = len(scale.signatures)
        scale(np.ones(1000), 5)
        self.assertEqual(len(scale.signatures), count, "extents are dynamic")

    def test_layouts_after_the_first_call(self):
        x = np.arange(24.0).reshape(4, 6)
        for view in (x, x.T, x[::-2], x[1:3, ::2], x[:0]):
            self.assertEqual(scale(view, 3.0).tolist(), (view * 3).tolist())

    def test_keywords(self):
        x = np.ones(2)
        self.assertEqual(combine(x).tolist(), [3, 3])
        self.assertEqual(combine(x, c=0.0).tolist(), [2, 2])
        self.assertEqual(combine(b=3.0, a=x, c=1.0).tolist(), [4, 4])
        for call, message in ((lambda: combine(), "combine() missing 1 required positional argument: 'a'"),
                              (lambda: combine(x, 1.0, 2.0), "combine() takes from 1 to 2 positional arguments but 3 were given"),
                              (lambda: combine(x, d=1), "combine() got an unexpected keyword argument 'd'")):
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertEqual(str(caught.exception), message)

    def test_unsupported_arguments(self):
        for argument in ({1.0}, object(), np.array(["a"]), np.ones(2, ">f8")):
            with self.assertRaises(TypeError):
                scale(argument, 2)

    def test_values_that_must_be_known(self):
        """None, strings, functions, and integers such as axes are part of the specialisation; other integers are not."""
        x = np.arange(6.0).reshape(2, 3)
        for axis in (0, 1, -1, None, (0, 1)):
            for n in range(5):
                self.assertEqual(np.asarray(along(x, n, axis)).tolist(), np.sum(x + n, axis=axis).tolist())
        self.assertEqual(along(x, 1, 1, np.max).tolist(), [3, 6])
        self.assertEqual(along(x, 1, mode="keep").tolist(), (x + 1).tolist())
        self.assertEqual(len(along.signatures), 7, along.signatures)
        with self.assertRaises(TypeError):  # of NumPy's call, which Python makes then
            along(x, 1, 1.5)

    def test_attributes(self):
        self.assertEqual((combine.__name__, combine.__doc__, combine.__module__), ("combine", "Doc.", __name__))
        self.assertEqual(combine.__wrapped__(1, 2), 3)
        self.assertIs(copy.copy(combine), combine)
        self.assertIs(pickle.loads(pickle.dumps(combine)), combine)

    def test_jitted_helpers(self):
        self.assertEqual(calls_another(np.ones(2)).tolist(), [3, 3])

    def test_fallback_is_listed(self):
        self.assertEqual(formatted(np.ones(2)), "[1. 1.]")
        self.assertEqual(len(formatted.fallbacks), 1)
        self.assertIsInstance(list(formatted.fallbacks.values())[0], npcc.CompileError)
        self.assertEqual(formatted(np.ones(2)), "[1. 1.]")

    def test_method(self):
        self.assertEqual(Vector(np.array([3.0, 4.0])).norm(), 5)
        self.assertEqual(len(Vector.norm.fallbacks), 0)

    def test_print_goes_where_python_prints(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            speak(np.arange(4.0))
        self.assertEqual(out.getvalue(), "sum 6.0\n")

    def test_inspect(self):
        scale(np.ones(3), 2.0)
        self.assertIn("np.ufunc", scale.inspect("np", "float64[:], float"))
        self.assertIn("np.kernel", scale.inspect("linalg", "float64[:], float"))
        self.assertIn("np.kernel", scale.inspect("loops", "float64[:], float"))
        self.assertIn("define", scale.inspect("llvm", "float64[:], float"))
        self.assertIn("gpu.launch", scale.inspect("gpu", "float64[:], float"))
        with self.assertRaises(ValueError):
            scale.inspect("nothing")

    def test_threads(self):
        @npcc.jit(target="cpu", cache=False)
        def many(x):
            return np.sum(x * x)

        results = [None] * 8

        def work(k):
            results[k] = [many(np.full(1000 * (k + 1), 2.0)) for _ in range(20)]

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [[4000.0 * (k + 1)] * 20 for k in range(8)])
        self.assertEqual(len(many.signatures), 1)

    def test_fork(self):
        x = np.ones(100_000)
        scale(x, 2.0)
        child = os.fork()
        if not child:
            os._exit(0 if scale(x, 3.0).sum() == 300_000 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_annotations_are_types(self):
        self.assertEqual(repr(npcc.f64[:, :]), "npcc.float64[:,:]")
        self.assertEqual((npcc.f32[:, 1] | int).text, "float32[:,1] or int")
        with self.assertRaises(TypeError):
            npcc.f64[0:3]

    def test_device_arrays_in_results_out(self):
        result = scale(npcc.asarray([1.0, 2.0], device="cpu"), 2.0)
        self.assertIsInstance(result, npcc.ndarray)
        self.assertEqual(result.tolist(), [2, 4])


if __name__ == "__main__":
    unittest.main()
