"""QR factors of matrices up to 32 x 32, which a GPU finds by a kernel of the runtime: of all shapes, modes and dtypes, alone and in stacks."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def reduced(a):
    return np.linalg.qr(a)


def complete(a):
    return np.linalg.qr(a, "complete")


def triangle(a):
    return np.linalg.qr(a, "r")


def raw(a):
    return np.linalg.qr(a, "raw")


def matrices(shape, dtype="f8"):
    a = rng.standard_normal(shape)
    return (a + 1j * rng.standard_normal(shape) if dtype in ("c8", "c16") else a).astype(dtype)


class SmallReflectors(Comparison):
    """Signs are LAPACK's, so that the factors themselves are NumPy's."""

    def test_shapes(self):
        for m, n in ((1, 1), (2, 2), (3, 3), (1, 4), (5, 2), (3, 7), (9, 6)):
            for dtype in ("f8", "f4", "c16", "c8"):
                for function in (reduced, complete, triangle, raw):
                    with self.subTest(m=m, n=n, dtype=dtype, function=function.__name__):
                        self.compare(function, [matrices((5, m, n), dtype)], scale=100)
        self.compare(reduced, [matrices((4, 3))], scale=100)

    def test_the_largest(self):
        for shape, dtype in (((2, 32, 32), "f8"), ((1, 32, 3), "c16"), ((2, 4, 31), "f4"), ((2, 33, 2), "f8")):
            for function in (reduced, complete):
                with self.subTest(shape=shape, dtype=dtype, function=function.__name__):
                    self.compare(function, [matrices(shape, dtype)], scale=1000)

    def test_special_matrices(self):
        """Zeros, columns that are zero already below the diagonal, and elements whose squares are not numbers."""
        upper, a = np.triu(matrices((4, 4))), matrices((4, 4))
        stack = np.stack([np.zeros((4, 4)), np.eye(4), upper, -upper, a * 1e200, a * 1e-200, a * 10.0 ** -np.arange(0, 400, 100)])
        for function in (reduced, raw):
            self.compare(function, [stack], scale=100)
            self.compare(function, [stack * (1 - 0.5j)], scale=100)

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_launches(self):
        """Of many matrices as of one: nobody calls a library for each of them."""
        compiled, counts = jit(reduced), []
        for count in (2, 300):
            a = npcc.array(matrices((count, 3, 3)), device="cuda")
            compiled(a)
            before = npcc.counters()
            compiled(a)
            after = npcc.counters()
            self.assertEqual(after["bytes_device_to_host"], before["bytes_device_to_host"])
            counts.append(after["launches"] - before["launches"])
        self.assertEqual(counts[0], counts[1])
        self.assertLessEqual(counts[0], 6)


if __name__ == "__main__":
    unittest.main()
