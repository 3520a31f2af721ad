"""Thread-level kernels: branches and loops, with threads that go different ways, and functions of numbers."""
import math
import operator
import unittest

import numpy as np

from npcc import cuda, f32
from kernels_of_threads import FLOATS, Kernels, kernel


@cuda.jit(device=True)
def escape(x, y, most):
    c = complex(x, y)
    z = 0.0j
    for i in range(most):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return i
    return most


class ControlFlow(Kernels):
    def test_loops(self):
        @kernel
        def count(out, n):
            i = cuda.grid(1)
            if i >= out.shape[0]:
                return
            total = 0
            for j in range(n):
                if j == 7:
                    break
                if j % 2:
                    continue
                total += j * i
            steps = 0
            while True:
                steps += 1
                if steps > i:
                    break
            out[i] = total + steps

        out = np.zeros(10, np.int32)
        count[2, 8](out, 10)
        self.check(out, [12 * i + i + 1 for i in range(10)])

    def test_views_that_branches_bind(self):
        @kernel
        def sums(a, chosen, out):
            i = cuda.grid(1)
            total = 0.0
            for j in range(a.shape[0]):
                if chosen[j]:
                    row = a[j]
                total += row[i]
            out[i] = total

        a = np.arange(12.0).reshape(4, 3)
        for array in (a, a[::-1, ::-1], a.T.copy().T):
            out = np.zeros(3)
            sums[1, 3](array, np.array([True, False, True, False]), out)
            self.check(out, 2 * (array[0] + array[2]))

    def test_mandelbrot(self):
        @kernel
        def mandelbrot(low, high, image, most):
            width, height = image.shape[1], image.shape[0]
            step_x, step_y = (high[0] - low[0]) / width, (high[1] - low[1]) / height
            start_x, start_y = cuda.grid(2)
            for x in range(start_x, width, cuda.gridsize(2)[0]):
                for y in range(start_y, height, cuda.gridsize(2)[1]):
                    image[y, x] = escape(low[0] + x * step_x, low[1] + y * step_y, most)

        image = np.zeros((24, 36), np.uint8)
        mandelbrot[(2, 2), (8, 4)]((-2.0, -1.0), (1.0, 1.0), image, 20)
        self.check(image, [[escape.py_func(-2 + x * (3 / 36), -1 + y * (2 / 24), 20) for x in range(36)] for y in range(24)])

    def test_barriers_in_loops(self):
        @kernel
        def diffuse(x, steps):
            line = cuda.shared.array(66, f32)
            t = cuda.threadIdx.x
            line[t + 1] = x[t]
            if t == 0:
                line[0] = line[65] = 0
            for step in range(steps):
                cuda.syncthreads()
                value = (line[t] + line[t + 2]) / 2
                cuda.syncthreads()
                if step % 2 == 0 or t % 2 == 0:
                    line[t + 1] = value
            x[t] = line[t + 1]

        x = np.random.default_rng(0).random(64, np.float32)
        expected = np.pad(x, 1)
        for step in range(7):
            value = (expected[:-2] + expected[2:]) / 2
            chosen = np.ones(64, bool) if step % 2 == 0 else np.arange(64) % 2 == 0
            expected[1:-1][chosen] = value[chosen]
        diffuse[1, 64](x, 7)
        self.check(x, expected[1:-1], 1e-6)

    def test_barriers_in_branches(self):
        """Each thread meets as many barriers, at different places."""
        @kernel
        def branches(x):
            memory = cuda.shared.array(32, f32)
            t = cuda.threadIdx.x
            if t % 2:
                memory[t] = x[t]
                cuda.syncthreads()
                x[t] = memory[t - 1]
            else:
                memory[t] = -x[t]
                cuda.syncthreads()
                x[t] = memory[t + 1]

        x = np.arange(32, dtype=np.float32)
        branches[1, 32](x)
        self.check(x, [-(t - 1) if t % 2 else t + 1 for t in range(32)])

    def test_names_of_several_types(self):
        @kernel
        def mixed(x, out):
            i = cuda.grid(1)
            total = 0
            for j in range(i):
                total += x[j]
            value = 1 if i % 2 else 2.5
            out[i] = total + value

        x, out = np.arange(8.0), np.zeros(8)
        mixed[1, 8](x, out)
        self.check(out, [x[:i].sum() + (1 if i % 2 else 2.5) for i in range(8)])

    def test_known_conditions(self):
        @kernel
        def fill(x, weights):
            i = cuda.grid(1)
            if i < x.shape[0]:
                if weights is not None:
                    x[i] *= weights[i]
                if x.ndim == 1:
                    x[i] += 1

        x = np.ones(4)
        fill[1, 4](x, None)
        fill[1, 4](x, np.arange(4.0))
        self.check(x, 2 * np.arange(4) + 1)


