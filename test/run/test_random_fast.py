"""npcc.random.fast: compiled code has the numbers that plain Python makes, and they are random."""
import math
import unittest

import numpy as np

import npcc
from harness import Comparison, jit
from npcc.library.routines import random_bits

# Philox 2x32-10: counter, key and result, from Random123's known answers (Salmon et al., 2011).
KNOWN = ((0, 0, 0x6CD10DF2FF1DAE59), (2**64 - 1, 2**32 - 1, 0xAB4FD7AD2C3F628B), (0x85A308D3243F6A88, 0x13198A2E, 0xF62A4C12DD7CE038))


def every_method(seed, n, table):
    rng = npcc.random.fast(seed)
    numbers = (rng.bits(n), rng.bits((2, 3)), rng.random(n), rng.random((n, 2), np.float32), rng.uniform(-1, 1, n), rng.uniform(table, 2.0))
    shaped = (rng.standard_normal(n), rng.standard_normal(4, np.float32), rng.normal(table, 2.0), rng.exponential(table), rng.standard_exponential(n))
    whole = (rng.integers(10, size=n), rng.integers(-5, 5, (n, 2)), rng.permutation(n), rng.permutation(table), rng.choice(7, n), rng.choice(table, 3), rng.choice(table, 3, False))
    return numbers, shaped, whole, rng.position


def single(seed):
    rng = npcc.random.fast(seed)
    return rng.random(), rng.integers(5, 9), rng.normal(), rng.bits(), rng.choice(4), rng.uniform(2.0, 3.0)


def walked(rng, steps):
    place = 0
    for _ in range(steps):
        place += 1 if rng.random() < 0.5 else -1
    return place


def moved_on(rng, n):
    return rng.random(n) + rng.normal(size=n)


def in_circle(seed, n):
    rng = npcc.random.fast(seed)
    x, y = rng.random(n), rng.random(n)
    return np.sum(x * x + y * y < 1.0)


class Fast(Comparison):
    def test_known_answers(self):
        bits = jit(lambda key, start: random_bits(key, start, (3,)))
        for start, key, expected in KNOWN:
            self.assertEqual(int(random_bits(key, start, ())), expected)
            if start < 2**63:
                self.assertEqual(int(bits(key, start)[0]), expected)
        self.assertTrue(np.array_equal(bits(7, 100), random_bits(7, 0, (200,))[100:103]))

    def test_compiled_numbers_are_those_of_plain_python(self):
        for seed, n in (0, 5), (-3, 1), (2**62 + 5, 0), (12345, 1000):
            with self.subTest(seed=seed, n=n):
                self.compare(every_method, [seed, n, np.arange(1.0, 6.0)], scale=10)
                self.compare(single, [seed], scale=10)

    def test_a_generator_is_given_and_goes_on(self):
        compiled, rng, other = jit(moved_on), npcc.random.fast(3), npcc.random.fast(3)
        for n in 4, 0, 7:
            np.testing.assert_allclose(compiled(rng, n), moved_on(other, n), rtol=1e-12)
            self.assertEqual(rng.position, other.position)
        self.assertEqual(jit(walked)(rng, 50), walked(other, 50))
        self.assertEqual(rng.random(), other.random())

    def test_bad_arguments(self):
        def empty_range(n):
            return npcc.random.fast(1).integers(n, n)

        def too_many(n):
            return npcc.random.fast(1).choice(n, n + 1, replace=False)

        for function, text in (empty_range, "low >= high"), (too_many, "Cannot take a larger sample than population"):
            for run in function, jit(function):
                with self.assertRaisesRegex(ValueError, text):
                    run(3)

    def test_moments(self):
        """Of n numbers the mean is off by more than 5 standard errors in one of a million runs; these are always the same."""
        rng, n = npcc.random.fast(2024), 200_000
        for name, numbers, mean, variance in (("random", rng.random(n), 0.5, 1 / 12), ("random f4", rng.random(n, np.float32), 0.5, 1 / 12),
                                              ("normal", rng.standard_normal(n), 0.0, 1.0), ("exponential", rng.standard_exponential(n), 1.0, 1.0),
                                              ("integers", rng.integers(0, 100, n), 49.5, 9999 / 12)):
            with self.subTest(name=name):
                self.assertLess(abs(numbers.mean(dtype=float) - mean), 5 * math.sqrt(variance / n))
                self.assertLess(abs(numbers.var(dtype=float) - variance), 15 * variance / math.sqrt(n))
        u = np.sort(rng.random(n))  # Kolmogorov and Smirnov: 1.95 / sqrt(n) is passed in one of a thousand runs
        self.assertLess(np.abs(u - (np.arange(n) + 0.5) / n).max(), 1.95 / math.sqrt(n))
        self.assertLess(abs(np.corrcoef(rng.random(n), npcc.random.fast(2025).random(n))[0, 1]), 5 / math.sqrt(n))
        bits = (rng.bits(n)[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
        self.assertLess(np.abs(bits.mean(axis=0) - 0.5).max(), 5 * 0.5 / math.sqrt(n))

    def test_no_memory(self):
        compiled = jit(in_circle)
        self.assertLess(abs(4 * compiled(1, 100_000) / 100_000 - math.pi), 0.03)
        self.assertNotIn("memref<?xf64>", compiled.inspect("loops", "int, int"))


if __name__ == "__main__":
    unittest.main()
