"""ElementwiseKernel against NumPy: dtypes, broadcasting, layouts, raw parameters, outputs, errors."""
import sys
import unittest

import numpy as np

import npcc
from inputs import uniform
from own_kernels import OnGpu, OtherLibrary, on_gpu


class Elementwise(OnGpu):
    def test_dtypes(self):
        add = npcc.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add")
        for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32, np.float64, np.complex64,
                      np.complex128):
            with self.subTest(dtype=dtype.__name__):
                x, y = (uniform((3, 5)) * 20).astype(dtype), (uniform((3, 5)) * 9).astype(dtype)
                self.check(add(on_gpu(x), on_gpu(y)), x + y)
        flip = npcc.ElementwiseKernel("bool x", "bool z", "z = !x", "flip")
        self.check(flip(on_gpu(np.array([True, False]))), np.array([False, True]))

    def test_broadcasts_and_layouts(self):
        kernel = npcc.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference")
        x, y = uniform((4, 6)).astype(np.float32), uniform((6,)).astype(np.float32)
        dx, dy = on_gpu(x), on_gpu(y)
        for a, b, da, db in ((x, y, dx, dy), (x.T, y[:4], dx.T, dy[:4]), (x[::-1, ::2], y[::-2], dx[::-1, ::2], dy[::-2]), (x[:, None], x, dx[:, None], dx),
                             (x[:, :1], y, dx[:, :1], dy), (x, np.float32(2), dx, 2.0), (x, np.float32(3), dx, np.float32(3)), (x[1], y, dx[1], dy),
                             (x[:0], y, dx[:0], dy)):
            self.check(kernel(da, db), (a - b) * (a - b))

    def test_outputs(self):
        both = npcc.ElementwiseKernel("T x", "T s, T c", "s = x + 1; c = x * 2", "both")
        x = uniform((3, 4))
        s, c = both(on_gpu(x))
        self.check(s, x + 1)
        self.check(c, x * 2)
        out = npcc.zeros((6, 4), device="cuda")
        given = both(on_gpu(x), out[::2], out[1::2])
        self.assertIsInstance(given, tuple)
        expected = np.empty((6, 4))
        expected[::2], expected[1::2] = x + 1, x * 2
        self.check(out, expected)
        nothing = npcc.ElementwiseKernel("T x", "T y", "y = x", "nothing", no_return=True)
        self.assertIsNone(nothing(on_gpu(x), npcc.empty((3, 4), device="cuda")))
        self.assertEqual(len(npcc.ElementwiseKernel("T x", "T y", "y = x", return_tuple=True)(on_gpu(x))), 1)

    def test_in_place(self):
        x = uniform((100,))
        array = on_gpu(x)
        npcc.ElementwiseKernel("T by", "T x", "x += by", "increase")(2.5, array)
        self.check(array, x + 2.5)

    def test_raw_parameters(self):
        x, y = uniform((5,)), uniform((5,))
        reverse = npcc.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]", "add_reverse")
        self.check(reverse(on_gpu(x), on_gpu(y)), x + y[::-1])
        wide = uniform((10,))
        self.check(reverse(on_gpu(x), on_gpu(wide)[::2]), x + wide[::2][::-1])
        matrix = uniform((3, 4))
        transpose = npcc.ElementwiseKernel("raw T x", "T z", "long long p[2] = {_ind.get()[1], _ind.get()[0]}; z = x[p] * x.shape()[1] + x.size()", "transpose")
        self.check(transpose(on_gpu(matrix), npcc.empty((4, 3), device="cuda")), matrix.T * 4 + 12)
        squares = npcc.zeros(7, np.int64, device="cuda")
        npcc.ElementwiseKernel("", "raw int64 z", "z[i] = i * i", "squares")(squares, size=7)
        self.check(squares, np.arange(7) ** 2)

    def test_preamble_and_loops(self):
        kernel = npcc.ElementwiseKernel("T x", "T y", "y = triple(x) + offset", "with_function", preamble="template <typename T> __device__ T triple(T x) { return 3 * x; }",
                                        loop_prep="T offset = 1", options=("-std=c++17",))
        x = np.arange(1000)
        self.check(kernel(on_gpu(x), block_size=64), 3 * x + 1)

    def test_other_libraries(self):
        x, stream = uniform((8,)), npcc.cuda.stream()
        double = npcc.ElementwiseKernel("T x", "T y", "y = x * 2", "twice")
        source, target = on_gpu(x), npcc.zeros(8, device="cuda")
        self.check(double(OtherLibrary(source, int(stream))), x * 2)
        wrapped = OtherLibrary(target, int(stream))
        self.assertIs(double(source, wrapped), wrapped)
        npcc.synchronize()
        self.check(target, x * 2)
        self.check(double(source, stream=stream), x * 2)

    def test_one_kernel_for_one_kind_of_call(self):
        kernel = npcc.ElementwiseKernel("T x", "T y", "y = x + 1", "counted")
        before = npcc.counters()["launches"]
        for n in (3, 30, 300):
            kernel(npcc.zeros(n, device="cuda"))
        self.assertEqual((len(kernel._kernels), npcc.counters()["launches"] - before), (1, 3))
        kernel(npcc.zeros((4, 6), device="cuda")[:, ::2])
        self.assertEqual(len(kernel._kernels), 2)

    def test_a_call_that_comes_again_asks_nothing_of_its_arguments(self):
        kernel = npcc.ElementwiseKernel("T x, T y", "T z", "z = x + y", "plus_again")
        x, calls = on_gpu(np.arange(8.0)), []
        for y in (x, 3, np.float64(2)):
            kernel(x, y)
            sys.setprofile(lambda frame, event, argument: calls.append(frame.f_code.co_name) if event == "call" else None)
            try:
                out = kernel(x, y)
            finally:
                sys.setprofile(None)
            self.check(out, np.arange(8.0) + (y if y is not x else np.arange(8.0)))
        self.assertEqual(set(calls), {"__call__", "find", "run", "<listcomp>", "as_scalar"} & set(calls), calls)

    def test_numbers_of_other_types_are_other_calls(self):
        kernel = npcc.ElementwiseKernel("T x, S y", "T z", "z = x + y", "plus_other")
        x = on_gpu(np.arange(3.0))
        for y in (1, 1.5, np.float32(0.5), np.int8(-1), True, np.bool_(True), 2**40):
            for _ in range(2):
                self.check(kernel(x, y), np.arange(3.0) + float(y))
        with self.assertRaises(OverflowError):
            kernel(x, 2**70)

    def test_errors(self):
        kernel = npcc.ElementwiseKernel("T x, T y", "T z", "z = x + y", "sum_of_two")
        x = npcc.zeros((3, 4), device="cuda")
        for error, text, arguments in (
                (TypeError, "kernel 'sum_of_two': type is mismatched: T is float64, 'y' has float32", (x, npcc.zeros(4, np.float32, "cuda"))),
                (ValueError, r"could not be broadcast together with shapes \(3,4\) \(5,\)", (x, npcc.zeros(5, device="cuda"))),
                (ValueError, r"the output 'z' has shape \(4,\)", (x, x, npcc.zeros(4, device="cuda"))),
                (TypeError, "argument 1 is an array in the host's memory", (np.zeros(3), 1.0)),
                (TypeError, "takes 2 inputs, or 3 arguments with the outputs; 1 were given", (x,)),
                (TypeError, "argument 2 has the type str", (x, "y"))):
            with self.assertRaisesRegex(error, text):
                kernel(*arguments)
        with self.assertRaisesRegex(ValueError, "the loop size is undecided"):
            npcc.ElementwiseKernel("raw T x", "raw T y", "y[i] = x[i]", "undecided")(x, x)
        with self.assertRaises(npcc.CompileError) as caught:
            npcc.ElementwiseKernel("T x", "T y", "T t = x;\ny = unknown(t)", "wrong")(x)
        self.assertEqual((caught.exception.filename, caught.exception.lineno, caught.exception.text.strip()), ("wrong (operation)", 2, "y = unknown(t)"))
        self.assertIn("kernel 'wrong'", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
