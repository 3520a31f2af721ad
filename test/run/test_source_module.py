"""SourceModule, In, Out and InOut."""
import unittest

import numpy as np

import npcc
from inputs import uniform
from own_kernels import OnGpu, on_gpu

SOURCE = """
__device__ int calls;
__constant__ float factors[2];
__global__ void multiply(float *out, const float *a, const float *b) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = a[i] * b[i] + factors[0];
}
__global__ void doublify(float *a) {
  a[threadIdx.x + threadIdx.y * 4] *= 2;
  if (threadIdx.x + threadIdx.y == 0)
    calls += 1;
}
"""


class SourceModules(OnGpu):
    def setUp(self):
        self.module = npcc.SourceModule(SOURCE)

    def test_arrays_there_and_back(self):
        a, b, out = uniform((64,)).astype(np.float32), uniform((64,)).astype(np.float32), np.zeros(64, np.float32)
        multiply = self.module.get_function("multiply")
        self.assertIsNone(multiply(npcc.Out(out), npcc.In(a), npcc.In(b), block=(32, 1, 1), grid=(2, 1)))
        self.check(out, a * b)
        result = npcc.empty(64, np.float32, device="cuda")
        multiply(result, on_gpu(a), on_gpu(b), block=(32, 1, 1), grid=(2, 1))
        self.check(result, a * b)

    def test_names_of_nvcc(self):
        module = npcc.SourceModule("__global__ void fill(uint *x, ushort y) { const uint i = threadIdx.x; ulong z = i; x[i] = (uint)z * y; }")
        out = np.zeros(4, np.uint32)
        module.get_function("fill")(npcc.Out(out), np.uint16(3), block=(4, 1, 1))
        self.check(out, np.arange(4, dtype=np.uint32) * 3)
        npcc.SourceModule("typedef unsigned int uint;\n__global__ void again(uint *x) { }")

    def test_in_and_out(self):
        doublify = self.module.get_function("doublify")
        for order in "CF":
            a = np.asarray(uniform((4, 4)).astype(np.float32), order=order)
            expected = a * 2
            doublify(npcc.InOut(a), block=(4, 4, 1))
            self.check(a, expected)
        b = np.ones((4, 4), np.float32)
        doublify(npcc.In(b), block=(4, 4, 1))
        self.check(b, np.ones((4, 4), np.float32))

    def test_streams_and_times(self):
        a, stream = np.ones((4, 4), np.float32), npcc.cuda.stream()
        doublify = self.module.get_function("doublify")
        self.assertGreaterEqual(doublify(npcc.InOut(a), block=(4, 4, 1), stream=stream, time_kernel=True), 0)
        self.check(a, np.full((4, 4), 2, np.float32))
        d = on_gpu(a)
        doublify.prepare("P").prepared_call((1, 1), (4, 4, 1), d)
        doublify.prepared_async_call((1, 1), (4, 4, 1), stream, d)
        self.assertGreaterEqual(doublify.prepared_timed_call((1, 1), (4, 4, 1), d)(), 0)
        self.check(d, np.full((4, 4), 16, np.float32))

    def test_globals(self):
        variable, size = self.module.get_global("factors")
        self.assertEqual(size, 8)
        self.assertEqual(int(variable), variable.ptr)
        variable.view(np.float32)[:] = [3, 0]
        out = np.zeros(4, np.float32)
        self.module.get_function("multiply")(npcc.Out(out), npcc.In(out), npcc.In(out), block=(4, 1, 1))
        self.check(out, np.full(4, 3, np.float32))

    def test_cpp(self):
        module = npcc.SourceModule("template <typename T> __device__ T half_of(T x) { return x / 2; }\n__global__ void halve(double *x) { x[threadIdx.x] = half_of(x[threadIdx.x]); }",
                                   no_extern_c=True, options=["-std=c++17"])
        x = np.arange(4.0)
        module.get_function("halve")(npcc.InOut(x), block=(4, 1, 1))
        self.check(x, np.arange(4.0) / 2)
        self.assertGreater(module.get_function("halve").num_regs, 0)

    def test_errors(self):
        doublify = self.module.get_function("doublify")
        with self.assertRaisesRegex(ValueError, "kernel 'doublify': say how many threads a block has"):
            doublify(npcc.In(np.ones(4)))
        with self.assertRaisesRegex(TypeError, "argument 1 is a NumPy array"):
            doublify(np.ones(4, np.float32), block=(4, 1, 1))
        with self.assertRaisesRegex(ValueError, "takes a contiguous array"):
            npcc.In(np.ones((4, 4))[::2, ::2])
        with self.assertRaisesRegex(ValueError, "there is no kernel 'triplify'; the kernels here are: doublify, multiply"):
            self.module.get_function("triplify")
        with self.assertRaises(npcc.CompileError) as caught:
            npcc.SourceModule("__global__ void f(float *a) {\n  a[0] = nothing;\n}")
        self.assertEqual((caught.exception.lineno, caught.exception.text.strip()), (2, "a[0] = nothing;"))


if __name__ == "__main__":
    unittest.main()
