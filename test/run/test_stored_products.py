"""Products that are stored to an array: a library writes them there, unless the array is read by the product or looked at in between."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def all_of_it(a, b, c):
    c[:] = a @ b


def out(a, b, c):
    return np.matmul(a, b, out=c)


def every_other_column(a, b, c):
    c[1:, ::2] = a[1:] @ b[:, ::2]


def backwards(a, b, c):
    c[::-1] = a @ b


def transposed(a, b, c):
    c.T[:] = a @ b


def its_own_operand(a, b, c):
    a[:] = a @ b


def part_of_an_operand(a, b, c):
    c[:4, :4] = a[:4] @ c[:, :4]


def one_column_for_all(a, b, c):
    c[:] = a @ b[:, :1]


def stored_to_before(a, b, c):
    p = a @ b
    c[0] = 5
    b[1] = 0
    c[:] = p


def read_before(a, b, c):
    p = a @ b
    q = c + 1
    c[:] = p
    return q


def in_a_loop(a, b, c):
    for _ in range(3):
        c[:] = a @ b
        a[:] = c / 64


ALL = [all_of_it, out, every_other_column, backwards, transposed, its_own_operand, part_of_an_operand, one_column_for_all, stored_to_before, read_before, in_a_loop]


class StoredProducts(Comparison):
    def matrices(self, n, dtype):
        rng = np.random.default_rng(7)
        return [rng.integers(-8, 8, (n, n)).astype(dtype) for _ in range(3)]

    def test_stores(self):
        for function in ALL:
            compiled = jit(function)
            for dtype in ("f8", "c16"):
                for n in (6, 33):
                    with self.subTest(function.__name__, dtype=dtype, n=n):
                        a, b, c = self.matrices(n, dtype)
                        self.compare(function, [a, b, c], compiled, scale=64)
                        self.compare(function, [a, b, b], compiled, scale=64)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        for function in (all_of_it, out, every_other_column, transposed):
            with self.subTest(function.__name__):
                compiled = jit(function)
                compiled(*self.matrices(40, "f8"))
                before = npcc.counters()["launches"]
                compiled(*self.matrices(40, "f8"))
                self.assertEqual(npcc.counters()["launches"], before)


if __name__ == "__main__":
    unittest.main()