class Numbers(Kernels):
    def test_functions(self):
        @kernel
        def compute(x, out):
            i = cuda.grid(1)
            if i < x.size:
                v = x[i]
                out[i, 0] = math.sqrt(v) + math.sin(v) * math.exp(-v) + math.log(v) + math.pow(v, 2) + math.hypot(v, 1)
                out[i, 1] = abs(-v) + max(v, 0.5) + min(v, 0.5) + round(v) + np.sin(v) + v ** 0.5
                out[i, 2] = float(int(v)) + v // 0.3 + v % 0.3 + np.float32(v) + operator.add(v, 1) + math.floor(v)

        for dtype in FLOATS:
            x = np.linspace(0.15, 3, 50).astype(dtype)
            out = np.zeros((50, 3), dtype)
            compute[2, 32](x, out)
            expected = [np.sqrt(x) + np.sin(x) * np.exp(-x) + np.log(x) + x**2 + np.hypot(x, 1),
                        x + np.maximum(x, 0.5) + np.minimum(x, 0.5) + np.round(x) + np.sin(x) + x**0.5,
                        x.astype(int) + x // dtype(0.3) + x % dtype(0.3) + x.astype(np.float32) + x + 1 + np.floor(x)]
            self.check(out, np.stack(expected, -1), 1e-5 if dtype == np.float32 else 1e-7)

    def test_math_of_float32_is_float32(self):
        """As in Numba's kernels; elsewhere Python's math gives a Python float."""
        @kernel
        def compute(x, out):
            out[0] = math.sqrt(x[0]) * np.float32(1)

        self.assertIn("math.sqrt", compute.inspect("kernels", "float32[:], float64[:]", "cpu"))
        out = np.zeros(1)
        compute[1, 1](np.array([2], np.float32), out)
        self.check(out, [np.sqrt(np.float32(2))])

    def test_integers(self):
        @kernel
        def divide(x, out):
            i = cuda.grid(1)
            v = x[i]
            out[i, 0] = v // 3
            out[i, 1] = v % 3
            out[i, 2] = v >> 1
            out[i, 3] = (v << 2) & ~5 | 1
            out[i, 4] = i // 3 * 10 + i % 3

        x = np.arange(-5, 5, dtype=np.int32)
        out = np.zeros((10, 5), np.int64)
        divide[1, 10](x, out)
        i = np.arange(10)
        self.check(out, np.stack([x // 3, x % 3, x >> 1, (x << 2) & ~5 | 1, i // 3 * 10 + i % 3], -1))

    def test_loops_carry_rows(self):
        @kernel
        def largest(x, out):
            best = x[cuda.grid(1)]
            for k in range(x.shape[0]):
                if x[k, 0] > best[0]:
                    best = x[k]
            out[cuda.grid(1)] = best[1]

        x = np.array([[1.0, 10], [5, 50], [3, 30]])
        for array in (x, x[:, ::-1][:, ::-1], np.asfortranarray(x)):
            out = np.zeros(3)
            largest[1, 3](array, out)
            self.check(out, [50.0] * 3)

    def test_whole_arrays(self):
        @kernel
        def compute(x, y, out):
            np.add(x, y, out)
            out *= 2
            out[0] = np.sqrt(out[1])

        x = np.arange(6.0).reshape(2, 3)
        for left, right in ((x, x + 1), (x, x[0]), (np.asfortranarray(x), 2.0), (x.T.copy().T, x)):
            out = np.zeros((2, 3))
            compute[1, 1](left, right, out)
            expected = (left + right) * 2
            expected[0] = np.sqrt(expected[1])
            self.check(out, expected)

    def test_fastmath(self):
        @kernel(fastmath=True)
        def compute(x):
            i = cuda.grid(1)
            x[i] = math.sin(x[i]) / (x[i] + 1)

        x = np.linspace(0, 3, 32, dtype=np.float32)
        expected = np.sin(x) / (x + 1)
        compute[1, 32](x)
        self.check(x, expected, 1e-4)


if __name__ == "__main__":
    unittest.main()
