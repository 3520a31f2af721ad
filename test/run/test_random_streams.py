"""Uniform numbers that several threads draw from one stream are NumPy's, and the generator goes on behind them."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def drawn(rng, n):
    half = rng.random(3, np.float32)  # leaves a half of a word
    many = rng.random(n)
    return half, many, rng.random(5), rng.uniform(-3, 7, n), rng.random(3, np.float32), rng.integers(0, 1000, 7)


def placed(rng, loc, scale):
    return rng.normal(loc, scale), rng.exponential(scale), rng.uniform(loc, scale, (2, *loc.shape))


def placed_of_one_shape(rng, loc, scale):
    first = rng.gamma(2.5, scale), rng.gumbel(loc, scale), rng.laplace(2, scale), rng.logistic(loc[:, None], scale[:3]), rng.rayleigh(scale)
    return *first, rng.gamma(0.5, scale, (2, *loc.shape))


def of_logarithms(rng, n):
    return rng.gumbel(0.5, 2.0, n), rng.laplace(size=n), rng.logistic(1.0, 3.0, n)


def shares(rng, alpha, n):
    return rng.dirichlet(alpha, n), rng.random()


def misplaced(rng, loc, scale):
    return rng.normal(loc, -scale)


class Streams(Comparison):
    def test_uniform(self):
        compiled = jit(drawn)
        for name in ("PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"):
            for n in (5, 4096, 20003, 100001):
                with self.subTest(name, n=n):
                    make = lambda: np.random.Generator(getattr(np.random, name)(5))
                    mine, theirs = make(), make()
                    for got, want in zip(compiled(mine, n), drawn(theirs, n)):
                        np.testing.assert_array_equal(got, want)
                    self.assertEqual(mine.random(), theirs.random())

    def test_parameters_that_are_arrays(self):
        loc, scale = np.linspace(-3, 4, 99), np.linspace(10, 20, 99)
        for function in (placed, placed_of_one_shape, misplaced):
            for make in (np.random.default_rng, np.random.RandomState):
                with self.subTest(function.__name__, make=make):
                    mine, theirs = make(7), make(7)
                    outcomes = []
                    for one, rng in ((jit(function), mine), (function, theirs)):
                        try:
                            outcomes.append([np.asarray(numbers).tolist() for numbers in one(rng, loc, scale)])
                        except ValueError as error:
                            outcomes.append(str(error))
                    self.assertEqual(*outcomes)
                    self.assertEqual(mine.random(), theirs.random())

    def test_shares_of_one_shape(self):
        """Where all shapes of a Dirichlet distribution are one, a device draws the gamma numbers that it is made of."""
        compiled = jit(shares)
        for alpha in (np.full(6, 2.5), np.full(5, 0.3), np.full(3, 0.05), np.array([1.0, 2.0, 3.0]), np.ones(1), np.zeros(0)):
            for n in (1, (2, 3), 1700):
                with self.subTest(alpha=alpha, n=n):
                    mine, theirs = np.random.default_rng(7), np.random.default_rng(7)
                    for got, want in zip(compiled(mine, alpha, n), shares(theirs, alpha, n)):
                        np.testing.assert_array_equal(got, want)

    @unittest.skipUnless(TARGET == "cuda", "a device's draws")
    def test_shares_need_no_copy(self):
        before = npcc.counters()
        jit(shares)(np.random.default_rng(7), np.full(6, 2.5), 2000)
        after = npcc.counters()
        self.assertLess(after["bytes_host_to_device"] - before["bytes_host_to_device"], 2000 * 6 * 4)  # half of the numbers

    @unittest.skipUnless(TARGET == "cuda", "a device's draws")
    def test_a_device_makes_numbers_of_arrays(self):
        n = 33000
        loc, scale = np.linspace(-3, 4, n), np.linspace(10, 20, n)
        mine, theirs = np.random.default_rng(7), np.random.default_rng(7)
        arguments = [npcc.asarray(x, device="cuda") for x in (loc, scale)]
        before = npcc.counters()
        results = jit(placed)(mine, *arguments)
        after = npcc.counters()
        for count in ("bytes_host_to_device", "bytes_device_to_host"):
            self.assertLess(after[count] - before[count], n)
        for got, want in zip(results, placed(theirs, loc, scale)):
            np.testing.assert_array_equal(np.asarray(got), want)

    @unittest.skipUnless(TARGET == "cuda", "a device's draws")
    def test_the_host_makes_few_logarithms(self):
        """A device leaves those to the host that are too close to the middle of two numbers. On a host whose library rounds otherwise, it leaves all."""
        n = 20000
        mine, theirs = np.random.default_rng(7), np.random.default_rng(7)
        before = npcc.counters()
        results = jit(of_logarithms)(mine, n)
        after = npcc.counters()
        self.assertLess(after["bytes_host_to_device"] - before["bytes_host_to_device"], 3 * n * 8 / 4)
        for got, want in zip(results, of_logarithms(theirs, n)):
            np.testing.assert_array_equal(np.asarray(got), want)


if __name__ == "__main__":
    unittest.main()
