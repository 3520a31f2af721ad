"""What the tests of thread-level kernels share."""
import functools
import unittest

import numpy as np

from harness import TARGET
from npcc import cuda
from own_kernels import uses_fake_driver

kernel = functools.partial(cuda.jit, target=TARGET)
INTEGERS = [np.int32, np.uint32, np.int64, np.uint64]
FLOATS = [np.float32, np.float64]


def on_real_gpu(reason):
    """What the driver for machines without a GPU (test/runtime/FakePtx.h) does not run."""
    return unittest.skipIf(TARGET == "cuda" and uses_fake_driver(), f"the fake driver has no {reason}")


class Kernels(unittest.TestCase):
    maxDiff = None

    def check(self, got, expected, tolerance=0.0):
        """The same shape and values; the dtype is the array's that the kernel wrote into."""
        expected = np.asarray(expected)
        self.assertEqual(got.shape, expected.shape)
        np.testing.assert_allclose(got, expected, tolerance, tolerance, equal_nan=True)
