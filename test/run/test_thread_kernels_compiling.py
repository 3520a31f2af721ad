"""Code of thread-level kernels that is not launched where it is made: PTX of kernels and functions, linked code, attributes, extensions."""
import tempfile
import unittest
from pathlib import Path

import numpy as np

import npcc
from harness import TARGET
from npcc import cuda, float32, int32, int64, void
from npcc.threads import attributes
from own_kernels import nvrtc_is_missing, uses_fake_driver
from kernels_of_threads import Kernels, kernel, on_real_gpu

LINKED = r"""
extern "C" __device__ int npcc_test_twice(int *result, int x) { *result = 2 * x; return 0; }
extern "C" __device__ int npcc_test_mean(float *result, float x, double y) { *result = (x + y) / 2; return 0; }
"""


def add(x, y):
    return x + y


def shifted(out, x, y):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y


def has_ptxas():
    return attributes.tool("ptxas") is not None


class Functions(Kernels):
    def test_c_abi(self):
        ptx, result = cuda.compile(add, int32(int32, int32), device=True)
        self.assertRegex(ptx, r"\.visible \.func\s+\(\.param \.b32 func_retval0\) add\(\s+\.param \.b32 add_param_0,\s+\.param \.b32 add_param_1\s+\)")
        self.assertEqual(result, int32)
        ptx, result = cuda.compile(add, (npcc.int16, npcc.float64), device=True, abi_info=dict(abi_name="_Z3addsd"))
        self.assertRegex(ptx, r"\(\.param \.b64 func_retval0\) _Z3addsd\(\s+\.param \.b32 _Z3addsd_param_0,\s+\.param \.b64 _Z3addsd_param_1\s+\)")
        self.assertEqual(result, npcc.float64)

    def test_results(self):
        def positive(x):
            return x > 0

        def turned(x):
            return x * 1j

        def nothing(x):
            pass

        def place():
            return cuda.threadIdx.x

        def pair(x):
            return x, x

        for function, types, expected in ((positive, (float32,), npcc.bool_), (turned, (npcc.float64,), npcc.complex128), (nothing, (float32,), void),
                                          (place, (), int64)):
            self.assertEqual(cuda.compile(function, types, device=True)[1], expected)
        self.assertEqual(cuda.compile(add, "float32(float64, float64)", device=True)[1], float32)  # as it is declared
        with self.assertRaisesRegex(npcc.CompileError, "a number is wanted"):
            cuda.compile(pair, (float32,), device=True)

    def test_numba_abi(self):
        ptx, result = cuda.compile_ptx(add, (float32, float32), device=True)
        self.assertRegex(ptx, r"\(\.param \.b32 func_retval0\) add\(\s+\.param \.b64 add_param_0,\s+\.param \.b32 add_param_1,\s+\.param \.b32 add_param_2\s+\)")
        self.assertIn("st.param.b32 \t[func_retval0], 0", ptx)
        self.assertEqual(result, float32)

    def test_branches_and_arrays(self):
        def largest(x, low):
            best = low
            for i in range(x.size):
                if x[i] > best:
                    best = x[i]
            return best

        ptx, result = cuda.compile(largest, (float32[:], float32), device=True)
        self.assertRegex(ptx, r"largest\(\s+\.param \.b64 largest_param_0,\s+\.param \.b64 largest_param_1,\s+\.param \.b32 largest_param_2\s+\)")
        self.assertEqual(result, float32)

    def test_kernels_keep_their_parameters(self):
        def second(unused, x):
            x[0] = 1

        ptx, result = cuda.compile(second, "void(float64, int64[:])")
        self.assertRegex(ptx, r"(?s)\.visible \.entry second\(.*second_param_0.*second_param_1.*second_param_2\s*\)")
        self.assertNotIn("second_param_3", ptx)
        self.assertIn("st.global.b64", ptx)  # at once: int64 lies at multiples of eight bytes
        self.assertEqual(result, void)

    def test_accesses_side_by_side(self):
        def gather(x, out):
            block, own = cuda.shared.array(128, float32), cuda.local.array(4, float32)
            t = cuda.threadIdx.x
            block[t] = x[t]
            cuda.syncthreads()
            for i in range(4):
                own[i] = block[t % 32 * 4 + i]
            for i in range(4):
                out[t, 3 - i] = own[i] * own[0]

        ptx, _ = cuda.compile(gather, "void(float32[:], float32[:,:])")
        self.assertIn("ld.shared.v4", ptx)
        self.assertNotIn(".local", ptx)  # loops of few rounds are unrolled, so that own arrays are registers

    def test_names_of_symbols(self):
        from npcc.kernels import symbols
        self.assertEqual([symbols.demangled(name) for name in ("f", "_Z1fIfEvPT_", "i")], ["f", "void f<float>(float*)", "i"])

    def test_lines(self):
        for options, section in ((dict(lineinfo=True), ".loc"), (dict(debug=True), ".debug_info")):
            ptx, _ = cuda.compile(shifted, "void(float32[:], float32[:], float32)", **options)
            self.assertRegex(ptx, r"\.file.*test_thread_kernels_compiling\.py")
            self.assertIn(section, ptx)
        ptx, _ = cuda.compile(shifted, "void(float32[:], float32[:], float32)")
        self.assertNotIn(".loc", ptx)

    def test_errors(self):
        for words, error, call in (
                ("must have void return type", TypeError, lambda: cuda.compile(add, (int32, int32))),
                ("must have void return type", TypeError, lambda: cuda.compile(shifted, "int32(float32[:], float32[:], float32)")),
                ("C ABI is not supported for kernels", NotImplementedError, lambda: cuda.compile(add, (int32, int32), abi="c")),
                ("Unsupported ABI: fastcall", NotImplementedError, lambda: cuda.compile(add, (int32, int32), device=True, abi="fastcall")),
                ("Unsupported output type: elf", NotImplementedError, lambda: cuda.compile(add, (int32, int32), device=True, output="elf")),
                ("ltoir. LTO-IR is made by NVIDIA", NotImplementedError, lambda: cuda.compile(add, (int32, int32), device=True, output="ltoir"))):
            with self.assertRaisesRegex(error, words):
                call()

    @unittest.skipUnless(TARGET == "cuda", "code for a GPU")
    def test_kernel_in_another_module(self):
        ptx, _ = cuda.compile_for_current_device(shifted, "void(float32[:], float32[:], float32)")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "shifted.ptx")
            path.write_text(ptx)
            if uses_fake_driver():
                return
            x, out = (cuda.to_device(np.arange(10, dtype=np.float32)) for _ in range(2))
            npcc.RawModule(path=str(path)).get_function("shifted")(1, 32, (out, 10, x, 10, np.float32(2)))
            self.check(out.copy_to_host(), np.arange(10) + 2)


