"""RawKernel and RawModule: launches, arguments of every kind, attributes, globals, templates, files, errors."""
import ctypes
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import npcc
from own_kernels import OnGpu, OnlyDlpack, OtherLibrary, on_gpu, subprocess_environment, uses_fake_driver

AXPY = r"""
extern "C" __global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
"""
MODULE = r"""
struct Settings { int count; double step; float weights[3]; };
__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter;
template <typename T> __global__ void fill(T *x, Settings s) {
  for (int i = threadIdx.x; i < s.count; i += blockDim.x)
    x[i] = T(s.step * s.weights[i % 3] + table[i & 3] + counter);
}
extern "C" __global__ void places(int *out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}
extern "C" __global__ void mirror(const float *in, float *out) {
  extern __shared__ float line[];
  line[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
__global__ void plain(long long *out) { atomicAdd((unsigned long long *)out, 1ull); }
"""
SETTINGS = np.dtype([("count", np.int32), ("step", np.float64), ("weights", np.float32, 3)], align=True)


class RawKernels(OnGpu):
    def setUp(self):
        self.axpy = npcc.RawKernel(AXPY, "axpy")
        self.x, self.y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)

    def test_launch(self):
        before = npcc.counters()["launches"]
        x, y = on_gpu(self.x), on_gpu(self.y)
        self.axpy((4,), (32,), (np.float32(2), x, y, np.int32(100)))
        self.axpy(4, 32, (2, x, y, 100))  # Python's numbers become what is declared
        self.axpy([4, 1], [32, 1, 1], [2.0, x, y, 50], shared_mem=0, stream=None)
        expected = 4 * self.x + 1
        expected[:50] += 2 * self.x[:50]
        self.check(y, expected)
        self.assertEqual(npcc.counters()["launches"] - before, 3)

    def test_between_compiled_functions(self):
        @npcc.jit(target="cuda")
        def double(a):
            return a * 2

        x, y = on_gpu(self.x), on_gpu(self.y)
        for _ in range(20):
            y = double(y)
            self.axpy(4, 32, (1.0, x, y, 100))
            del x  # its memory is reused while the kernel may still run
            x = double(on_gpu(self.x))
        expected, factor = self.y, 1
        for k in range(20):
            expected = expected * 2 + self.x * np.float32(factor)
            factor = 2
        self.check(y, expected)

    def test_views_start_where_they_start(self):
        x, y = on_gpu(self.x), on_gpu(self.y)
        self.axpy(1, 32, (1.0, x[40:], y[10:], 5))
        expected = self.y.copy()
        expected[10:15] += self.x[40:45]
        self.check(y, expected)

    def test_grids_and_blocks(self):
        places = npcc.RawModule(code=MODULE).get_function("places")
        for grid, block in (((3,), (4,)), ((2, 3), (4, 2)), ((2, 3, 2), (2, 2, 3)), (5, 1)):
            blocks, threads = int(np.prod(grid)), int(np.prod(block))
            out = npcc.zeros(blocks * threads, np.int32, device="cuda")
            places(grid, block, (out,))
            self.check(out, (np.arange(blocks)[:, None] * 1000 + np.arange(threads)).astype(np.int32).ravel())

    def test_an_empty_grid_launches_nothing(self):
        y = on_gpu(self.y)
        self.axpy(0, 32, (1.0, y, y, 100))
        self.check(y, self.y)

    def test_dynamic_shared_memory(self):
        mirror, values = npcc.RawModule(code=MODULE).get_function("mirror"), np.arange(64, dtype=np.float32)
        out = npcc.empty(64, np.float32, device="cuda")
        mirror(1, 64, (on_gpu(values), out), shared_mem=64 * 4)
        self.check(out, values[::-1])
        with self.assertRaisesRegex(ValueError, "kernel 'mirror': 60000 bytes of shared memory .* set max_dynamic_shared_size_bytes"):
            mirror(1, 64, (on_gpu(values), out), shared_mem=60000)
        mirror.max_dynamic_shared_size_bytes = 60000
        self.assertEqual(mirror.max_dynamic_shared_size_bytes, 60000)
        mirror(1, 64, (on_gpu(values[::-1].copy()), out), 60000)
        self.check(out, values)

    def test_structs_globals_and_templates(self):
        module = npcc.RawModule(code=MODULE, name_expressions=["fill<float>", "fill<double>", "fill<int>"])
        settings = np.zeros((), SETTINGS)
        settings["count"], settings["step"], settings["weights"] = 10, 2.5, [1, 2, 4]
        module.get_global("counter").view(np.int32, ())[...] = 5
        self.check(module.get_global("table").view(np.float32), np.arange(1, 5, dtype=np.float32))
        expected = [2.5 * [1, 2, 4][k % 3] + k % 4 + 1 + 5 for k in range(10)]

        class Settings(ctypes.Structure):
            _fields_ = [("count", ctypes.c_int), ("step", ctypes.c_double), ("weights", ctypes.c_float * 3)]

        for struct in (settings[()], Settings(10, 2.5, (1, 2, 4)), settings.tobytes()):
            for name in ("float32", "float64", "int32"):
                fill = module.get_function({"float32": "fill<float>", "float64": "fill<double>", "int32": "fill<int>"}[name])
                out = npcc.zeros(10, name, device="cuda")
                fill(1, 4, (out, struct))
                self.check(out, np.array(expected).astype(name))

    def test_functions_of_cpp_are_found_by_their_names(self):
        out = npcc.zeros((), np.int64, device="cuda")
        npcc.RawModule(code=MODULE).get_function("plain")(2, 8, (out,))
        npcc.RawKernel(MODULE, "plain")(1, 1, (out,))
        self.assertEqual(out.item(), 17)

    def test_attributes(self):
        attributes = npcc.RawModule(code=MODULE).get_function("mirror").attributes
        self.assertEqual(set(attributes), set(npcc.kernels.raw.ATTRIBUTES))
        self.assertGreater(attributes["num_regs"], 0)
        self.assertGreaterEqual(attributes["max_threads_per_block"], 64)
        shared = npcc.RawKernel("""extern "C" __global__ void f(float *x) {
            __shared__ float s[100]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[99 - threadIdx.x]; }""", "f")
        self.assertEqual(shared.shared_size_bytes, 400)
        self.assertGreater(shared.num_regs, 0)

    def test_arrays_of_other_libraries(self):
        x, y = on_gpu(self.x), on_gpu(self.y)
        stream = npcc.cuda.stream()
        for wrap in (lambda a: OtherLibrary(a, int(stream)), lambda a: OtherLibrary(a, 1), lambda a: OtherLibrary(a, None), lambda a: OtherLibrary(a, version=2),
                     OnlyDlpack):
            before = y.get()
            self.axpy(4, 32, (1.0, wrap(x), wrap(y), 100))
            npcc.synchronize()
            self.check(y, before + self.x)

    def test_dlpack_gets_the_stream_of_the_launch(self):
        x, y, stream = OnlyDlpack(on_gpu(self.x)), on_gpu(self.y), npcc.cuda.stream()
        with npcc.stream(stream):
            self.axpy(4, 32, (1.0, x, y, 100))
        self.assertEqual(x.streams, [int(stream)])
        self.check(y, self.x + 1)

    def test_mapped_and_managed_memory(self):
        for make in (npcc.cuda.mapped_array, npcc.cuda.managed_array):
            host = make(100, np.float32)
            host[:] = self.y
            self.axpy(4, 32, (2.0, on_gpu(self.x), host, 100))
            npcc.synchronize()
            self.check(host, 2 * self.x + 1)
            self.axpy(4, 32, (1.0, on_gpu(self.x), host[50:], 50))  # a view of it
            npcc.synchronize()
            self.check(host[50:], 2 * self.x[50:] + 1 + self.x[:50])

    def test_addresses_and_null(self):
        kernel = npcc.RawKernel('extern "C" __global__ void f(int *x, float *nothing) { if (!nothing) x[0] = 7; }', "f")
        for give in (lambda a: a.ptr, lambda a: npcc.kernels.raw.GlobalVariable(a.ptr, 4, 0, a)):
            x = npcc.zeros(1, np.int32, device="cuda")
            kernel(1, 1, (give(x), None))
            self.assertEqual(x.tolist(), [7])

    def test_many_arguments(self):
        names = [f"a{k}" for k in range(40)]
        text = 'extern "C" __global__ void f(long long *out, %s) { *out = %s; }' % (", ".join(f"short {n}" for n in names), " + ".join(names))
        out = npcc.zeros((), np.int64, device="cuda")
        npcc.RawKernel(text, "f")(1, 1, (out, *range(40)))
        self.assertEqual(out.item(), sum(range(40)))

    def test_files(self):
        source = npcc.kernels.images.Source(AXPY, ("--gpu-architecture=compute_80",))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "axpy.ptx")
            path.write_bytes(source.image().data.rstrip(b"\0"))
            paths = [path]
            if not uses_fake_driver():  # which has no machine code
                path = Path(folder, "axpy.cubin")
                path.write_bytes(npcc.kernels.images.Source(AXPY, (f"--gpu-architecture=sm_{npcc.devices()[1]['capability']}",)).image().data)
                paths.append(path)
            for path in paths:
                x, y = on_gpu(self.x), on_gpu(self.y)
                kernel = npcc.RawModule(path=path).get_function("axpy")
                kernel(4, 32, (np.float32(2), x, y, np.int32(100)))
                kernel(4, 32, (np.float32(2), x, y, 100))
                self.check(y, 4 * self.x + 1)
                with self.assertRaisesRegex(TypeError, "kernel 'axpy': argument 1 has 4 bytes, float64 has 8: pass a NumPy scalar"):
                    kernel(4, 32, (2.0, x, y, 100))
                with self.assertRaisesRegex(TypeError, "kernel 'axpy' has 4 parameters, 3 arguments were given"):
                    kernel(4, 32, (np.float32(2), x, y))

    def test_cooperative_launch(self):
        kernel = npcc.RawKernel('extern "C" __global__ void f(int *x) { atomicAdd(x, 1); }', "f", enable_cooperative_groups=True)
        x = npcc.zeros(1, np.int32, device="cuda")
        kernel(4, 32, (x,))
        self.assertEqual(x.tolist(), [128])


