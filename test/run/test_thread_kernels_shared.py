"""Thread-level kernels: memory of blocks, of threads, and of constants; barriers."""
import unittest

import numpy as np

import npcc
from npcc import cuda, f32, f64, i32
from kernels_of_threads import FLOATS, INTEGERS, Kernels, kernel, on_real_gpu

TILE = 8
WEIGHTS = np.array([[1.5, 2], [3, 4]], np.float32)
CHOICES = np.array([True, False, True])


class Shared(Kernels):
    def test_matrix_product(self):
        @kernel
        def product(a, b, c):
            tile_a = cuda.shared.array((TILE, TILE), f32)
            tile_b = cuda.shared.array(shape=(TILE, TILE), dtype=np.float32)
            j, i = cuda.grid(2)
            tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
            total = f32(0)
            for start in range(0, a.shape[1], TILE):
                tile_a[ty, tx] = a[i, start + tx] if i < a.shape[0] and start + tx < a.shape[1] else 0
                tile_b[ty, tx] = b[start + ty, j] if start + ty < b.shape[0] and j < b.shape[1] else 0
                cuda.syncthreads()
                for k in range(TILE):
                    total += tile_a[ty, k] * tile_b[k, tx]
                cuda.syncthreads()
            if i < c.shape[0] and j < c.shape[1]:
                c[i, j] = total

        random = np.random.default_rng(0)
        a, b = random.random((21, 30), np.float32), random.random((30, 18), np.float32)
        c = np.zeros((21, 18), np.float32)
        product[(3, 3), (TILE, TILE)](a, b, c)
        self.check(c, a @ b, 1e-5)

    def test_reduction(self):
        @kernel
        def total(x, out):
            part = cuda.shared.array(128, f64)
            t = cuda.threadIdx.x
            part[t] = 0
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                part[t] += x[i]
            cuda.syncthreads()
            n = cuda.blockDim.x // 2
            while n > 0:
                if t < n:
                    part[t] += part[t + n]
                cuda.syncthreads()
                n //= 2
            if t == 0:
                cuda.atomic.add(out, 0, part[0])

        x, out = np.arange(5000.0), np.zeros(1)
        total[5, 128](x, out)
        self.check(out, [x.sum()])

    def test_scan(self):
        @kernel
        def scan(x):
            part = cuda.shared.array((2, 64), i32)
            t = cuda.threadIdx.x
            now = 0
            part[now, t] = x[t]
            cuda.syncthreads()
            step = 1
            while step < cuda.blockDim.x:
                part[1 - now, t] = part[now, t] + (part[now, t - step] if t >= step else 0)
                now = 1 - now
                step *= 2
                cuda.syncthreads()
            x[t] = part[now, t]

        x = np.arange(50, dtype=np.int32)
        expected = np.cumsum(x)
        scan[1, 50](x)
        self.check(x, expected)

    def test_dynamic(self):
        for dtype in [*INTEGERS, *FLOATS, np.int8, np.complex128]:
            with self.subTest(dtype=dtype):
                @kernel
                def turn(x):
                    memory = cuda.shared.array(0, dtype)
                    t = cuda.threadIdx.x
                    memory[t] = x[t]
                    cuda.syncthreads()
                    x[t] = memory[memory.size - 1 - t]

                x = np.arange(40).astype(dtype)
                turn[1, 40, 0, 40 * x.itemsize](x)
                self.check(x, np.arange(40)[::-1].astype(dtype))

    def test_static_and_dynamic(self):
        @kernel
        def both(x):
            fixed, given = cuda.shared.array(3, f64), cuda.shared.array(0, f32)
            t = cuda.threadIdx.x
            if t < 3:
                fixed[t] = -1
            given[t] = t
            cuda.syncthreads()
            x[t] = fixed[t % 3] + given[t]

        x = np.zeros(32)
        both[1, 32, 0, 32 * 4](x)
        self.check(x, np.arange(32) - 1)

    def test_bool(self):
        @kernel
        def flags(x, out):
            seen = cuda.shared.array(4, np.bool_)
            t = cuda.threadIdx.x
            seen[t] = x[t] > 1
            cuda.syncthreads()
            out[t] = seen[3 - t]

        out = np.zeros(4, bool)
        flags[1, 4](np.arange(4), out)
        self.check(out, [True, True, False, False])


