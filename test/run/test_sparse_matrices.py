"""Products of scipy.sparse's compressed rows and columns with vectors and matrices, against scipy's."""
import unittest

import numpy as np

import npcc
from harness import TARGET, jit

try:
    import scipy.sparse as sp
except ImportError:
    sp = None

rng = np.random.default_rng(0)


def times(matrix, other):
    return matrix @ other


def times_from_the_left(matrix, other):
    return other @ matrix


def transposed(matrix, other):
    return matrix.T @ other, other.T @ matrix, matrix.transpose().shape


def described(matrix, other):
    return matrix.dot(other) * 2, matrix.shape, matrix.nnz, matrix.data.sum(), matrix.indptr[-1]


def iterated(matrix, x):
    for _ in range(4):
        y = matrix @ x
        x = y / np.sqrt(y @ y)
    return x


def changed(matrix, x):
    matrix.data *= 2
    return matrix @ x


def of_slices(ptr, cols, vals, x, y, n):
    for i in range(n):
        y[i] = vals[ptr[i]:ptr[i + 1]] @ x[cols[ptr[i]:ptr[i + 1]]]
    return y


def of_named_slices(ptr, cols, vals, x, y, n):
    for i in range(y.size):
        row = slice(ptr[i], ptr[i + 1])
        y[i] = np.dot(vals[row], x[cols[row]])
    return y


def of_sums(ptr, cols, vals, x, y, n):
    for i, (first, last) in enumerate(zip(ptr[:-1], ptr[1:])):
        y[i] = np.sum(vals[first:last] * x[cols[first:last]])
    return y


def of_elements(ptr, cols, vals, x, y, n):
    for i in range(len(ptr) - 1):
        total = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            total += vals[k] * x[cols[k]]
        y[i] = total
    return y


def of_generators(ptr, cols, vals, x, y, n):
    for i in range(n):
        y[i] = sum(vals[k] * x[cols[k]] for k in range(ptr[i], ptr[i + 1]))
    return y


def of_pairs(ptr, cols, vals, x, y, n):
    for i in range(n):
        first, last = ptr[i], ptr[i + 1]
        y[i] = sum([v * x[c] for v, c in zip(vals[first:last], cols[first:last])])
    return y


def itself(matrix):
    return matrix