class Errors(OnGpu):
    def refused(self, error, text, *call, **keywords):
        with self.assertRaisesRegex(error, text):
            npcc.RawKernel(AXPY, "axpy")(*call, **keywords)

    def test_arguments(self):
        x = npcc.ones(10, np.float32, device="cuda")
        for error, text, arguments in (
                (TypeError, r"kernel 'axpy': argument 2 \(const float \*x\) is an array of float64", (1.0, npcc.ones(3, device="cuda"), x, 3)),
                (TypeError, r"kernel 'axpy': argument 2 \(const float \*x\) is an array of int32", (1.0, npcc.ones(3, np.int32, "cuda"), x, 3)),
                (TypeError, r"kernel 'axpy': argument 1 \(float a\) is np.float64\(2.0\)", (np.float64(2), x, x, 3)),
                (TypeError, r"kernel 'axpy': argument 4 \(int n\) is 3.0", (1.0, x, x, 3.0)),
                (TypeError, r"kernel 'axpy': argument 1 \(float a\) is an array of float32", (x, x, x, 3)),
                (OverflowError, r"kernel 'axpy': argument 4 \(int n\) cannot hold 4294967296", (1.0, x, x, 2**32)),
                (TypeError, "kernel 'axpy': argument 2 is a NumPy array, which is in the host's memory", (1.0, np.ones(3, np.float32), x, 3)),
                (TypeError, "kernel 'axpy': argument 3 is an array on the CPU", (1.0, x, npcc.ones(3, np.float32, "cpu"), 3)),
                (TypeError, "kernel 'axpy': argument 4 has the type <class 'str'>", (1.0, x, x, "3")),
                (TypeError, "kernel 'axpy' has 4 parameters, 2 arguments were given", (1.0, x))):
            self.refused(error, text, 1, 32, arguments)

    def test_shapes(self):
        x = npcc.ones(10, np.float32, device="cuda")
        arguments = (1.0, x, x, 10)
        self.refused(ValueError, r"kernel 'axpy': block \(2048, 1, 1\): axis 0 has 1 to 1024 threads", 1, 2048, arguments)
        self.refused(ValueError, r"kernel 'axpy': block \(32, 32, 2\) is 2048 threads; a block of this kernel has at most", 1, (32, 32, 2), arguments)
        self.refused(ValueError, r"kernel 'axpy': block \(0, 1, 1\)", 1, 0, arguments)
        self.refused(ValueError, r"kernel 'axpy': grid \(1, 70000, 1\): axis 1 has 0 to 65535 blocks", (1, 70000), 32, arguments)
        self.refused(ValueError, "kernel 'axpy': 10000000 bytes of shared memory", 1, 32, arguments, shared_mem=10**7)
        self.refused(TypeError, "kernel 'axpy': grid is an integer or a tuple", "4", 32, arguments)
        self.refused(TypeError, "kernel 'axpy': block is an integer or a tuple", 1, (1, 1, 1, 1), arguments)
        self.refused(TypeError, "args is missing", 1, 32)
        self.refused(TypeError, "unexpected keyword argument 'threads'", 1, 32, arguments, threads=3)
        self.refused(TypeError, "is no CUDA stream", 1, 32, arguments, stream="default")

    def test_names(self):
        with self.assertRaisesRegex(ValueError, "there is no kernel 'axpi'; the kernels here are: axpy"):
            npcc.RawKernel(AXPY, "axpi")(1, 1, ())
        with self.assertRaisesRegex(ValueError, "there is no global variable 'axpy'"):
            npcc.RawModule(code=AXPY).get_global("axpy")

    def test_an_illegal_address_ends_the_context_but_not_the_process(self):
        program = """
import sys, numpy as np, npcc
x = npcc.zeros(4, np.float32, device="cuda")
stray = npcc.RawKernel('extern "C" __global__ void stray(float *x) { x[threadIdx.x] = 1; }', "stray")
stray(1, 1, (None,))
for attempt in (npcc.synchronize, x.get, lambda: stray(1, 1, (x,))):
    try:
        attempt()
    except RuntimeError as error:
        print(error)
    else:
        sys.exit("no error")
del x
print("went on")
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=subprocess_environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 4, done.stdout)
        for line in lines[:3]:
            self.assertIn("CUDA_ERROR_ILLEGAL_ADDRESS", line)
            self.assertIn("'stray'", line)
            self.assertIn("the CUDA context of this process is lost", line)
        self.assertEqual(lines[3], "went on")


if __name__ == "__main__":
    unittest.main()