class Linked(Kernels):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = Path(self.folder.name, "linked.cu")
        self.source.write_text(LINKED)

    def test_declarations(self):
        for sig in (int32(float32[:]), "int32(float32[:])"):
            declared = cuda.declare_device("f1", sig)
            self.assertEqual(declared.name, "f1")
            self.assertEqual(declared.sig.return_type, int32)
            self.assertEqual(declared.sig.args, (float32[:],))
        for sig in ((float32[:],), "(float32[:],)"):
            with self.assertRaisesRegex(TypeError, "Return type must be provided"):
                cuda.declare_device("f1", sig)
        with self.assertRaisesRegex(RuntimeError, "'f1' is a function of linked code"):
            declared(1)

    def test_files(self):
        for name, words in (("data", "no extension"), ("header.cuh", "extension .cuh"), ("code.cubin", "is machine code"), ("code.ltoir", "NVIDIA's linker")):
            with self.assertRaisesRegex(RuntimeError, f"Don't know how to link file with .*{words}"):
                cuda.jit(link=[name])(shifted)
        with self.assertRaisesRegex(FileNotFoundError, "nowhere.ptx not found"):
            cuda.jit(link="nowhere.ptx")(shifted)

    @unittest.skipIf(nvrtc_is_missing(), "NVRTC is missing")
    def test_cuda_c(self):
        twice, mean = cuda.declare_device("npcc_test_twice", "int32(int32)"), cuda.declare_device("npcc_test_mean", "float32(float32, float64)")

        @cuda.jit(link=[self.source], target="cuda")
        def both(x, y):
            i = cuda.grid(1)
            if i < x.size:
                x[i] = twice(x[i])
                y[i] = mean(y[i], 1.0)

        ptx = both.inspect("ptx", "int32[:], float32[:]")
        self.assertRegex(ptx, r"\.visible \.func .*npcc_test_twice")
        self.assertNotIn(".extern .func", ptx.replace("vprintf", ""))
        if has_ptxas():
            self.assertGreater(both.get_regs_per_thread((int32[:], float32[:])), 0)
        if TARGET == "cuda" and not uses_fake_driver():
            x, y = np.arange(5, dtype=np.int32), np.arange(5, dtype=np.float32)
            both[1, 32](x, y)
            self.check(x, np.arange(5) * 2)
            self.check(y, (np.arange(5) + 1) / 2)

    @unittest.skipIf(nvrtc_is_missing(), "NVRTC is missing")
    def test_wrong_cuda_c(self):
        self.source.write_text('extern "C" __device__ int f(int *out) {\n  SYNTAX ERROR\n}\n')
        wrong = cuda.jit(link=self.source, target="cuda")(shifted)
        with self.assertRaisesRegex(npcc.CompileError, 'identifier "SYNTAX" is undefined'):
            wrong.inspect("ptx", "float32[:], float32[:], float32")

    def test_on_the_cpu(self):
        twice = cuda.declare_device("npcc_test_twice", "int32(int32)")

        @cuda.jit(target="cpu")
        def doubled(x):
            x[0] = twice(x[0])

        with self.assertRaisesRegex(npcc.CompileError, "'npcc_test_twice' is a function of another compiler's code for GPUs, which the CPU does not run"):
            doubled[1, 1](np.zeros(1, np.int32))


