"""One function over several devices gives what one device gives: logical devices on the CPU, the GPUs of a host on CUDA."""
import sys
import unittest

import numpy as np

import npcc
from harness import TARGET
from programs import heat
from inputs import uniform

# On CUDA as many as there are; one is a group too.
COUNTS = (2, 3) if TARGET == "cpu" else tuple(range(1, len(npcc.devices())))
EXTENTS = (0, 1, 2, 7, 64, 1001)


def elementwise(a, b):
    return np.sin(a) * b + 1


def rows(a, row):
    return np.sqrt(np.sum(a * a, axis=1)) + row.sum()


def total(a):
    return np.sum(a * a)


def largest(a):
    return np.max(a)


class Distributed(unittest.TestCase):
    def each(self, function, make, extents=EXTENTS):
        for devices in COUNTS:
            compiled = npcc.jit(function, target=TARGET, devices=devices)
            for n in extents:
                with self.subTest(function=function.__name__, devices=devices, extent=n):
                    arguments = make(n)
                    with np.errstate(all="ignore"):
                        np.testing.assert_allclose(compiled(*arguments), function(*arguments), rtol=1e-12, atol=1e-12)

    def test_elementwise(self):
        self.each(elementwise, lambda n: (uniform(n), uniform(n, seed=1)))

    def test_row_reductions_with_a_row_for_all(self):
        self.each(rows, lambda n: (uniform((n, 5)), uniform(3, seed=1)))

    def test_full_reductions(self):
        self.each(total, lambda n: (uniform((n, 3)),))
        self.each(largest, lambda n: (uniform(n),), extents=EXTENTS[1:])

    def test_heat_with_halos(self):
        single = npcc.jit(heat.diffuse, target=TARGET)
        for devices in COUNTS:
            compiled = npcc.jit(heat.diffuse, target=TARGET, devices=devices)
            for n in (3, 4, 16, 33, 130):
                with self.subTest(devices=devices, extent=n):
                    u = heat.plate(n)
                    np.testing.assert_array_equal(compiled(u, 0.2, 25), single(u, 0.2, 25))

    def test_the_program_is_cut(self):
        """Every device runs the loop on its own rows and gets its neighbours' before each step."""
        text = npcc.jit(heat.diffuse, target=TARGET, devices=2).inspect("loops", "float64[:,:], float, int")
        self.assertIn("np.rank", text)
        self.assertIn("np.exchange_halo", text[text.index("scf.for"):text.index("scf.yield")])

    def test_what_cannot_be_cut_is_an_error(self):
        def reverse(a):
            return a[::-1] * 2

        with self.assertRaises(npcc.CompileError) as caught:
            npcc.jit(reverse, target=TARGET, devices=2)(uniform(5))
        self.assertIn("cannot be distributed", str(caught.exception))


if __name__ == "__main__":
    sys.exit(unittest.main())
