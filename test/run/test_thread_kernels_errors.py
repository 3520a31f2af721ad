"""Thread-level kernels: what is refused, with the kernel's name and the line where there is one."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import npcc
from harness import TARGET
from npcc import cuda, f32, f64
from kernels_of_threads import Kernels, kernel
from own_kernels import subprocess_environment


@kernel
def store(x):
    x[cuda.grid(1)] = 1


class Launches(Kernels):
    def test_shapes(self):
        x = np.zeros(3)
        for configuration, words in (((1, 2048), "1024"), ((1, (1, 1, 65)), "65"), ((-1, 3), "-1"), ((1, 0), "0"), (((1, 70000), 1), "70000"),
                                     ((1, (32, 32, 2)), "32"), ((1, 1, 0, 300000), "300000")):
            with self.subTest(configuration), self.assertRaisesRegex(ValueError, f"kernel 'store'.*{words}"):
                store[configuration](x)
        with self.assertRaisesRegex(ValueError, r"griddim must be a sequence of 1, 2 or 3 integers, got \[1, 1, 1, 1\]"):
            store[(1, 1, 1, 1), 1]
        with self.assertRaisesRegex(TypeError, r"blockdim must be a sequence of integers, got \[2.0\]"):
            store[1, 2.0]
        with self.assertRaisesRegex(ValueError, r"launched as store\[blocks, threads\]"):
            store[1]

    def test_calls(self):
        x = np.zeros(3)
        with self.assertRaisesRegex(ValueError, "kernel 'store': launch configuration was not specified"):
            store(x)
        with self.assertRaisesRegex(TypeError, "too many positional arguments"):
            store[1, 1](x, 2)
        with self.assertRaisesRegex(TypeError, "missing a required argument: 'x'"):
            store[1, 1]()

    def test_arguments(self):
        for argument, words in ((np.array(["a", None]), "kernel 'store': npcc does not support arrays of dtype"), ([1, 2], "kernel 'store': a list cannot be")):
            with self.assertRaisesRegex(TypeError, words):
                store[1, 1](argument)
        with self.assertRaisesRegex(TypeError, r"kernel 'store' takes its arguments by position, not by name \(x\)"):
            store[1, 1](x=np.zeros(3))

    def test_declared_types(self):
        @kernel(["void(float32[:], float32, float64)", "void(float32[:], float64, float32)", "void(float32[:], int64, int64)"])
        def store_sum(x, a, b):
            x[0] = a + b

        x = np.zeros(1, np.float32)
        store_sum[1, 1](x, 1, 2)
        self.check(x, [3])
        store_sum[1, 1](x, np.float32(2), 2.5)
        self.check(x, [4.5])
        with self.assertRaisesRegex(TypeError, "Ambiguous overloading for kernel 'store_sum' .*float32, float64.* and .*float64, float32"):
            store_sum[1, 1](x, 1.0, 2.0)
        with self.assertRaisesRegex(TypeError, r"No matching definition: kernel 'store_sum' .* called with \(float64\[:\], int, int\)"):
            store_sum[1, 1](np.zeros(1), 1, 2)
        with self.assertRaisesRegex(TypeError, "No matching definition"):
            kernel("void(int64[:], int64)")(lambda x, n: None)[1, 1](np.zeros(1, int), 2j)

    def test_names_of_types(self):
        """Those that Numba and C have besides NumPy's, from the package and from npcc.types."""
        from npcc import boolean, double, intp, types
        self.assertEqual((types.float64, types.int32, types.boolean, types.intc, types.none), (double, npcc.int32, npcc.bool_, npcc.int32, npcc.void))

        @kernel(types.void(types.float64[:], boolean, intp))
        def add_if(x, flag, n):
            if flag:
                x[0] += n

        x = np.zeros(1)
        add_if[1, 1](x, True, 2)
        add_if[1, 1](x, False, 3)
        self.check(x, [2])
        with self.assertRaisesRegex(AttributeError, "module 'npcc.types' has no attribute 'float46'"):
            types.float46
        with self.assertRaisesRegex(AttributeError, "module 'npcc' has no attribute 'f8'"):  # i8 has 64 bits there
            npcc.f8

    def test_device_functions(self):
        @cuda.jit(device=True)
        def f(x):
            return x

        with self.assertRaisesRegex(RuntimeError, "'f' is a device function"):
            f[1, 1](1)
        with self.assertRaisesRegex(RuntimeError, "'f' is a device function"):
            f(1)
        with self.assertRaisesRegex(RuntimeError, "cuda.grid is for functions of threads"):
            cuda.grid(1)

    def test_read_only(self):
        x = np.zeros(3)
        x.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            store[1, 1](x)


