"""Arrays of CuPy and PyTorch on the device go in without a copy, and what comes out goes to them without one."""
import importlib
import unittest

import numpy as np

import npcc
from harness import TARGET, device, jit


def scale(a, b):
    a += b
    return a * 2.0


AXPY = r"""
extern "C" __global__ void axpy(double a, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
"""


def increase(a):
    a += 1


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

    def test_own_kernels_and_cupy(self):
        """Neither waits for the other by hand."""
        cupy = load("cupy")
        axpy, compiled, n = npcc.RawKernel(AXPY, "axpy"), jit(increase), 1 << 20
        streams = [cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream()]
        for stream in streams:
            with stream:
                x, y, expected = cupy.ones(n), cupy.zeros(n), 0.0
                for k in range(10):
                    x *= 2
                    axpy((-(-n // 256),), (256,), (1.0, x, y, n))  # goes to CuPy's stream
                    y += 1
                    compiled(y)  # goes to npcc's, which is ordered before and after
                    y += 1
                    expected += 2.0 ** (k + 1) + 3
                np.testing.assert_array_equal(cupy.asnumpy(y), expected)
            with npcc.stream(stream):
                mine = npcc.zeros(n, device=device())
                axpy((-(-n // 256),), (256,), (1.0, x, mine, n))
                with stream:
                    theirs = cupy.asarray(mine) * 2
                np.testing.assert_array_equal(theirs.get(stream=stream), 2.0 ** 11)
            axpy((-(-n // 256),), (256,), (1.0, x, y, n), stream=stream)
            stream.synchronize()
            np.testing.assert_array_equal(cupy.asnumpy(y), expected + 2.0 ** 10)

    def test_own_kernels_and_torch(self):
        torch = load("torch")
        axpy, compiled, n = npcc.RawKernel(AXPY, "axpy"), jit(increase), 1 << 20
        for stream in (torch.cuda.default_stream(), torch.cuda.Stream()):
            with torch.cuda.stream(stream):
                x, y = torch.ones(n, dtype=torch.float64, device="cuda"), torch.zeros(n, dtype=torch.float64, device="cuda")
                expected = 0.0
                for k in range(10):
                    x *= 2
                    axpy((-(-n // 256),), (256,), (1.0, x, y, n))
                    y += 1
                    compiled(y)
                    y += 1
                    expected += 2.0 ** (k + 1) + 3
                np.testing.assert_array_equal(y.cpu().numpy(), expected)
                with npcc.stream(stream):
                    mine = npcc.zeros(n, device=device())
                    axpy((-(-n // 256),), (256,), (1.0, x, mine, n))
                    np.testing.assert_array_equal((torch.from_dlpack(mine) * 2).cpu().numpy(), 2.0 ** 11)

    def test_kernels_of_expressions_take_their_arrays(self):
        square = npcc.ElementwiseKernel("T x", "T y", "y = x * x", "square")
        total = npcc.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
        values = np.arange(12.0).reshape(3, 4)
        for name, make in (("cupy", lambda m: m.asarray(values)), ("torch", lambda m: m.from_numpy(values).cuda())):
            with self.subTest(library=name):
                try:
                    array = make(load(name))
                except unittest.SkipTest:
                    continue
                np.testing.assert_array_equal(square(array).get(), values * values)
                np.testing.assert_array_equal(total(array, axis=0).get(), values.sum(axis=0))
                out = array + 0
                self.assertIs(square(array, out), out)
                np.testing.assert_array_equal((out + 1).get() if name == "cupy" else (out + 1).cpu().numpy(), values * values + 1)

    def test_results_stay_on_the_device(self):
        array = npcc.array(np.ones(5), device=device())
        self.assertIsInstance(jit(scale)(array, array), npcc.ndarray)


if __name__ == "__main__":
    unittest.main()
