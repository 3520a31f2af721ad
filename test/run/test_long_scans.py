"""Running totals along few long lines, which a GPU shares out over all of its blocks, compiled, against NumPy."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison
from own_kernels import uses_fake_driver

RNG = np.random.default_rng(23)

# Lines from 32,768 elements on are cut into parts; 2,097,152 elements in such lines are for all blocks.
LENGTHS = [32767, 32768, 36863, 36865]
VERY_LONG = 1 << 21


def total(x):
    return np.cumsum(x)


def of_rows(x):
    return np.cumsum(x, axis=1)


def means(x):
    return np.cumsum(x) / np.arange(1, len(x) + 1)


def highest(x):
    return np.maximum.accumulate(x)


def product(x):
    return np.cumprod(x)


def in_place(x):
    np.cumsum(x, out=x)
    return x


def shifted(x):
    y = np.zeros(len(x) + 1, x.dtype)
    y[1:] = np.cumsum(x)
    return y


def part_of(x):
    return np.cumsum(x[1:-1]), np.cumsum(x[::2])


def selected(x):
    return x[x > 0.5], np.flatnonzero(x > 0.5)


class LongScans(Comparison):
    def check(self, function, *arguments, rtol=1e-12):
        expected = function(*[np.copy(a) for a in arguments])
        got = npcc.jit(function, target=TARGET)(*[np.copy(a) for a in arguments])
        for e, g in zip(expected if isinstance(expected, tuple) else (expected,), got if isinstance(got, tuple) else (got,)):
            g = np.asarray(g)
            self.assertEqual((g.dtype, g.shape), (e.dtype, e.shape))
            np.testing.assert_allclose(g, e, rtol=rtol, atol=0)

    def test_lengths(self):
        for length in LENGTHS:
            self.check(total, RNG.random(length))

    def test_dtypes(self):
        x = RNG.random(40001) * 100
        for dtype in ("i1", "u2", "i4", "u8", "?", "f8"):
            self.check(total, x.astype(dtype))
        self.check(total, x.astype("f4"), rtol=1e-5)
        self.check(total, (x < 3).astype("f2"))
        self.check(total, x + 1j * x[::-1])

    def test_lines(self):
        self.check(of_rows, RNG.random((2, 33000)))
        self.check(of_rows, RNG.integers(0, 9, (3, 32768), dtype=np.int32))

    def test_other_functions(self):
        x = RNG.random(40000)
        self.check(means, x)
        self.check(product, 1 + (x - 0.5) / 100)
        x[34000] = np.nan
        self.check(highest, x)
        self.check(highest, RNG.integers(-99, 99, 40000))

    def test_views(self):
        x = RNG.random(70001)
        self.check(part_of, x)
        self.check(shifted, x[:40001])
        self.check(total, x[1:40002])
        self.check(total, x[::-2])

    def test_in_place(self):
        self.check(in_place, RNG.random(40960))
        self.check(in_place, RNG.integers(0, 9, 40961))

    def test_selections(self):
        self.check(selected, RNG.random(50001))

    def test_very_long_lines(self):
        if TARGET == "cuda" and uses_fake_driver():  # which takes ten microseconds for an element
            self.check(total, RNG.integers(0, 99, VERY_LONG + 4097, dtype=np.int32))
            return
        for length in (VERY_LONG - 1, VERY_LONG, VERY_LONG + 1, 1024 * 4096, 9 * 1024 * 1024 + 1):
            self.check(total, RNG.random(length), rtol=1e-9)
            self.check(total, RNG.integers(0, 99, length))
        x = RNG.random(VERY_LONG + 5000)
        self.check(total, x.astype("f4"), rtol=1e-3)
        self.check(total, x < 0.5)
        self.check(total, x + 1j * x[::-1], rtol=1e-9)
        self.check(means, x, rtol=1e-9)
        self.check(highest, x)
        self.check(selected, x)
        self.check(part_of, np.concatenate([x, x]), rtol=1e-9)
        self.check(in_place, x, rtol=1e-9)
        self.check(of_rows, RNG.random((3, VERY_LONG + 77)), rtol=1e-9)
        self.check(of_rows, RNG.random((70, 32768)))
        self.check(of_rows, RNG.integers(0, 9, (256, 33333)))

    def test_same_bits(self):
        x = RNG.random(3 * VERY_LONG if TARGET != "cuda" or not uses_fake_driver() else 50000)
        function = npcc.jit(total, target=TARGET)
        first = np.asarray(function(x)).tobytes()
        for _ in range(3):
            self.assertEqual(np.asarray(function(x)).tobytes(), first)


if __name__ == "__main__":
    unittest.main()