@on_real_gpu("machine code")
@unittest.skipUnless(has_ptxas() or TARGET == "cuda", "neither ptxas nor a GPU says what code needs")
class Attributes(Kernels):
    def test_memory(self):
        numbers = np.arange(20, dtype=np.float64)

        @cuda.jit(target="cuda" if TARGET == "cuda" else "cpu")
        def both(x, k):
            own, block, constants = cuda.local.array(1000, float32), cuda.shared.array(100, x.dtype), cuda.const.array_like(numbers)
            t = cuda.threadIdx.x
            for i in range(k):
                own[i] = x[i]
            block[t] = own[k - t]
            cuda.syncthreads()
            x[t] = block[99 - t] + constants[t]

        self.assertEqual(both.get_regs_per_thread(), {})
        types = (float32[:], int64)
        self.assertEqual(both.get_shared_mem_per_block(types), 400)
        self.assertEqual(both.get_shared_mem_per_block("float64[:], int64"), 800)
        self.assertGreaterEqual(both.get_local_mem_per_thread(types), 4000)
        self.assertGreaterEqual(both.get_const_mem_size(types), numbers.nbytes)
        self.assertGreater(both.get_regs_per_thread(types), 0)
        self.assertEqual(both.get_max_threads_per_block(types) % 32, 0)

    def test_by_types(self):
        @kernel("void(float32[:])")
        def one(x):
            x[cuda.grid(1)] = 1

        self.assertIsInstance(one.get_regs_per_thread(), int)
        self.assertFalse(one.overloads[float32[:],].cooperative)
        several = kernel(shifted)
        x = np.zeros(3, np.float32)
        several[1, 32](x, x, 1.5)
        several[1, 32](x.astype(np.float64), x, 2)
        found = several.get_regs_per_thread()
        self.assertEqual(len(found), 2)
        self.assertEqual(found[float32[:], float32[:], npcc.float64], several.get_regs_per_thread("float32[:], float32[:], float64"))

    def test_blocks_side_by_side(self):
        @kernel("void(float32[:])")
        def meeting(x):
            x[cuda.grid(1)] = 1
            cuda.cg.this_grid().sync()

        code = meeting.overloads[float32[:],]
        self.assertTrue(code.cooperative)
        blocks = code.max_cooperative_grid_blocks(256)
        self.assertGreater(blocks, 0)
        self.assertEqual(blocks, code.max_cooperative_grid_blocks((16, 4, 4)))

    def test_device_functions(self):
        with self.assertRaisesRegex(RuntimeError, "Cannot inspect SASS of a device function"):
            cuda.jit(device=True)(add).inspect_sass()
        with self.assertRaisesRegex(RuntimeError, "Cannot get the CFG of a device function"):
            cuda.jit(device=True)(add).inspect_sass_cfg()

    @unittest.skipUnless(attributes.tool("nvdisasm") and attributes.tool("ptxas"), "no CUDA toolkit")
    def test_machine_code(self):
        stored = cuda.jit("void(float32[:], float32[:], float32)", target="cuda", lineinfo=True)(shifted)
        self.assertRegex(stored.inspect_sass(), r'\.text\.npcc_shifted(.|\n)*//## File ".*test_thread_kernels_compiling.py", line \d+(.|\n)*EXIT')
        self.assertRegex(stored.inspect_sass_cfg(), r"digraph \w+ {(.|\n)*npcc_shifted(.|\n)*\n}")


