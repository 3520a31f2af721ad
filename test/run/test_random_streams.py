"""Uniform numbers that several threads draw from one stream are NumPy's, and the generator goes on behind them."""
import unittest

import numpy as np

from harness import Comparison, jit


def drawn(rng, n):
    half = rng.random(3, np.float32)  # leaves a half of a word
    many = rng.random(n)
    return half, many, rng.random(5), rng.uniform(-3, 7, n), rng.random(3, np.float32), rng.integers(0, 1000, 7)


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


if __name__ == "__main__":
    unittest.main()
