"""What the tests of own kernels share."""
import os
import unittest

import numpy as np

import npcc
from harness import TARGET


def nvrtc_is_missing():
    try:
        npcc.kernels.nvrtc.library()
    except RuntimeError as error:
        return str(error)
    return ""


@unittest.skipUnless(TARGET == "cuda", "kernels run on a GPU")
class OnGpu(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        reason = nvrtc_is_missing()
        if reason:
            raise unittest.SkipTest(reason)

    def check(self, got, expected, tolerance=0.0):
        """The array on the GPU holds these values, of this dtype and shape."""
        values = got.get() if isinstance(got, npcc.ndarray) else np.asarray(got)
        expected = np.asarray(expected)
        self.assertEqual((values.dtype, values.shape), (expected.dtype, expected.shape))
        np.testing.assert_allclose(values, expected, tolerance, tolerance, equal_nan=True)


def on_gpu(values):
    return npcc.array(values, device="cuda")


def uses_fake_driver():
    """The driver that runs PTX on the CPU (test/runtime/FakeCuda.cpp)."""
    return npcc._npcc.device_info(0)["name"] == "fake"


def subprocess_environment():
    return dict(os.environ)


class OtherLibrary:
    """An array of a library that works on a stream of its own."""

    def __init__(self, array, stream=None, version=3):
        self.array, self.stream, self.version, self.asked = array, stream, version, 0

    @property
    def __cuda_array_interface__(self):
        self.asked += 1
        interface = dict(self.array.__cuda_array_interface__, version=self.version)
        interface.pop("stream")
        if self.version >= 3:
            interface["stream"] = self.stream
        return interface


class OnlyDlpack:
    def __init__(self, array):
        self.array, self.streams = array, []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None, **keywords):
        self.streams.append(stream)
        return self.array.__dlpack__(stream=stream, **keywords)
