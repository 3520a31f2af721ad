"""devices=N: the work is cut along the leading axis, with the results of one device. On the CPU over N logical devices, on CUDA over the GPUs
of a host."""
import unittest

import numpy as np

import npcc
from harness import Comparison, TARGET, jit
from inputs import uniform
from programs import heat

# One device is a group too.
COUNTS = (1, 2, 3, 5) if TARGET == "cpu" else tuple(n for n in (1, 2, 3, 4, 8) if n < len(npcc.devices()))
SIZES = (0, 1, 2, 7, 64, 1001)


def elementwise(x, y):
    return np.sqrt(x * x + y) - np.sin(y)


def in_place(x, y):
    y += 2 * x


def rows(a, row):
    return np.sqrt(np.sum(a * a, axis=1)) + row.sum()


def total(x):
    return np.sum(x * x)


def extremes(x):
    return np.sum(x * x), np.max(x), np.min(x)


def lookup(x, edges, table):
    return table[np.searchsorted(edges, x)] * x


def noisy(x, seed):
    return x + npcc.random.fast(seed).random(x.shape)


def reverse(a):
    return a[::-1] * 2


class Devices(Comparison):
    def check(self, function, inputs, sizes=SIZES, scale=1):
        for count in COUNTS:
            compiled = jit(function, devices=count)
            for size in sizes:
                with self.subTest(function=function.__name__, devices=count, size=size):
                    self.compare(function, inputs(size), compiled, scale=scale)

    def test_elementwise(self):
        self.check(elementwise, lambda n: [uniform(n), uniform(n, seed=1)])
        self.check(elementwise, lambda n: [uniform((n, 5)), uniform((n, 5), seed=1)])

    def test_in_place(self):
        self.check(in_place, lambda n: [uniform(n), uniform(n, seed=1)])

    def test_row_reductions_with_a_row_for_all(self):
        self.check(rows, lambda n: [uniform((n, 5)), uniform(3, seed=1)])

    def test_full_reductions(self):
        self.check(total, lambda n: [uniform((n, 3))], scale=10)
        self.check(extremes, lambda n: [uniform(n, -1, 1)], SIZES[1:], scale=10)

    def test_positions_in_what_all_devices_have(self):
        edges, table = np.linspace(0.1, 0.9, 9), uniform(10, seed=2)
        self.check(lookup, lambda n: [uniform(n), edges, table])

    def test_random_numbers_are_those_of_one_device(self):
        self.check(noisy, lambda n: [uniform((n, 3)), 7])

    def test_heat_with_halos(self):
        self.check(heat.diffuse, lambda n: [uniform((n, 13), 0, 100), 0.2, 5], SIZES[1:], scale=10)

    def test_heat_has_the_bits_of_one_device(self):
        single = jit(heat.diffuse)
        for count in COUNTS:
            compiled = jit(heat.diffuse, devices=count)
            for n in (3, 4, 16, 33, 130):
                with self.subTest(devices=count, size=n):
                    u = heat.plate(n)
                    np.testing.assert_array_equal(compiled(u, 0.2, 25), single(u, 0.2, 25))

    def test_the_same_bits_from_run_to_run(self):
        x = uniform(100_001)
        for count in COUNTS:
            compiled = jit(extremes, devices=count)
            self.assertEqual(compiled(x), compiled(x))

    def test_the_program_is_cut(self):
        """Every device runs the loop on its own rows and gets its neighbours' before each step."""
        text = jit(heat.diffuse, devices=2).inspect("loops", "float64[:,:], float, int")
        self.assertIn("np.rank", text)
        self.assertIn("np.exchange_halo", text[text.index("scf.for"):text.index("scf.yield")])

    def test_what_cannot_be_cut_is_an_error(self):
        with self.assertRaises(npcc.CompileError) as caught:
            jit(reverse, devices=2)(uniform(5))
        self.assertIn("cannot be distributed", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
