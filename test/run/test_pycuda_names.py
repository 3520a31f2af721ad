"""Programs that are written for PyCUDA, with npcc.pycuda in their imports."""
import tempfile
import unittest
from pathlib import Path

import numpy as np

import npcc
from own_kernels import OnGpu


class Programs(OnGpu):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        import npcc.pycuda.autoinit  # noqa: F401
        global drv, gpuarray, cumath, SourceModule, ElementwiseKernel, ReductionKernel
        import npcc.pycuda.driver as drv
        from npcc.pycuda import cumath, gpuarray
        from npcc.pycuda.compiler import SourceModule
        from npcc.pycuda.elementwise import ElementwiseKernel
        from npcc.pycuda.reduction import ReductionKernel

    def test_arrays_in_and_out(self):
        module = SourceModule("""
__global__ void multiply_them(float *dest, float *a, float *b)
{
  const int i = threadIdx.x;
  dest[i] = a[i] * b[i];
}
""")
        multiply_them = module.get_function("multiply_them")
        a, b = np.random.default_rng(0).standard_normal((2, 400)).astype(np.float32)
        dest = np.zeros_like(a)
        multiply_them(drv.Out(dest), drv.In(a), drv.In(b), block=(400, 1, 1), grid=(1, 1))
        np.testing.assert_array_equal(dest, a * b)

    def test_memory_that_the_program_asks_for(self):
        a = np.random.default_rng(1).standard_normal((4, 4)).astype(np.float32)
        a_gpu = drv.mem_alloc(a.nbytes)
        drv.memcpy_htod(a_gpu, a)
        module = SourceModule("""
__global__ void doublify(float *a)
{
  int idx = threadIdx.x + threadIdx.y * 4;
  a[idx] *= 2;
}
""")
        func = module.get_function("doublify")
        start, end = drv.Event(), drv.Event()
        start.record()
        func(a_gpu, block=(4, 4, 1), grid=(1, 1), shared=0)
        end.record()
        end.synchronize()
        self.assertGreaterEqual(start.time_till(end), 0)
        doubled = np.empty_like(a)
        drv.memcpy_dtoh(doubled, a_gpu)
        np.testing.assert_array_equal(doubled, 2 * a)
        func.prepare("P")
        func.prepared_call((1, 1), (4, 4, 1), a_gpu)
        func(np.intp(int(a_gpu)), block=(4, 2, 1))
        drv.Context.synchronize()
        expected = 4 * a
        expected[:2] *= 2
        np.testing.assert_array_equal(drv.from_device_like(a_gpu, a), expected)
        np.testing.assert_array_equal(drv.from_device(int(a_gpu) + 16, (4,), np.float32), expected[1])
        other = drv.to_device(a)
        drv.memcpy_dtod(a_gpu, other, a.nbytes)
        np.testing.assert_array_equal(drv.from_device_like(a_gpu, a), a)
        drv.memset_d32(a_gpu, 0, 16)
        self.assertFalse(drv.from_device_like(a_gpu, a).any())
        with self.assertRaisesRegex(drv.LogicError, "128 bytes are copied to or from memory of 64"):
            drv.memcpy_htod(a_gpu, np.zeros(16))
        a_gpu.free()
        with self.assertRaisesRegex(drv.LogicError, "has been freed"):
            func(a_gpu, block=(4, 4, 1))
        free, total = drv.mem_get_info()
        self.assertLessEqual(free, total)

    def test_structs_with_pointers(self):
        module = SourceModule("""
struct DoubleOperation {
  int datalen, __padding;
  float *ptr;
};
__global__ void double_array(DoubleOperation *a)
{
  a = a + blockIdx.x;
  for (int idx = threadIdx.x; idx < a->datalen; idx += blockDim.x)
    a->ptr[idx] *= 2;
}
""")
        size = 8 + np.intp(0).nbytes

        class DoubleOpStruct:
            def __init__(self, array, struct_arr_ptr):
                self.data = drv.to_device(array)
                self.shape, self.dtype = array.shape, array.dtype
                drv.memcpy_htod(int(struct_arr_ptr), np.int32(array.size).tobytes())
                drv.memcpy_htod(int(struct_arr_ptr) + 8, np.intp(int(self.data)).tobytes())

            def values(self):
                return drv.from_device(self.data, self.shape, self.dtype)

        struct_arr = drv.mem_alloc(2 * size)
        first = DoubleOpStruct(np.array([1, 2, 3], np.float32), struct_arr)
        second = DoubleOpStruct(np.array([0, 4], np.float32), int(struct_arr) + size)
        func = module.get_function("double_array")
        func(struct_arr, block=(32, 1, 1), grid=(2, 1))
        func(np.intp(int(struct_arr) + size), block=(32, 1, 1), grid=(1, 1))
        np.testing.assert_array_equal(first.values(), [2, 4, 6])
        np.testing.assert_array_equal(second.values(), [0, 16])

    def test_streams_and_page_locked_memory(self):
        stream, n = drv.Stream(), 1000
        host = drv.pagelocked_empty(n, np.float32)
        host[:] = np.arange(n)
        memory = drv.mem_alloc(host.nbytes)
        func = SourceModule("__global__ void add_one(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }").get_function("add_one")
        drv.memcpy_htod_async(memory, host, stream)
        func(memory, np.int32(n), block=(128, 1, 1), grid=(8, 1), stream=stream)
        drv.memcpy_dtoh_async(host, memory, stream)
        stream.synchronize()
        self.assertTrue(stream.is_done())
        np.testing.assert_array_equal(host, np.arange(n) + 1)

    def test_complex_numbers(self):
        module = SourceModule("""
#include <pycuda-complex.hpp>
typedef pycuda::complex<float> number;
__global__ void turn(number *z, float *out) {
  const int i = threadIdx.x;
  out[i] = pycuda::abs(z[i]) + z[i].real() + imag(z[i]);
  z[i] = z[i] * conj(z[i]) + pycuda::exp(number(0, 1));
}
""")
        z = np.array([1 + 2j, 3 - 1j], np.complex64)
        turned, out = z.copy(), np.zeros(2, np.float32)
        module.get_function("turn")(drv.InOut(turned), drv.Out(out), block=(2, 1, 1))
        np.testing.assert_allclose(turned, z * z.conj() + np.exp(1j), 1e-6)
        np.testing.assert_allclose(out, abs(z) + z.real + z.imag, 1e-6)

    def test_what_is_not_there(self):
        for name, words in (("matrix_to_array", "no textures"), ("mem_alloc_pitch", "no pitched memory"), ("IPCMemoryHandle", "no memory of other processes")):
            with self.assertRaisesRegex(AttributeError, f"has no '{name}', and {words}"):
                getattr(drv, name)
        self.assertFalse(hasattr(drv, "matrix_to_array"))
        module = SourceModule("__global__ void nothing() {}")
        for method in (module.get_texref, module.get_surfref):
            with self.assertRaisesRegex(NotImplementedError, "'image': textures and surfaces are not there"):
                method("image")

    def test_constants(self):
        module = SourceModule("""
__constant__ float factors[2];
__global__ void scale_all(float *x) { x[threadIdx.x] *= factors[threadIdx.x]; }
""")
        factors, size = module.get_global("factors")
        self.assertEqual(size, 8)
        drv.memcpy_htod(factors, np.array([2, 3], np.float32))
        x = np.ones(2, np.float32)
        module.get_function("scale_all")(drv.InOut(x), block=(2, 1, 1))
        np.testing.assert_array_equal(x, [2, 3])

    def test_devices(self):
        device = drv.Device(0)
        self.assertEqual(drv.Device.count(), npcc._npcc.cuda_device_count())
        self.assertIsInstance(device.name(), str)
        self.assertEqual(len(device.compute_capability()), 2)
        self.assertGreater(device.total_memory(), 0)
        context = device.make_context()
        context.push()
        context.pop()
        context.detach()
        with self.assertRaisesRegex(drv.LogicError, "no CUDA device 99"):
            drv.Device(99)

    def test_what_a_device_has(self):
        device = drv.Device(0)
        attribute = drv.device_attribute.MAX_THREADS_PER_BLOCK
        self.assertEqual((device.get_attribute(attribute), device.max_threads_per_block, device.get_attributes()[attribute]), (1024, 1024, 1024))
        self.assertRegex(device.pci_bus_id(), r"^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.0$")
        with self.assertRaises(AttributeError):
            device.number_of_wheels

    def test_tools(self):
        from npcc.pycuda import tools
        context = tools.make_default_context()
        self.assertEqual(context.get_device().name(), drv.Device(0).name())
        context.pop()
        memory = tools.DeviceMemoryPool().allocate(64)
        host = tools.PageLockedMemoryPool().allocate((4, 4), np.float32)
        host[...] = 3
        drv.memcpy_htod(memory, host)
        self.check(drv.from_device(memory, (4, 4), np.float32), host)
        self.assertEqual((tools.dtype_to_ctype(np.int64), tools.dtype_to_ctype(np.float32)), ("long long", "float"))
        with self.assertRaisesRegex(ValueError, "unable to map dtype 'datetime64'"):
            tools.dtype_to_ctype("M8")
        device = tools.DeviceData()
        device.warps_per_mp, device.registers, device.shared_memory, device.thread_blocks_per_mp = 64, 65536, 48 << 10, 32
        record = tools.OccupancyRecord(device, 256, shared_mem=16 << 10, registers=32)
        self.assertEqual((record.tb_per_mp, record.warps_per_mp, record.occupancy, record.limited_by), (3, 24, 24 / 64, "shared memory"))
        with self.assertRaisesRegex(ValueError, "too many threads"):
            tools.OccupancyRecord(device, 2048)

    def test_random_numbers(self):
        from npcc.pycuda import curandom
        for dtype in (np.float32, np.float64):
            numbers = curandom.rand((50, 40), dtype).get()
            self.assertEqual((numbers.shape, numbers.dtype), ((50, 40), dtype))
            self.assertTrue(0 <= numbers.min() < 0.05 and 0.95 < numbers.max() < 1 and abs(numbers.mean() - 0.5) < 0.05)
        for dtype in (np.int32, np.uint32, np.int64, np.uint64):
            numbers = curandom.rand(1000, dtype).get()
            self.assertGreater(len(np.unique(numbers)), 990)
            self.assertEqual(bool((numbers < 0).any()), np.issubdtype(dtype, np.signedinteger))

        def seeds(count):
            return gpuarray.to_gpu(np.arange(count, dtype=np.int32))

        for made in (curandom.XORWOWRandomNumberGenerator, curandom.Philox4_32_10RandomNumberGenerator):
            first, second = made(seeds), made(seeds)
            normal = first.gen_normal(2000, np.float32).get()
            self.check(second.gen_normal(2000, np.float32).get(), normal)
            self.assertTrue(abs(normal.mean()) < 0.1 and abs(normal.std() - 1) < 0.1)
        filled = gpuarray.zeros((3, 5), np.float64)
        first.fill_uniform(filled)
        self.assertGreater(filled.get().min(), 0)
        counts = first.gen_poisson(500, np.int32, 4).get()
        self.assertTrue(3 < counts.mean() < 5)
        self.assertGreater(first.gen_log_normal(100, np.float64, 0, 1).get().min(), 0)
        with self.assertRaisesRegex(TypeError, "normal numbers are no int32"):
            first.gen_normal(3, np.int32)

    def test_scans(self):
        from npcc.pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel
        inclusive, greatest = InclusiveScanKernel(np.int64, "a+b"), InclusiveScanKernel(np.float32, "fmaxf(a, b)", name_prefix="greatest")
        exclusive = ExclusiveScanKernel(np.int32, "a+b", neutral=0)
        for count in (0, 1, 7, 8, 9, 100, 2048, 2049, 5000):
            values = np.random.default_rng(count).integers(-100, 100, count)
            array = gpuarray.to_gpu(values)
            self.assertIs(inclusive(array), array)
            self.check(array.get(), np.cumsum(values))
            out = gpuarray.zeros(count, np.float32)
            greatest(gpuarray.to_gpu(values.astype(np.float32)), out)
            self.check(out.get(), np.maximum.accumulate(values.astype(np.float32)) if count else out.get())
            array = exclusive(gpuarray.to_gpu(values.astype(np.int32)))
            self.check(array.get(), (np.cumsum(values) - values).astype(np.int32))
        with self.assertRaisesRegex(TypeError, "an array of int32 on the GPU, not float32"):
            exclusive(out)
        with self.assertRaisesRegex(ValueError, "neutral element is required"):
            ExclusiveScanKernel(np.int32, "a+b")

    def test_modules_from_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernels.ptx"
            kernel = npcc.RawModule(code='extern "C" __global__ void one(int *x) { x[threadIdx.x] = 1; }')
            path.write_bytes(PTX.encode())
            kernel.compile()
            func = drv.module_from_file(str(path)).get_function("store_seven")
            x = np.zeros(4, np.int32)
            func(drv.Out(x), block=(4, 1, 1))
        np.testing.assert_array_equal(x, 7)

    def test_gpuarray(self):
        a = np.random.default_rng(2).standard_normal((4, 4)).astype(np.float32)
        a_gpu = gpuarray.to_gpu(a)
        doubled = (2 * a_gpu).get()
        self.assertEqual(doubled.dtype, np.float32)
        np.testing.assert_array_equal(doubled, 2 * a)
        np.testing.assert_allclose((a_gpu + a_gpu / 3 - 1).get(), a + a / 3 - 1, rtol=1e-6)
        np.testing.assert_allclose((1 - a_gpu**2).get(), 1 - a**2, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal((-a_gpu).get(), -a)
        np.testing.assert_array_equal(abs(a_gpu).get(), np.abs(a))
        np.testing.assert_array_equal((a_gpu > 0).get(), a > 0)
        np.testing.assert_array_equal(a_gpu[1:3, ::2].get(), a[1:3, ::2])
        np.testing.assert_array_equal(a_gpu.T.get(), a.T)
        np.testing.assert_array_equal(a_gpu.astype(np.float64).get(), a.astype(np.float64))
        np.testing.assert_array_equal(a_gpu.reshape(2, 8).get(), a.reshape(2, 8))
        b_gpu = gpuarray.zeros_like(a_gpu)
        b_gpu += a_gpu
        b_gpu *= 3
        b_gpu[0] = 1
        expected = a * 3
        expected[0] = 1
        np.testing.assert_array_equal(b_gpu.get(), expected)
        self.assertEqual((b_gpu.shape, b_gpu.dtype, b_gpu.size, b_gpu.nbytes), (a.shape, a.dtype, a.size, a.nbytes))
        self.assertAlmostEqual(float(gpuarray.sum(a_gpu).get()), float(a.sum()), places=4)
        self.assertAlmostEqual(float(gpuarray.dot(a_gpu, a_gpu).get()), float((a * a).sum()), places=4)
        self.assertEqual(float(gpuarray.max(a_gpu).get()), float(a.max()))
        np.testing.assert_array_equal(gpuarray.maximum(a_gpu, b_gpu).get(), np.maximum(a, expected))
        np.testing.assert_allclose(cumath.exp(a_gpu).get(), np.exp(a), rtol=1e-6)
        np.testing.assert_allclose(a_gpu.mul_add(2, b_gpu, 3).get(), 2 * a + 3 * expected, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(gpuarray.arange(5, dtype=np.int32).get(), np.arange(5, dtype=np.int32))
        np.testing.assert_array_equal(gpuarray.take(gpuarray.to_gpu(np.arange(10.0)), gpuarray.to_gpu(np.array([3, 1]))).get(), [3.0, 1.0])
        func = SourceModule("__global__ void negate(float *x) { x[threadIdx.x] = -x[threadIdx.x]; }").get_function("negate")
        func(a_gpu, block=(16, 1, 1))
        func(b_gpu.gpudata, block=(16, 1, 1))
        np.testing.assert_array_equal(a_gpu.get(), -a)
        np.testing.assert_array_equal(b_gpu.get(), -expected)

    def test_elementwise_kernels(self):
        x, y = np.random.default_rng(3).standard_normal((2, 5000)).astype(np.float32)
        x_gpu, y_gpu, z_gpu = gpuarray.to_gpu(x), gpuarray.to_gpu(y), gpuarray.empty(5000, np.float32)
        lin_comb = ElementwiseKernel("float a, float *x, float b, float *y, float *z", "z[i] = my_f(a * x[i], b * y[i])", "lin_comb",
                                     preamble="__device__ float my_f(float x, float y) { return x + y; }")
        lin_comb(5, x_gpu, 6, y_gpu, z_gpu)
        np.testing.assert_allclose(z_gpu.get(), 5 * x + 6 * y, rtol=1e-4, atol=1e-5)
        fill = ElementwiseKernel("float *z", "z[i] = i", "fill")
        z_gpu.fill(-1)
        fill(z_gpu, range=slice(10, 20, 3))
        expected = np.full(5000, -1, np.float32)
        expected[10:20:3] = [10, 13, 16, 19]
        np.testing.assert_array_equal(z_gpu.get(), expected)
        with self.assertRaisesRegex(TypeError, "kernel 'fill' takes 1 arguments, not 2"):
            fill(z_gpu, z_gpu)

    def test_reduction_kernels(self):
        a, b = np.arange(4000, dtype=np.float32) / 100, np.ones(4000, np.float32)
        product = ReductionKernel(np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="float *x, float *y")
        result = product(gpuarray.to_gpu(a), gpuarray.to_gpu(b)).get()
        self.assertEqual((result.shape, result.dtype), ((), np.float32))
        np.testing.assert_allclose(result, a.sum(), rtol=1e-5)
        largest = ReductionKernel(np.float32, neutral="-1e30f", reduce_expr="fmaxf(a, b)")
        self.assertEqual(float(largest(gpuarray.to_gpu(a[::-1].copy())).get()), a.max())


PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry store_seven(.param .u64 p)
{
  .reg .u64 %rd<4>;
  .reg .u32 %r<3>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r2, 7;
  st.global.u32 [%rd3], %r2;
  ret;
}
"""

if __name__ == "__main__":
    unittest.main()