class Compilation(Kernels):
    def refuse(self, function, words, *arguments):
        with self.assertRaisesRegex(npcc.CompileError, words):
            kernel(function)[1, 1](*arguments)

    def test_whole_arrays(self):
        def new(x):
            y = x * 2
            x[0] = y[0]

        def total(x):
            x[0] = x.sum()

        self.refuse(new, "a thread cannot make an array", np.zeros(3))
        self.refuse(total, "a thread cannot", np.zeros(3))

    def test_recursion(self):
        def outer(x):
            def inner(n):
                return inner(n - 1) if n > 0 else 0
            x[0] = inner(x[0])

        self.refuse(outer, "recursion cannot be compiled: 'inner' calls itself", np.zeros(3))

    def test_results(self):
        def gives(x):
            return x[0]

        self.refuse(gives, "a kernel returns nothing", np.zeros(3))

    def test_memory(self):
        def large(x):
            memory = cuda.shared.array((128, 128), f64)
            memory[0, 0] = 1
            x[0] = memory[0, 0]

        def unknown(x):
            memory = cuda.shared.array(int(x[1]), f32)
            x[0] = memory[0]

        def local(x):
            memory = cuda.local.array(1 << 20, f32)
            x[0] = memory[0]

        self.refuse(large, "kernel 'large' declares 131072 bytes of shared memory: a block has 49152", np.zeros(3))
        self.refuse(unknown, "shape of shared.array must be known at compile time", np.zeros(3))
        self.refuse(local, "local.array of 4194304 bytes", np.zeros(3))

    def test_outside_of_kernels(self):
        @npcc.jit(target=TARGET)
        def f(x):
            return x + cuda.threadIdx.x

        with self.assertRaisesRegex((npcc.CompileError, RuntimeError), "cuda.threadIdx.x is for functions of threads"):
            f(np.zeros(3))
        with self.assertRaisesRegex(RuntimeError, "cuda.threadIdx.x is for functions of threads"):
            range(cuda.threadIdx.x)

    def test_wrong_calls(self):
        def grid(x):
            x[cuda.grid(4)] = 1

        def barrier(x):
            cuda.syncthreads(1)

        def shuffle(x):
            x[0] = cuda.shfl_sync(-1, x[0])

        self.refuse(grid, r"cuda.grid\(ndim\): ndim is 1, 2 or 3", np.zeros(3))
        self.refuse(barrier, "takes no arguments", np.zeros(3))
        self.refuse(shuffle, "missing its argument 'lane'", np.zeros(3))


class Running(Kernels):
    def test_bounds(self):
        @kernel(debug=True)
        def fill(x):
            x[cuda.grid(1)] = 1

        x = np.zeros(10)
        fill[1, 10](x)
        with self.assertRaisesRegex(IndexError, "index 10 is out of bounds for axis 0 with size 10") as raised:
            fill[1, 11](x)
            if TARGET == "cuda":
                npcc.synchronize()
        self.assertTrue(raised.exception)

    def test_assertions(self):
        @kernel(debug=True)
        def divide(x, n):
            assert n < 3, "too many"
            x[0] = 1 // n

        x = np.zeros(1)
        divide[1, 1](x, 1)
        for n, error, words in ((3, AssertionError, "too many"), (0, ZeroDivisionError, "division")):
            with self.assertRaisesRegex(error, words):
                divide[1, 1](x, n)
                if TARGET == "cuda":
                    npcc.synchronize()

    def test_extents_that_do_not_meet(self):
        @kernel(debug=True)
        def put(a, b):
            a[:] = b

        @kernel(debug=True)
        def plus(a, b, r):
            np.add(a, b, r)

        def run(launched, *arguments):
            launched[1, 1](*arguments)
            if TARGET == "cuda":
                npcc.synchronize()

        x = np.zeros((2, 3))
        run(put, x, np.arange(3.0))
        self.check(x, [[0, 1, 2]] * 2)
        run(plus, x, np.full((2, 1), 5.0), x)
        self.check(x, [[5, 6, 7]] * 2)
        for words, launched, arguments in (
                (r"could not broadcast input array from shape \(4,\) into shape \(3,\)", put, (np.zeros(3), np.ones(4))),
                (r"could not broadcast input array from shape \(4,\) into shape \(2,3\)", put, (np.zeros((2, 3)), np.ones(4))),
                (r"operands could not be broadcast together with shapes \(3,\) \(4,\) ", plus, (np.ones(3), np.ones(4), np.zeros(3))),
                ("could not broadcast|could not be broadcast together", plus, (np.ones((2, 3)), np.ones((2, 2)), x))):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                run(launched, *arguments)
        self.check(x, [[5, 6, 7]] * 2)

    @unittest.skipUnless(TARGET == "cuda", "on a GPU alone the process goes on")
    def test_an_illegal_address_ends_the_context_but_not_the_process(self):
        program = """
import sys, numpy as np, npcc
from npcc import cuda

@cuda.jit
def wander(x, far):
    x[cuda.grid(1) + far] = 1

x = cuda.to_device(np.zeros(4, np.float32))
wander[1, 4](x, (64 - x.__cuda_array_interface__["data"][0]) // 4 - x.size)  # counts from the end: the address 64
for attempt in (npcc.synchronize, x.copy_to_host, lambda: wander[1, 4](x, 0)):
    try:
        attempt()
    except RuntimeError as error:
        print(error)
    else:
        sys.exit("no error")
del x
print("went on")
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(program)
            done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=subprocess_environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 4, done.stdout)
        for line in lines[:3]:
            self.assertIn("CUDA_ERROR_ILLEGAL_ADDRESS", line)
            self.assertRegex(line, r"own kernels that were launched last: 'wander' \(\S*program.py:6\)")
            self.assertIn("the CUDA context of this process is lost", line)
        self.assertEqual(lines[3], "went on")

    @unittest.skipIf(TARGET == "cuda", "a GPU would hang")
    def test_threads_that_wait_for_ever(self):
        @kernel
        def wait(x):
            if cuda.threadIdx.x < 3:
                cuda.syncthreads()
            else:
                cuda.syncwarp(0b1111)

        with self.assertRaisesRegex(RuntimeError, "kernel 'wait': the threads of a block wait at different places"):
            wait[1, 6](np.zeros(3))


if __name__ == "__main__":
    unittest.main()
