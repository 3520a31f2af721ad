"""Thread-level kernels for the target "debug": races of threads."""
import unittest

import numpy as np

from npcc import cuda

THREADS = 64


def checked(function, launch, *arguments):
    cuda.jit(function, target="debug")[launch](*arguments)


class Races(unittest.TestCase):
    def race(self, words, function, launch, *arguments):
        with self.assertRaisesRegex(RuntimeError, f"kernel '{function.__name__}': a race: {words}, with no barrier between"):
            checked(function, launch, *arguments)

    def test_a_missing_barrier(self):
        def total(x, out, waits):
            part = cuda.shared.array(THREADS, np.float64)
            t = cuda.threadIdx.x
            part[t] = x[cuda.grid(1)]
            if waits:
                cuda.syncthreads()
            n = THREADS // 2
            while n > 0:
                if t < n:
                    part[t] += part[t + n]
                cuda.syncthreads()
                n //= 2
            if t == 0:
                cuda.atomic.add(out, 0, part[0])

        x, out = np.arange(256.0), np.zeros(1)
        checked(total, (4, THREADS), x, out, True)
        self.assertEqual(out[0], x.sum())
        self.race(r"thread \(32, 0, 0\) of block \(0, 0, 0\) writes an element that thread \(0, 0, 0\) of block \(0, 0, 0\) reads at line \d+", total,
                  (4, THREADS), x, out, False)

    def test_threads_that_write_one_element(self):
        def last(x, out):
            out[0] = x[cuda.grid(1)]

        for launch, other in (((1, 2), r"thread \(1, 0, 0\) of block \(0, 0, 0\)"), ((2, 1), r"thread \(0, 0, 0\) of block \(1, 0, 0\)")):
            self.race(other + r" writes an element that thread \(0, 0, 0\) of block \(0, 0, 0\) writes at line \d+", last, launch, np.ones(4), np.zeros(1))

    def test_atomics_race_with_plain_accesses_only(self):
        def count(out, looks):
            cuda.atomic.add(out, 0, 1)
            if looks:
                out[1] += out[0]

        out = np.zeros(2, np.int64)
        checked(count, (3, 32), out, False)
        self.assertEqual(out[0], 96)
        self.race(r"thread \(1, 0, 0\) .* updates an element that .* reads at line \d+", count, (1, 32), out, True)

    def test_records_of_a_thread(self):
        pair = np.dtype([("a", "f4", 2), ("b", "i8")])

        def through(memory):
            def sums(x):
                pairs = memory.array(1, pair)
                t = cuda.threadIdx.x
                pairs[0].a[1] = t
                pairs[0]["b"] = 2 * t
                x[t] = pairs[0].a[1] + pairs[0].b
            return sums

        x = np.zeros(4)
        checked(through(cuda.local), (1, 4), x)
        self.assertEqual(x.tolist(), [0, 3, 6, 9])
        self.race(r"thread \(1, 0, 0\) of block .* writes an element that thread \(0, 0, 0\) of block .* at line \d+", through(cuda.shared), (1, 4), x)

    def test_neighbours(self):
        def smooth(x, out, twice):
            i = cuda.grid(1)
            if 0 < i < x.size - 1:
                out[i] = x[i - 1] + x[i + 1]
                if twice:
                    x[i] = out[i]

        checked(smooth, (2, 16), np.ones(32), np.zeros(32), False)
        self.race(".*", smooth, (2, 16), np.ones(32), np.zeros(32), True)

    def test_lanes_of_a_warp(self):
        def reverse(x, out, waits):
            part = cuda.shared.array(32, np.float64)
            t = cuda.threadIdx.x
            part[t] = x[t]
            if waits:
                cuda.syncwarp()
            out[t] = part[31 - t]

        checked(reverse, (1, 32), np.ones(32), np.zeros(32), True)
        with self.assertRaisesRegex(RuntimeError, "a race"):
            checked(reverse, (1, 32), np.ones(32), np.zeros(32), False)

    def test_fences(self):
        def total(x, parts, count, out):
            b = cuda.blockIdx.x
            parts[b] = x[b]
            cuda.threadfence()
            if cuda.atomic.add(count, 0, 1) == parts.size - 1:
                sum = 0.0
                for k in range(parts.size):
                    sum += parts[k]
                out[0] = sum

        out = np.zeros(1)
        checked(total, (8, 1), np.arange(8.0), np.zeros(8), np.zeros(1, np.int32), out)
        self.assertEqual(out[0], 28)

    def test_barriers_of_the_grid(self):
        def exchange(x):
            i = cuda.grid(1)
            mine = x[x.size - 1 - i]
            cuda.cg.this_grid().sync()
            x[i] = mine

        x = np.arange(64.0)
        checked(exchange, (4, 16), x)
        np.testing.assert_array_equal(x, np.arange(64.0)[::-1])

    def test_memory_of_threads_and_of_bytes(self):
        def own(out, records):
            mine = cuda.local.array(4, np.float64)
            i = cuda.grid(1)
            mine[0] = i
            out[i] = mine[0] > 3  # bytes side by side
            records[i].b = i

        out, records = np.zeros(32, bool), np.zeros(32, [("a", "i1"), ("b", "i4")])
        checked(own, (2, 16), out, records)
        np.testing.assert_array_equal(records["b"], np.arange(32))

    def test_complex_numbers(self):
        weights = np.array([1 + 2j, 3 - 1j], np.complex64)

        def weigh(x, out):
            w = cuda.const.array_like(weights)
            part = cuda.shared.array(2, np.complex64)
            i = cuda.threadIdx.x
            part[i] = x[i] * w[i]
            cuda.syncthreads()
            out[i] = part[1 - i]

        x, out = np.array([1j, 2 + 1j]), np.zeros(2, np.complex128)
        checked(weigh, (1, 2), x, out)
        np.testing.assert_array_equal(out, (x * weights)[::-1])


if __name__ == "__main__":
    unittest.main()
