# RUN: %python %s
"""The package's functions beside jit: what is supported, devices, counters, array creation."""
import gc
import sys
import unittest

import numpy as np

import npcc


class Producer:
    """An array of another library: DLPack only, of today's or of yesterday's form."""

    def __init__(self, values, versioned):
        self.values, self.versioned, self.calls = values, versioned, 0

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    def __dlpack__(self, **keywords):
        self.calls += 1
        if not self.versioned:
            if keywords:
                raise TypeError("__dlpack__() takes no keyword arguments")
            return self.values.__dlpack__()
        return self.values.__dlpack__(**keywords)


@npcc.jit(target="cpu")
def increase(x):
    x += 1
    return x


@npcc.jit(target="cpu")
def checked(x, i):
    y = x * 2
    return y[i]


class Api(unittest.TestCase):
    def test_supported(self):
        rows = {row["name"]: row for row in npcc.supported()}
        self.assertIn("numpy.sum", rows)
        self.assertIn("axis", rows["numpy.sum"]["keywords"])
        self.assertIn("cpu", rows["numpy.sum"]["targets"])

    def test_devices(self):
        first, *gpus = npcc.devices()
        self.assertEqual(first["device"], "cpu")
        self.assertGreaterEqual(first["threads"], 1)
        for k, gpu in enumerate(gpus):
            self.assertEqual(gpu["device"], f"cuda:{k}")
            self.assertGreater(gpu["memory"], 0)
        npcc.synchronize()
        npcc.synchronize("cpu")

    def test_creation(self):
        for made, expected in ((npcc.zeros((2, 3), device="cpu"), np.zeros((2, 3))), (npcc.ones(4, np.int8, "cpu"), np.ones(4, np.int8)),
                               (npcc.full((2, 2), 7, device="cpu"), np.full((2, 2), 7)), (npcc.asarray([[1, 2], [3, 4]], device="cpu"), np.array([[1, 2], [3, 4]])),
                               (npcc.asarray([1, 2], np.float32, "cpu"), np.array([1, 2], np.float32))):
            self.assertEqual((made.shape, made.dtype), (expected.shape, expected.dtype))
            np.testing.assert_array_equal(made.get(), expected)
        self.assertEqual(npcc.empty((3, 0, 2), np.complex64, "cpu").shape, (3, 0, 2))
        with self.assertRaisesRegex(ValueError, "negative dimensions are not allowed"):
            npcc.empty(-1, device="cpu")
        with self.assertRaisesRegex(ValueError, "a device is"):
            npcc.zeros(2, device="gpu")
        with self.assertRaises(TypeError):
            npcc.ndarray((2, 3))

    def test_asarray_shares(self):
        values = np.arange(4.0)
        array = npcc.asarray(values, device="cpu")
        values[0] = 9
        self.assertEqual(array[0], 9)
        self.assertIs(npcc.asarray(array), array)
        self.assertEqual(npcc.array(values, device="cpu").copy().tolist(), values.tolist())

    def test_arrays_of_other_libraries(self):
        """In without a copy, out as npcc.ndarray; the producer lives as long as the array."""
        for versioned in (True, False):
            values = np.arange(6.0).reshape(2, 3)[:, ::-1]
            producer = Producer(values, versioned)
            result = increase(producer)
            self.assertIs(result, producer)
            self.assertEqual(values.tolist(), [[3, 2, 1], [6, 5, 4]])
            shared = npcc.from_dlpack(producer)
            count = sys.getrefcount(values)
            values[0, 0] = 70
            self.assertEqual(shared[0, 0], 70)
            self.assertEqual(checked(producer, 0).tolist(), (values[0] * 2).tolist())
            del shared
            gc.collect()
            self.assertLess(sys.getrefcount(values), count)
        read_only = np.arange(3.0)
        read_only.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "output array is read-only"):
            increase(Producer(read_only, True))

    def test_dlpack_out(self):
        array = npcc.array(np.arange(6).reshape(2, 3), device="cpu")
        for keywords in ({}, {"max_version": (1, 0)}, {"copy": True}):
            class Wrapper:
                def __dlpack__(self, **_):
                    return array.T.__dlpack__(**keywords)

                def __dlpack_device__(self):
                    return array.__dlpack_device__()
            out = np.from_dlpack(Wrapper())
            self.assertEqual(out.tolist(), [[0, 3], [1, 4], [2, 5]])
            self.assertEqual(np.shares_memory(out, np.asarray(array)), "copy" not in keywords)
        before = npcc.counters()["live_buffers"]
        capsule = npcc.zeros(3, device="cpu").__dlpack__()
        self.assertEqual(npcc.counters()["live_buffers"], before + 1)
        del capsule  # not consumed
        self.assertEqual(npcc.counters()["live_buffers"], before)

    def test_nothing_is_lost(self):
        """Results, errors and views give their memory back."""
        x = np.ones(100_000)
        checked(x, 1)
        gc.collect()
        before = npcc.counters()["live_buffers"]
        for _ in range(20):
            checked(x, 5)
            with self.assertRaises(IndexError):
                checked(x, 100_000)
        self.assertEqual(npcc.counters()["live_buffers"], before)

    def test_annotated_scalar(self):
        self.assertEqual(npcc.f64.text, "float64")
        self.assertEqual(npcc.bool_[:].text, "bool_[:]")


if __name__ == "__main__":
    unittest.main()
