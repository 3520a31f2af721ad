"""ReductionKernel against NumPy: axes, shapes from nothing to many blocks, layouts, types between, errors."""
import unittest

import numpy as np

import npcc
from inputs import uniform
from own_kernels import OnGpu, on_gpu

PAIRS = """
struct pair { double value; long long place; __device__ pair(double value, long long place) : value(value), place(place) {} };
__device__ pair better(pair a, pair b) { return a.value > b.value || (a.value == b.value && a.place < b.place) ? a : b; }
"""


class Reductions(OnGpu):
    def setUp(self):
        self.norm = npcc.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")

    def test_axes_and_shapes(self):
        for shape in ((5,), (1,), (300, 7), (7, 300), (3, 4, 5), (10000,), (2, 9000), (2, 1, 3)):
            x = uniform(shape)
            array = on_gpu(x)
            for axis in (None, 0, -1, tuple(range(len(shape))), (0, len(shape) - 1) if len(shape) > 1 else (0,)):
                for keepdims in (False, True):
                    with self.subTest(shape=shape, axis=axis, keepdims=keepdims):
                        self.check(self.norm(array, axis=axis, keepdims=keepdims), np.sqrt((x * x).sum(axis=axis, keepdims=keepdims)), 1e-12)

    def test_layouts_and_broadcasts(self):
        x = uniform((4, 5, 6))
        array = on_gpu(x)
        for a, d in ((x.T, array.T), (x[::-1, ::2], array[::-1, ::2]), (x[1:, None], array[1:, None])):
            self.check(self.norm(d, axis=(0, 2)), np.sqrt((a * a).sum(axis=(0, 2))), 1e-12)
        dot = npcc.ReductionKernel("T x, U y", "float64 z", "x * y", "a + b", "z = a", "0", "dot")
        y = uniform((6,)).astype(np.float32)
        self.check(dot(array, on_gpu(y), axis=-1), (x * y).sum(axis=-1), 1e-12)
        self.check(dot(array, 2.0), np.asarray((x * 2).sum()), 1e-12)

    def test_nothing_to_reduce(self):
        self.check(self.norm(npcc.zeros((0, 3), device="cuda"), axis=0), np.zeros(3))
        self.check(self.norm(npcc.zeros((0, 3), device="cuda"), axis=1), np.zeros(0))
        largest = npcc.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", "-1e30", "largest")
        self.check(largest(npcc.zeros((0,), device="cuda")), np.asarray(-1e30))

    def test_dtypes(self):
        total = npcc.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
        for dtype in (np.int32, np.int64, np.uint8, np.float32, np.float64, np.complex128):
            x = (uniform((6, 40)) * 9).astype(dtype)
            self.check(total(on_gpu(x), axis=1), x.sum(axis=1, dtype=dtype), 1e-5)
        any_ = npcc.ReductionKernel("T x", "bool y", "x > 0.5", "a || b", "y = a", "false", "any_large")
        x = uniform((4, 9))
        self.check(any_(on_gpu(x), axis=1), (x > 0.5).any(axis=1))

    def test_a_type_of_its_own_between(self):
        kernel = npcc.ReductionKernel("T x", "int64 k", "pair(x, _j)", "better(a, b)", "k = a.place", "pair(-1e300, 0)", "argmax", reduce_type="pair",
                                      preamble=PAIRS)
        x = uniform((6, 3000)).astype(np.float32)
        for axis in (0, 1, None):
            self.check(kernel(on_gpu(x), axis=axis), np.asarray(x.argmax(axis=axis)))
        mean = npcc.ReductionKernel("T x, int64 count", "T y", "x", "a + b", "y = a / count", "0", "mean", reduce_type="double")
        self.check(mean(on_gpu(x), 3000, axis=1), x.astype(np.float64).sum(axis=1).astype(np.float32) / np.float32(3000), 1e-6)

    def test_outputs(self):
        both = npcc.ReductionKernel("T x", "T s, T m", "x", "a + b", "s = a; m = a / 4", "0", "both")
        x = uniform((3, 4))
        s, m = both(on_gpu(x), axis=1)
        self.check(s, x.sum(axis=1), 1e-12)
        self.check(m, x.sum(axis=1) / 4, 1e-12)
        out = npcc.zeros((6,), device="cuda")
        self.norm(on_gpu(x), out[::2], axis=1)
        self.norm(on_gpu(x), out=out[1::2], axis=1)
        self.check(out, np.sqrt((x * x).sum(axis=1)).repeat(2), 1e-12)

    def test_launches(self):
        x = npcc.zeros((100, 50), device="cuda")
        self.norm(x, axis=1)
        before = npcc.counters()["launches"]
        self.norm(x, axis=1)
        self.assertEqual(npcc.counters()["launches"] - before, 1)
        self.norm(npcc.zeros(100000, device="cuda"))  # one result: many blocks work on it, and one on what they give
        self.assertEqual(npcc.counters()["launches"] - before, 3)

    def test_errors(self):
        x = npcc.zeros((3, 4), device="cuda")
        with self.assertRaisesRegex(np.exceptions.AxisError, "axis 2 is out of bounds for array of dimension 2"):
            self.norm(x, axis=2)
        with self.assertRaisesRegex(ValueError, "duplicate value in 'axis'"):
            self.norm(x, axis=(0, -2))
        with self.assertRaisesRegex(ValueError, r"kernel 'norm': the output 'y' has shape \(3,\), the result has \(4,\)"):
            self.norm(x, npcc.zeros(3, device="cuda"), axis=0)
        with self.assertRaisesRegex(TypeError, "needs the identity of its expression"):
            npcc.ReductionKernel("T x", "T y", "x", "a + b", "y = a", None)
        with self.assertRaises(npcc.CompileError) as caught:
            npcc.ReductionKernel("T x", "T y", "x", "a + bb", "y = a", "0", "wrong")(x)
        self.assertEqual((caught.exception.filename, caught.exception.text), ("wrong (reduce_expr)", "a + bb"))


if __name__ == "__main__":
    unittest.main()
