"""Thread-level kernels: random numbers of threads."""
import math
import unittest

import numpy as np

from npcc import cuda
from npcc.threads import random as threads_random
from kernels_of_threads import Kernels, kernel

MASK = (1 << 64) - 1


class Generator:
    """xoroshiro128+ in Python's integers, as its authors define it."""

    def __init__(self, seed):
        z = (seed + 0x9E3779B97F4A7C15) & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        self.state = [z ^ z >> 31] * 2

    @staticmethod
    def rotate(x, k):
        return (x << k | x >> 64 - k) & MASK

    def next(self):
        s0, s1 = self.state
        result, s1 = (s0 + s1) & MASK, s1 ^ s0
        self.state = [self.rotate(s0, 55) ^ s1 ^ (s1 << 14 & MASK), self.rotate(s1, 36)]
        return result

    def jump(self):
        t0 = t1 = 0
        for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
            for bit in range(64):
                if word >> bit & 1:
                    t0, t1 = t0 ^ self.state[0], t1 ^ self.state[1]
                self.next()
        self.state = [t0, t1]


def states_of(n, seed, start=0):
    states = np.empty((n, 2), np.uint64)
    threads_random._fill(states, np.uint64(seed), start)
    return states.view(np.uint8).reshape(n, 16).view(threads_random.xoroshiro128p_dtype).reshape(n)


class Random(Kernels):
    def test_states(self):
        generator = Generator(7)
        expected = []
        for _ in range(5):
            expected.append(tuple(generator.state))
            generator.jump()
        self.assertEqual([tuple(map(int, s)) for s in states_of(5, 7)], expected)
        self.assertEqual([tuple(map(int, s)) for s in states_of(3, 7, 2)], expected[2:])

    def test_numbers_of_threads(self):
        @kernel
        def draw(states, bits, uniform):
            i = cuda.grid(1)
            if i < bits.shape[0]:
                for k in range(bits.shape[1]):
                    bits[i, k] = threads_random.xoroshiro128p_next(states, i)
                uniform[i] = threads_random.xoroshiro128p_uniform_float64(states, i)

        states, bits, uniform = states_of(4, 11), np.zeros((4, 3), np.uint64), np.zeros(4)
        draw[1, 4](states, bits, uniform)
        for thread in range(4):
            generator = Generator(11)
            for _ in range(thread):
                generator.jump()
            self.assertEqual([int(b) for b in bits[thread]], [generator.next() for _ in range(3)])
            self.assertEqual(uniform[thread], (generator.next() >> 11) * 2.0**-53)
            self.assertEqual(tuple(map(int, states[thread])), tuple(generator.state))

    def test_distributions(self):
        @kernel
        def draw(states, uniform, normal, narrow):
            i = cuda.grid(1)
            if i < uniform.shape[0]:
                for k in range(uniform.shape[1]):
                    uniform[i, k] = threads_random.xoroshiro128p_uniform_float32(states, i)
                    normal[i, k] = threads_random.xoroshiro128p_normal_float64(states, i)
                    narrow[i, k] = threads_random.xoroshiro128p_normal_float32(states, i)

        uniform, normal, narrow = np.zeros((64, 200), np.float32), np.zeros((64, 200)), np.zeros((64, 200), np.float32)
        draw[2, 32](states_of(64, 3), uniform, normal, narrow)
        self.assertTrue(((uniform >= 0) & (uniform < 1)).all())
        self.assertLess(abs(uniform.mean() - 0.5), 5 / math.sqrt(12 * uniform.size))
        for numbers in (normal, narrow):
            self.assertLess(abs(numbers.mean()), 5 / math.sqrt(numbers.size))
            self.assertLess(abs(numbers.var() - 1), 5 * math.sqrt(2 / numbers.size))

    @unittest.skipUnless(cuda.is_available(), "no GPU")
    def test_states_on_the_device(self):
        from npcc.cuda.random import create_xoroshiro128p_states
        np.testing.assert_array_equal(create_xoroshiro128p_states(6, seed=5).copy_to_host(), states_of(6, 5))


if __name__ == "__main__":
    unittest.main()