@unittest.skipUnless(TARGET == "cuda", "a GPU's")
class Occupancy(Kernels):
    def test_shares_of_a_multiprocessor(self):
        @kernel
        def store(x):
            x[cuda.grid(1)] = 1

        with self.assertRaisesRegex(ValueError, "store has not been compiled yet"):
            store.occupancy(128)
        store[1, 8](np.zeros(8))
        for share in (store.occupancy(128), store.occupancy((16, 8)), store.occupancy(256, "float64[:]"), store.occupancy(1024, dynsmemsize=40000)):
            self.assertTrue(0 < share <= 1, share)
        self.assertEqual(store.occupancy(128), store.occupancy((16, 8)))


class Extensions(Kernels):
    def test_arguments(self):
        class Box:
            def __init__(self, array):
                self.array = array

        class Unboxing:
            def prepare_args(self, kind, value, stream, retr):
                return (None, value.array) if isinstance(value, Box) else (kind, value)

        class OnlyIn:
            def prepare_args(self, kind, value, stream, retr):
                return kind, npcc.In(value) if isinstance(value, np.ndarray) else value

        @kernel(extensions=[Unboxing()])
        def fill(x, y):
            x[0] = y[0] = 3

        x, y = np.zeros(2), np.zeros(2)
        fill[1, 1](Box(x), y)
        self.check(x, [3, 0])
        fill.extensions.insert(0, OnlyIn())  # called last
        x[:] = y[:] = 0
        fill[1, 1](Box(x), y)
        self.check(np.stack([x, y]), np.zeros((2, 2)))


class ComplexNumbers(Kernels):
    @on_real_gpu("trigonometry")
    def test_polar(self):
        @kernel
        def parts(z, radius, angle, back, log):
            i = cuda.grid(1)
            import cmath
            radius[i], angle[i] = cmath.polar(z[i])
            back[i] = cmath.rect(radius[i], angle[i]) + cmath.phase(z[i])
            log[i] = cmath.log(z[i], 10)

        z = np.array([1 + 2j, -3 - 1j, 2j, -1 + 0j, 0.5 - 4j])
        radius, angle, back, log = np.zeros(5), np.zeros(5), np.zeros(5, complex), np.zeros(5, complex)
        parts[1, 5](z, radius, angle, back, log)
        self.check(radius, abs(z), 1e-12)
        self.check(angle, np.angle(z), 1e-12)
        self.check(back, z + np.angle(z), 1e-12)
        self.check(log, np.log(z) / np.log(10), 1e-12)


if __name__ == "__main__":
    unittest.main()
