"""devices=N: the work is cut along the leading axis, with the results of one device. On the CPU over N logical devices."""
import unittest

import numpy as np

import npcc
from harness import Comparison, TARGET, jit
from inputs import uniform
from programs import heat


def elementwise(x, y):
    return np.sqrt(x * x + y) - 1


def in_place(x, y):
    y += 2 * x


def total(x):
    return np.sum(x * x), np.max(x), np.min(x)


def device_counts():
    if TARGET == "cpu":
        return 1, 2, 3, 5
    return [n for n in (1, 2, 4, 8) if n < len(npcc.devices())]


class Devices(Comparison):
    def check(self, function, inputs, scale=1):
        for count in device_counts():
            compiled = jit(function, devices=count)
            for size in (1, 2, 7, 100, 1001):
                with self.subTest(devices=count, size=size):
                    self.compare(function, inputs(size), compiled, scale=scale)

    def test_elementwise(self):
        self.check(elementwise, lambda n: [uniform((n, 5)), uniform((n, 5), seed=1)])

    def test_in_place(self):
        self.check(in_place, lambda n: [uniform(n), uniform(n, seed=1)])

    def test_full_reductions(self):
        self.check(total, lambda n: [uniform(n, -1, 1)], scale=10)

    def test_heat_with_halos(self):
        self.check(heat.diffuse, lambda n: [uniform((n, 13), 0, 100), 0.2, 5], scale=10)

    def test_the_same_bits_from_run_to_run(self):
        x = uniform(100_001)
        for count in device_counts():
            compiled = jit(total, devices=count)
            self.assertEqual(compiled(x), compiled(x))


if __name__ == "__main__":
    unittest.main()
