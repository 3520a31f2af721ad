# RUN: %python %s
"""The package's functions beside jit: what is supported, devices, counters, array creation."""
import gc
import unittest

import numpy as np

import npcc


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