@unittest.skipIf(sp is None, "scipy, whose matrices are the arguments, is not installed")
class SparseMatrices(unittest.TestCase):
    def matrices(self):
        a = sp.random_array((40, 30), density=0.2, format="csr", rng=rng)
        return [a, a.tocsc(), sp.csr_matrix(a), sp.csc_matrix(a), a.astype("f4"), a.astype("c16").tocsc(), (a * 100).astype("i4"), a != 0, sp.csr_array((40, 30))]

    def same(self, want, got):
        self.assertEqual((want.dtype, want.shape), (got.dtype, got.shape))
        np.testing.assert_allclose(got, want, rtol=1e-5 if want.dtype in ("f4", "c8") else 1e-12)

    def test_products(self):
        right = jit(times)
        left = jit(times_from_the_left)
        for matrix in self.matrices():
            for x in (rng.random(30), rng.random((30, 4)), rng.random((30, 1)), rng.random(30).astype("f4"), np.arange(30), rng.random(30) > 0.5):
                with self.subTest(type(matrix).__name__, dtype=matrix.dtype, x=x.dtype):
                    self.same(matrix @ x, right(matrix, x))
            for x in (rng.random(40), rng.random((4, 40)), np.arange(40)):
                with self.subTest(type(matrix).__name__, dtype=matrix.dtype, left=x.dtype):
                    self.same(x @ matrix, left(matrix, x))

    def test_transposed(self):
        for matrix in self.matrices():
            for x in (rng.random(40), rng.random((40, 3)), rng.random((40, 2)).astype("f2")):
                with self.subTest(type(matrix).__name__, dtype=matrix.dtype, x=x.dtype):
                    for want, got in zip(transposed(matrix, x)[:2], jit(transposed)(matrix, x)[:2]):
                        self.same(want, got)
        self.assertEqual(jit(transposed)(self.matrices()[0], np.ones(40))[2], (30, 40))

    def test_forms(self):
        """Positions of 64 bits, in any order, of one place twice, and room behind the last element; rows without elements; no rows at all."""
        a = sp.random_array((20, 20), density=0.3, format="csr", rng=rng)
        a.indices, a.indptr = a.indices.astype("i8"), a.indptr.astype("i8")
        unordered = a.copy()
        for k in range(20):
            line = slice(a.indptr[k], a.indptr[k + 1])
            unordered.indices[line], unordered.data[line] = a.indices[line][::-1], a.data[line][::-1]
        twice = unordered.copy()
        twice.indices[:] = 7
        roomy = a.copy()
        roomy.data, roomy.indices = np.append(a.data, 5.0), np.append(a.indices, 3)
        for matrix in (a, unordered, twice, roomy, roomy.T, sp.csr_array((20, 20), dtype="u1"), sp.csc_array((0, 20)), sp.csr_matrix((20, 0))):
            for columns in ((), (1,), (0,), (40,)):
                x, y = rng.random((matrix.shape[1], *columns)), rng.random((*columns, matrix.shape[0]))
                with self.subTest(matrix.shape, columns=columns):
                    self.same(matrix @ x, jit(times)(matrix, x))
                    self.same(y @ matrix, jit(times_from_the_left)(matrix, y))

    def test_attributes(self):
        matrix, x = self.matrices()[0], rng.random(30)
        product, shape, count, total, last = jit(described)(matrix, x)
        self.same(matrix @ x * 2, product)
        self.assertEqual((shape, count, last), (matrix.shape, matrix.nnz, matrix.indptr[-1]))
        self.assertAlmostEqual(total, matrix.data.sum())

    def test_loops(self):
        matrix = sp.random_array((30, 30), density=0.2, format="csr", rng=rng)
        self.same(iterated(matrix, np.ones(30)), jit(iterated)(matrix, np.ones(30)))

    def test_written_out(self):
        """However the rows are written, a kernel computes all of them, and one more looks before whether all positions are inside."""
        matrix = sp.random_array((100, 90), density=0.1, format="csr", rng=rng)
        for function, launches in ((of_slices, 3), (of_named_slices, 3), (of_sums, 3), (of_elements, 6), (of_generators, 2), (of_pairs, 2)):
            with self.subTest(function.__name__):
                compiled = jit(function)
                for _ in range(2):
                    x = rng.random(90)
                    before = npcc.counters()["launches"] if TARGET == "cuda" else 0
                    y = compiled(matrix.indptr, matrix.indices, matrix.data, x, np.zeros(100), 100)
                    self.same(matrix @ x, y)
                if TARGET == "cuda":
                    self.assertEqual(npcc.counters()["launches"] - before, launches)

    def test_changes_in_place(self):
        for format in ("csr", "csc"):
            matrix = sp.random_array((5, 4), density=0.5, format=format, rng=rng)
            other = matrix.copy()
            want, got = changed(other, np.ones(4)), jit(changed)(matrix, np.ones(4))
            self.same(want, got)
            self.same(other.data, matrix.data)
            self.assertIs(jit(itself)(matrix), matrix)

    def test_errors(self):
        right = jit(times)
        for matrix in self.matrices()[:2]:
            for x in (np.ones(29), np.ones((2, 3)), np.ones((2, 1)), np.ones((1, 2, 3)), 2.0):
                with self.assertRaises(ValueError) as want:
                    matrix @ x
                with self.assertRaises(ValueError) as got:
                    right(matrix, x)
                self.assertEqual(str(want.exception), str(got.exception))


if __name__ == "__main__":
    unittest.main()
