"""Launches that come again: none of Python's code runs in them, and they do what the first one does."""
import sys
import unittest

import numpy as np

import npcc
from harness import TARGET
from kernels_of_threads import Kernels, kernel
from npcc import cuda


def add(x, y, n, out):
    i = cuda.grid(1)
    if i < n:
        out[i] = x[i] + y[i]


def store(out, value):
    out[cuda.grid(1)] = value


class Doubled:
    def prepare_args(self, kind, value, stream, retr):
        return kind, 2 * value if isinstance(value, int) else value


class Launching(Kernels):
    def calls_of_python(self, call):
        """The names of the functions that run."""
        names = []
        sys.setprofile(lambda frame, event, argument: names.append(frame.f_code.co_name) if event == "call" else None)
        try:
            call()
        finally:
            sys.setprofile(None)
        return names

    def assertIsBare(self, call):
        call()
        self.assertLessEqual(set(self.calls_of_python(call)), {"<lambda>", "__getitem__"})

    def arrays(self, count=3):
        arrays = [np.arange(64, dtype=np.float32) + k for k in range(count)]
        return [cuda.to_device(array) for array in arrays] if TARGET == "cuda" else arrays

    def test_no_code_of_python_runs(self):
        x, y, out = self.arrays()
        of_any = kernel(add)
        self.assertIsBare(lambda: of_any[2, 32](x, y, 64, out))
        declared = kernel("void(float32[:], float32[:], int32, float32[:])")(add)
        self.assertIsBare(lambda: declared[2, 32](x, y, 64, out))
        self.assertIsBare(lambda: declared[2, 32](x, y, np.int32(64), out))
        self.assertTrue((np.asarray(npcc.asnumpy(out)) == 2 * np.arange(64) + 1).all())

    @unittest.skipUnless(TARGET == "cuda", "streams are a GPU's")
    def test_on_a_stream(self):
        x, y, out = self.arrays()
        stream = cuda.stream()
        launch = kernel(add)[2, 32, stream]
        self.assertIsBare(lambda: launch(x, y, 64, out))
        stream.synchronize()
        self.assertTrue((npcc.asnumpy(out) == 2 * np.arange(64) + 1).all())

    def test_other_types_later(self):
        stored = kernel(store)[1, 4]
        for value in (2, 2.5, np.float32(0.1), True, 2**40, np.int8(-3)):
            for dtype in (np.float64, np.int64):
                out = np.zeros(4, dtype)
                stored(out, value)
                self.assertTrue((out == np.array(value).astype(dtype)).all(), (value, dtype))

    def test_numbers_of_declared_types(self):
        for declared, dtype, values in (("float32", np.float32, (1, 0.1, 2**53 + 1, True)), ("int32", np.int32, (3, -1, 2**31 + 5, 2.5)),
                                        ("uint8", np.uint8, (255, 256, -1)), ("float64", np.float64, (1, 0.1, np.float32(0.1))),
                                        ("float16", np.float16, (2, 2049, 0.1)), ("int64", np.int64, (2**40, np.int8(-1), np.uint64(7)))):
            stored = kernel(f"void({declared}[:], {declared})")(store)[1, 2]
            for value in values:
                out = np.zeros(2, dtype)
                stored(out, values[0])
                stored(out, value)
                self.assertTrue((out == np.asarray(value).astype(dtype)).all(), (declared, value))

    def test_extensions_that_come_later(self):
        stored = kernel(store)
        launch, out = stored[1, 4], np.zeros(4, np.int64)
        launch(out, 3)
        launch(out, 3)
        stored.extensions.append(Doubled())
        launch(out, 3)
        self.assertEqual(out.tolist(), [6] * 4)
        stored.extensions = []
        launch(out, 3)
        self.assertEqual(out.tolist(), [3] * 4)

    def test_errors(self):
        stored = kernel(store)
        launch, out = stored[1, 4], np.zeros(4)
        for _ in range(2):
            launch(out, 1)
            with self.assertRaisesRegex(TypeError, "missing a required argument: 'value'"):
                launch(out)
            with self.assertRaisesRegex(TypeError, r"takes its arguments by position, not by name \(value\)"):
                launch(out, value=1)
            with self.assertRaisesRegex(TypeError, "kernel 'store': .*not support"):
                launch(np.zeros(4, "U3"), 1)
            with self.assertRaisesRegex(TypeError, "kernel 'store': .*unaligned"):
                launch(np.zeros(40, np.int8)[1:33].view(np.float64), 1)
        self.assertEqual((launch.grid, launch.block, launch.stream, launch.shared_bytes, launch.kernel), ((1, 1, 1), (4, 1, 1), None, 0, stored))


if __name__ == "__main__":
    unittest.main()