class Barriers(Kernels):
    def test_counts(self):
        @kernel
        def ask(x, out):
            t = cuda.threadIdx.x
            out[0, t] = cuda.syncthreads_count(x[t])
            out[1, t] = cuda.syncthreads_and(x[t])
            out[2, t] = cuda.syncthreads_or(x[t] > 5)

        for x in (np.ones(70, np.int32), np.arange(70, dtype=np.int32) - 3, np.zeros(70, np.int32)):
            out = np.zeros((3, 70), np.int32)
            ask[1, 70](x, out)
            self.check(out, np.stack([np.full(70, value) for value in (np.count_nonzero(x), x.all(), (x > 5).any())]))

    def test_threads_that_have_ended(self):
        @kernel
        def some(x):
            t = cuda.threadIdx.x
            if t >= 40:
                return
            cuda.syncthreads()
            x[t] = 1

        x = np.zeros(64)
        some[1, 64](x)
        self.check(x, np.arange(64) < 40)

    @on_real_gpu("blocks side by side")
    def test_whole_grid(self):
        @kernel
        def steps(x):
            column, grid = cuda.grid(1), cuda.cg.this_grid()
            for row in range(1, x.shape[0]):
                x[row, column] = x[row - 1, x.shape[1] - 1 - column] + 1
                grid.sync()

        x = np.zeros((20, 128), np.int32)
        steps[4, 32](x)
        self.check(x, np.repeat(np.arange(20)[:, None], 128, 1))

    def test_fences(self):
        @kernel
        def fences(x):
            x[0] += 1
            cuda.threadfence()
            cuda.threadfence_block()
            cuda.threadfence_system()
            x[0] += 1

        x = np.zeros(1)
        fences[1, 1](x)
        self.check(x, [2])


class Own(Kernels):
    def test_local(self):
        @kernel
        def turn(x, out):
            own = cuda.local.array((2, 2), f64)
            i = cuda.grid(1)
            if i < x.shape[0]:
                for j in range(4):
                    own[j // 2, j % 2] = x[i, j]
                for j in range(4):
                    out[i, j] = own[1 - j // 2, 1 - j % 2]

        x = np.arange(40.0).reshape(10, 4)
        out = np.zeros_like(x)
        turn[1, 32](x, out)
        self.check(out, x[:, ::-1])

    def test_large_local_arrays_beside_barriers(self):
        @kernel
        def fill(out):
            own = cuda.local.array(10000, f64)
            t = cuda.threadIdx.x
            for j in range(10000):
                own[j] = j * t
            cuda.syncthreads()
            out[t] = own[9999]

        out = np.zeros(64)
        fill[1, 64](out)
        self.check(out, 9999 * np.arange(64))

    def test_constants(self):
        @kernel
        def weigh(out):
            weights, choices = cuda.const.array_like(WEIGHTS), cuda.const.array_like(CHOICES)
            i = cuda.grid(1)
            if i < out.size:
                out[i] = weights[i // 2 % 2, i % 2] + choices[i % 3] * 10 + weights.shape[1]

        out = np.zeros(12)
        weigh[1, 32](out)
        self.check(out, np.resize(WEIGHTS, 12) + np.resize(CHOICES, 12) * 10 + 2)

    def test_arrays_that_a_kernel_names(self):
        numbers, large, steps = np.arange(6, dtype=np.int32).reshape(2, 3), np.arange(20000, dtype=np.int64), (0, 1, 0, -1, 2, 5)
        halves, flags = np.arange(4, dtype=np.float16) / 2, np.array([True, False, True])
        bits = (1.5, 2, 3, 4, 5)

        @cuda.jit(device=True)
        def total(values):
            result = 0
            for value in values:
                result += value
            return result

        @kernel
        def use(out):
            i = cuda.grid(1)
            if i < out.shape[0]:
                out[i, 0] = numbers[i % 2, i % 3] + numbers[i % 2][i % 3]
                out[i, 1] = steps[i % 6] + steps[-1 - i % 2]
                out[i, 2] = large[i * 100]
                out[i, 3] = total(numbers[i % 2])
                row = numbers[1]
                for k in range(3):
                    out[i, 4] += row[k] * numbers.shape[1]
                out[i, 5] = halves[i % 4] if flags[i % 3] else len(large)
                out[i, 6] = bits[i % 5]

        out = np.zeros((12, 7))
        use[1, 32](out)
        i = np.arange(12)
        picked = numbers[i % 2, i % 3]
        self.check(out, np.stack([2 * picked, np.array(steps)[i % 6] + np.array(steps)[-1 - i % 2], 100 * i, numbers.sum(1)[i % 2], np.full(12, 36),
                                  np.where(flags[i % 3], halves[i % 4], 20000), np.array(bits)[i % 5]], 1))

    def test_constants_are_not_stored_into(self):
        table, whole = np.arange(4), np.zeros(1)

        @kernel
        def through_a_view(out):
            part = table[1:]
            part[0] = 1
            out[0] = table[1]

        @kernel
        def of_a_copy(out):
            weights = cuda.const.array_like(WEIGHTS)
            cuda.atomic.add(weights, (0, 0), 1)
            out[0] = weights[0, 0]

        for wrong in (through_a_view, of_a_copy):
            with self.assertRaisesRegex((npcc.CompileError, ValueError), "assignment destination is read-only: it is a constant of the kernel"):
                wrong[1, 1](whole)

    def test_arrays_that_change_after_a_launch(self):
        table = np.arange(4.0)

        @kernel
        def read(out):
            out[cuda.grid(1)] = table[cuda.grid(1)]

        out = np.zeros(4)
        for k in range(3):
            table[k] += 10
            read[1, 4](out)
            self.check(out, table)


if __name__ == "__main__":
    unittest.main()
