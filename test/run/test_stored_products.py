"""Products that are stored or added to an array: a library does it there, unless the array is read by the product or looked at in between."""
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


def added(a, b, c):
    c += a @ b


def subtracted(a, b, c):
    c -= a @ b


def scaled_and_added(a, b, c):
    c[:] = 2.0 * (a @ b) + 3.0 * c


def added_to_columns(a, b, c):
    c[1:, ::2] += a[1:] @ b[:, ::2]


def subtracted_backwards(a, b, c):
    c[::-1] -= a @ b


def added_to_an_operand(a, b, c):
    a += a @ b


def added_to_other_rows(a, b, c):
    c[1:] = c[:-1] + a[1:] @ b


def steps_of_a_factorisation(a, b, c):
    for k in range(3):
        c[k:, k:] -= a[k:, :2] @ b[:2, k:]


def added_and_kept(a, b, c):
    p = a @ b
    c += p
    return p


def column_added(a, b, c):
    c += a @ b[:, :1]


def column_of_columns(a, b, c):
    c[:, :1] += a @ b[:, :1]


def relu_of_a_sum(a, b, c):
    c[:] = np.maximum(a @ b + c, 0.0)


ADDING = [added, subtracted, scaled_and_added, added_to_columns, subtracted_backwards, added_to_an_operand, added_to_other_rows,
          steps_of_a_factorisation, added_and_kept, column_added, column_of_columns, relu_of_a_sum]
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

    def test_additions(self):
        for function in ADDING:
            compiled = jit(function)
            for dtype in ("f4", "f8", "c16"):
                if dtype == "c16" and function is relu_of_a_sum:  # there is a greater one of complex numbers, and more signs of zero
                    continue
                for n in (6, 33):
                    with self.subTest(function.__name__, dtype=dtype, n=n):
                        a, b, c = self.matrices(n, dtype)
                        self.compare(function, [a, b, c], compiled, scale=64)
                        self.compare(function, [a, b, b], compiled, scale=64)

    def test_buffers_of_additions(self):
        """What is added to holds the product: nothing is made for it."""
        for function in (added, subtracted, added_to_columns):
            if TARGET != "debug":
                text = jit(function).inspect("loops", "float32[:,:], float32[:,:], float32[:,:]")
                self.assertIn("addend", text)
                self.assertNotIn("np.alloc", text)

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
