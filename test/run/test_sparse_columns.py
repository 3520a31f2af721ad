"""Columns of sparse matrices times vectors and matrices, which a GPU may have a library for: shapes, dtypes, what is empty, room behind the last element."""
import unittest

import numpy as np

from harness import jit

try:
    import scipy.sparse as sp
except ImportError:
    sp = None

rng = np.random.default_rng(3)


def products(matrix, vector, table):
    return matrix.T @ vector, matrix.T @ table, vector @ matrix


def summed(matrix, vector):
    return np.sum(matrix.T @ (2 * vector)) + (matrix.T @ vector)[0]


@unittest.skipIf(sp is None, "needs scipy")
class Columns(unittest.TestCase):
    def check(self, function, *arguments):
        given, wanted = jit(function)(*arguments), function(*arguments)
        for value, right in zip(*((v if isinstance(v, tuple) else (v,)) for v in (given, wanted))):
            self.assertEqual((np.shape(value), np.asarray(value).dtype), (np.shape(right), np.asarray(right).dtype))
            np.testing.assert_allclose(value, right, rtol=1e-6)

    def test_dtypes(self):
        for dtype in ("f8", "f4", "c16", "i8"):
            with self.subTest(dtype):
                matrix = sp.csr_array(np.where(rng.random((30, 20)) < 0.2, rng.integers(1, 9, (30, 20)), 0).astype(dtype))
                self.check(products, matrix, rng.integers(0, 5, 30).astype("f8"), rng.random((30, 3)))

    def test_what_is_empty(self):
        for shape in ((0, 4), (4, 0), (5, 5)):
            with self.subTest(shape):
                self.check(products, sp.csr_array(shape), rng.random(shape[0]), rng.random((shape[0], 2)))

    def test_room_behind_the_last_element(self):
        matrix = sp.csr_array(np.eye(4))
        matrix.data, matrix.indices = np.append(matrix.data, [7.0, 7.0]), np.append(matrix.indices, [0, 0]).astype("i4")
        self.check(summed, matrix, rng.random(4))

    def test_wide_positions(self):
        matrix = sp.csr_array(rng.random((6, 5)) < 0.5, dtype="f8")
        matrix.indices, matrix.indptr = matrix.indices.astype("i8"), matrix.indptr.astype("i8")
        self.check(summed, matrix, rng.random(6))


if __name__ == "__main__":
    unittest.main()
