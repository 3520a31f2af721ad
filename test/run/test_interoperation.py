"""Arrays of CuPy and PyTorch on the device go in without a copy, and what comes out goes to them without one."""
import importlib
import unittest

import numpy as np

import npcc
from harness import TARGET, device, jit


def scale(a, b):
    a += b
    return a * 2.0


def load(name):
    try:
        return importlib.import_module(name)
    except Exception as reason:  # not installed, or no driver
        raise unittest.SkipTest(f"{name}: {reason}") from None


@unittest.skipUnless(TARGET == "cuda", "these arrays are on a GPU")
class Interoperation(unittest.TestCase):
    def test_cupy(self):
        cupy = load("cupy")
        a, b = cupy.arange(12.0).reshape(3, 4), cupy.ones((3, 4))
        for x, y in ((a, b), (a[:, ::2], b[:, 1::2]), (a.T, b.T)):
            before = cupy.asnumpy(x)
            result = jit(scale)(x, y)
            npcc.synchronize()
            np.testing.assert_array_equal(cupy.asnumpy(x), before + 1)  # written in place
            shared = cupy.asarray(result)
            self.assertEqual(shared.data.ptr, result.__cuda_array_interface__["data"][0])
            np.testing.assert_array_equal(cupy.asnumpy(shared), (before + 1) * 2)
            np.testing.assert_array_equal(cupy.asnumpy(cupy.from_dlpack(result)), (before + 1) * 2)

    def test_torch(self):
        torch = load("torch")
        a, b = torch.arange(12.0, dtype=torch.float64, device="cuda").reshape(3, 4), torch.ones((3, 4), dtype=torch.float64, device="cuda")
        before = a.cpu().numpy().copy()
        torch.cuda.synchronize()
        result = jit(scale)(a, b)
        npcc.synchronize()
        np.testing.assert_array_equal(a.cpu().numpy(), before + 1)
        shared = torch.from_dlpack(result)
        self.assertEqual(shared.data_ptr(), result.__cuda_array_interface__["data"][0])
        np.testing.assert_array_equal(shared.cpu().numpy(), (before + 1) * 2)
        self.assertEqual(npcc.from_dlpack(a).__cuda_array_interface__["data"][0], a.data_ptr())

    def test_results_stay_on_the_device(self):
        array = npcc.array(np.ones(5), device=device())
        self.assertIsInstance(jit(scale)(array, array), npcc.ndarray)


if __name__ == "__main__":
    unittest.main()
