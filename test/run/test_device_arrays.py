"""npcc.ndarray, and what travels between it and NumPy."""
import unittest

import numpy as np

import npcc
from harness import device, jit
from inputs import uniform


def double(a):
    return a * 2


def increase(a):
    a += 1


class DeviceArrays(unittest.TestCase):
    def test_round_trip(self):
        for dtype in (np.bool_, np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64, np.complex64, np.complex128):
            values = (uniform((3, 4)) * 10).astype(dtype)
            array = npcc.array(values, device=device())
            self.assertEqual((array.shape, array.dtype, array.strides, array.device), (values.shape, values.dtype, values.strides, device()))
            np.testing.assert_array_equal(array.get(), values)
            np.testing.assert_array_equal(np.asarray(array), values)

    def test_views(self):
        values = np.arange(60).reshape(3, 4, 5)
        array = npcc.array(values, device=device())
        for key in (1, -1, slice(None, None, -1), (0, 1), (..., 2), (slice(1, 3), None, 0, slice(None, None, 2)), (2, 3, 4), Ellipsis, (slice(5, 9),)):
            np.testing.assert_array_equal(npcc.asnumpy(array[key]), values[key])
        np.testing.assert_array_equal(array.T.get(), values.T)
        for key, message in ((3, "index 3 is out of bounds for axis 0 with size 3"), ((0, -5), "index -5 is out of bounds for axis 1 with size 4"),
                             ((0, 0, 0, 0), "too many indices for array: array is 3-dimensional, but 4 were indexed")):
            with self.assertRaisesRegex(IndexError, message):
                array[key]

    def test_views_of_other_dtypes_and_orders(self):
        values = np.arange(24.0).reshape(4, 6)
        array = npcc.array(values, device=device())
        for view in (lambda a: a.view(np.int64), lambda a: a.view(np.float32), lambda a: a[::2].view("c16"), lambda a: a.transpose(1, 0), lambda a: a.transpose(),
                     lambda a: a.T.ravel(order="F"), lambda a: a.T.reshape(6, 2, 2, order="F"), lambda a: a[:0].view(np.uint8)):
            np.testing.assert_array_equal(view(array).get(), view(values))
            self.assertEqual(view(array).dtype, view(values).dtype)
        array.view(np.int64)[0, 0] = 1
        self.assertEqual(array.get().view(np.int64)[0, 0], 1)
        with self.assertRaisesRegex(ValueError, "the last axis must be contiguous"):
            array.T.view(np.float32)
        with self.assertRaisesRegex(ValueError, "repeated axis in transpose"):
            array.transpose(0, 0)
        parts = array.ravel().split(7)
        self.assertEqual([p.shape for p in parts], [(7,), (7,), (7,), (3,)])
        np.testing.assert_array_equal(parts[2].get(), values.ravel()[14:21])

    def test_stores_through_views(self):
        values = np.arange(12.0).reshape(3, 4)
        array = npcc.array(values, device=device())
        for a in (values, array):
            a[1] = 7
            a[:, ::2] = [[1, 2], [3, 4], [5, 6]]
        array[0, :] = npcc.array(values[2], device=device())
        values[0, :] = values[2]
        np.testing.assert_array_equal(array.get(), values)

    def test_calls_stay_on_the_device(self):
        compiled, array = jit(double), npcc.array(np.arange(100.0), device=device())
        compiled(array)
        before = npcc.counters()
        result = compiled(compiled(array))
        after = npcc.counters()
        self.assertIsInstance(result, npcc.ndarray)
        self.assertEqual(result.device, device())
        for direction in ("bytes_host_to_device", "bytes_device_to_host"):
            self.assertEqual(after[direction], before[direction])
        np.testing.assert_array_equal(result.get(), np.arange(100.0) * 4)

    def test_in_place(self):
        array = npcc.zeros((3, 3), device=device())
        jit(increase)(array[1:])
        np.testing.assert_array_equal(array.get(), [[0] * 3, [1] * 3, [1] * 3])

    def test_dlpack_with_numpy(self):
        if device() != "cpu":
            self.skipTest("NumPy takes arrays on the CPU only")
        array = npcc.array(np.arange(6).reshape(2, 3), device="cpu")
        shared = np.from_dlpack(array)
        shared[0, 0] = 9
        self.assertEqual(array[0, 0], 9)
        back = npcc.from_dlpack(np.arange(4.0))
        self.assertEqual(back.tolist(), [0, 1, 2, 3])

    def test_memory_returns(self):
        compiled = jit(double)
        compiled(npcc.ones(1000, device=device()))
        before = npcc.counters()["live_buffers"]
        for _ in range(5):
            compiled(npcc.ones(1000, device=device()))
        self.assertEqual(npcc.counters()["live_buffers"], before)

    def test_repr(self):
        self.assertEqual(repr(npcc.array([1.0, 2.0], device="cpu")), "npcc.ndarray([1., 2.], dtype=float64, device='cpu')")


if __name__ == "__main__":
    unittest.main()
