"""Rows of sparse matrices of many elements, which a GPU may have a library for: vectors, tables, shapes, dtypes, room behind the last element."""
import unittest

import numpy as np

import npcc
from harness import TARGET, jit

try:
    import scipy.sparse as sp
except ImportError:
    sp = None

rng = np.random.default_rng(4)


def times_vector(matrix, vector):
    return matrix @ vector * 2 + 1


def times_table(matrix, table):
    return matrix @ table


def from_the_left(vector, matrix):
    return vector @ matrix.T


def count(matrix):
    return matrix.nnz, matrix.T.nnz


def many(dtype, rows=400, columns=1000):
    """More elements than LEAST_OF_LIBRARY in library/sparse.py, in rows of very different lengths."""
    full = rng.uniform(0.5, 1, (rows, columns)) * (rng.random((rows, columns)) < 0.95)
    full[::7] = 0
    full[1::7, 3:] = 0
    return sp.csr_array(np.vstack([full, full[:50]]).astype(dtype))


@unittest.skipIf(sp is None, "needs scipy")
class Rows(unittest.TestCase):
    def check(self, function, *arguments):
        given, wanted = jit(function)(*arguments), function(*arguments)
        self.assertEqual((np.shape(given), np.asarray(given).dtype), (np.shape(wanted), np.asarray(wanted).dtype))
        np.testing.assert_allclose(given, wanted, rtol=1e-4 if np.asarray(wanted).dtype == np.float32 else 1e-10)

    def test_dtypes(self):
        for dtype in ("f8", "c16", "f4") if TARGET == "cpu" else ("f8", "c16"):
            matrix = many(dtype)
            with self.subTest(dtype):
                self.check(times_vector, matrix, rng.random(1000).astype(dtype))
                self.check(times_table, matrix, rng.random((1000, 3)).astype(dtype))

    def test_factors_that_are_not_contiguous(self):
        matrix = many("f8")
        self.check(times_vector, matrix, rng.random(2000)[::-2])
        self.check(times_table, matrix, rng.random((4, 1000)).T)
        self.check(times_table, matrix, rng.random((1000, 0)))
        self.check(from_the_left, rng.random(1000), matrix)
        self.check(times_vector, matrix, rng.integers(0, 9, 1000))

    def test_room_behind_the_last_element(self):
        matrix = many("f8")
        matrix.data, matrix.indices = np.append(matrix.data, [7.0, 7.0]), np.append(matrix.indices, [0, 0]).astype("i4")
        self.check(times_vector, matrix, rng.random(1000))
        self.assertEqual(jit(count)(matrix), (matrix.nnz, matrix.nnz))

    def test_wide_positions(self):
        matrix = many("f8")
        matrix.indices, matrix.indptr = matrix.indices.astype("i8"), matrix.indptr.astype("i8")
        self.check(times_vector, matrix, rng.random(1000))

    def test_wrong_factors(self):
        matrix = many("f8")
        for wrong in (rng.random(999), rng.random((999, 2)), rng.random((2, 2, 2))):
            with self.assertRaises(ValueError) as expected:
                matrix @ wrong
            with self.assertRaises(ValueError) as got:
                jit(times_table)(matrix, wrong)
            self.assertEqual(str(expected.exception), str(got.exception))

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_nobody_waits(self):
        """How many elements there are is known on the host."""
        a = many("f8")
        data, indices, indptr, x = (npcc.array(v, device="cuda") for v in (a.data, a.indices, a.indptr, rng.random(1000)))

        class csr_matrix:
            """As CuPy's, whose arrays are a device's."""

        csr_matrix.__module__ = "cupyx.scipy.sparse"
        given = csr_matrix()
        given.format, given.shape, given.nnz, given.data, given.indices, given.indptr = "csr", a.shape, a.nnz, data, indices, indptr
        compiled = jit(times_vector)
        compiled(given, x)
        before = npcc.counters()["bytes_device_to_host"]
        compiled(given, x)
        self.assertEqual(npcc.counters()["bytes_device_to_host"], before)


if __name__ == "__main__":
    unittest.main()
