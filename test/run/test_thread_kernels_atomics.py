"""Thread-level kernels: updates of elements in one step."""
import unittest

import numpy as np

from npcc import cuda
from kernels_of_threads import FLOATS, INTEGERS, Kernels, kernel


class Atomics(Kernels):
    def test_numbers(self):
        @kernel
        def update(x, out):
            i = cuda.grid(1)
            if i < x.size:
                cuda.atomic.add(out, 0, x[i])
                cuda.atomic.max(out, 1, x[i])
                cuda.atomic.min(out, (2,), x[i])
                cuda.atomic.sub(out, 3, x[i])
                cuda.atomic.exch(out, 4, 3)
                cuda.atomic.cas(out, 5, 0, 17)
                cuda.atomic.nanmax(out, 6, x[i])
                cuda.atomic.nanmin(out, -1, x[i])

        for dtype in [*INTEGERS, *FLOATS]:
            with self.subTest(dtype=dtype):
                x = np.arange(1, 1001).astype(dtype)
                out = np.array([0, 0, 500, x.sum(), 0, 0, 0, 500]).astype(dtype)
                update[8, 128](x, out)
                self.check(out, np.array([x.sum(), 1000, 1, 0, 3, 17, 1000, 1]))

    def test_bits(self):
        @kernel
        def update(out):
            cuda.atomic.and_(out, 0, 12)
            cuda.atomic.or_(out, 1, 12)
            cuda.atomic.xor(out, 2, 12)
            cuda.atomic.inc(out, 3, 5)
            cuda.atomic.dec(out, 4, 5)
            cuda.atomic.inc(out, 5, 5)

        for dtype in INTEGERS:
            with self.subTest(dtype=dtype):
                out = np.array([10, 1, 10, 0, 0, 5], dtype)
                update[1, 1](out)
                self.check(out, [8, 13, 6, 1, 5, 0])

    def test_results_are_the_old_values(self):
        @kernel
        def take(counter, out):
            out[cuda.atomic.add(counter, 0, 1)] += 1

        counter, out = np.zeros(1, np.int64), np.zeros(256)
        take[2, 128](counter, out)
        self.check(out, np.ones(256))

    def test_numbers_that_are_none(self):
        @kernel
        def largest(x, out):
            cuda.atomic.nanmax(out, 0, x[cuda.threadIdx.x])
            cuda.atomic.nanmin(out, 1, x[cuda.threadIdx.x])
            cuda.atomic.max(out, 2, x[cuda.threadIdx.x])
            cuda.atomic.min(out, 3, x[cuda.threadIdx.x])

        for dtype in FLOATS:
            out = np.array([np.nan, 9, np.nan, 9], dtype)
            largest[1, 4](np.array([2, np.nan, 3, 1], dtype), out)
            self.check(out, [3, 1, np.nan, 1])

    def test_shared_memory_and_more_axes(self):
        @kernel
        def histogram(x, out):
            counts = cuda.shared.array((2, 4), np.int32)
            t = cuda.threadIdx.x
            if t < 8:
                counts[t // 4, t % 4] = 0
            cuda.syncthreads()
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                cuda.atomic.add(counts, (x[i] // 4, x[i] % 4), 1)
            cuda.syncthreads()
            if t < 8:
                cuda.atomic.add(out, (t // 4, t % 4), counts[t // 4, t % 4])

        x = np.random.default_rng(0).integers(0, 8, 3000)
        out = np.zeros((2, 4), np.int64)
        histogram[4, 64](x, out)
        self.check(out.ravel(), np.bincount(x, minlength=8))

    def test_lock(self):
        @kernel
        def count(lock, out):
            if cuda.threadIdx.x == 0:
                while cuda.atomic.compare_and_swap(lock, 0, 1) != 0:
                    pass
                out[0] += 1
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)

        out = np.zeros(1)
        count[50, 32](np.zeros(1, np.int32), out)
        self.check(out, [50])

    def test_errors(self):
        @kernel
        def wrong(x):
            cuda.atomic.add(x, 0, 1)

        @kernel
        def bits(x):
            cuda.atomic.xor(x, 0, 1)

        @kernel
        def row(x):
            cuda.atomic.add(x, 0, 1)

        for one, x, words in ((wrong, np.zeros(3, np.complex128), "atomic.add of an array of complex128"), (wrong, np.zeros(3, bool), "of bool"),
                              (bits, np.zeros(3), "atomic.xor of an array of float64"), (row, np.zeros((2, 2)), "names one element")):
            with self.assertRaisesRegex(Exception, words):
                one[1, 1](x)


if __name__ == "__main__":
    unittest.main()
