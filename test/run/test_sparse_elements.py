"""What scipy.sparse's compressed rows and columns compute of their elements: sums, diagonals, multiples, other forms, against scipy's."""
import unittest

import numpy as np

from harness import jit

try:
    import scipy.sparse as sp
except ImportError:
    sp = None

rng = np.random.default_rng(1)


def sums(a):
    return a.sum(), a.sum(axis=0), a.sum(1), a.sum(axis=-2, dtype=np.float64), a.sum(axis=(0, 1)), a.mean(), a.mean(axis=0), a.mean(-1)


def sums_of_all(a):
    return a.sum(), a.sum(axis=None, dtype=np.complex128), a.mean()


def diagonals(a):
    return a.diagonal(), a.diagonal(1), a.diagonal(k=-2), a.diagonal(40), a.trace(), a.trace(offset=1), a.size, a.format, a.ndim


def multiples(a, x):
    return (2 * a) @ x, (a * x[0]) @ x, (a / 4) @ x, (-a) @ x, (a * 0.5).T @ a.dot(x), a.dot(3), a.conj() @ x, a.copy(), -a * np.float32(2)


def of_bools(a, x):
    return (2 * a) @ x, (a / 4) @ x, a.astype("f4"), a.copy()


def forms(a):
    return a.toarray(), a.tocsc(), a.tocsr(), a.T, a.transpose(copy=True), a.astype(np.complex128), a.T.tocsr().tocsc(), a.tocsc().T.toarray()


def changed(a, x):
    b = a
    a *= 3
    a /= 2
    c = a.copy()
    c *= 0
    return b @ x, b, c


def kinds(a):
    return sp.issparse(a), isinstance(a, sp.csr_array), isinstance(a.T, sp.csr_array), isinstance(a, (sp.csr_matrix, sp.csc_matrix)), hasattr(a, "tocsr")


def scaled(a, x):
    """Rows scaled to sum up to 1, as of a random walk."""
    for _ in range(3):
        x = (a.T @ (x / a.sum(axis=1))) * 0.85 + 0.15 / x.size
    return x


@unittest.skipIf(sp is None, "scipy, whose matrices are the arguments, is not installed")
class SparseElements(unittest.TestCase):
    tolerance = 1e-12

    def matrices(self, kind="array"):
        a = sp.random_array((9, 7), density=0.3, format="csr", rng=rng)
        of = {"array": (sp.csr_array, sp.csc_array), "matrix": (sp.csr_matrix, sp.csc_matrix)}[kind]
        twice = a.copy()
        twice.indices[:] = 3
        of_dtypes = [a, a.astype("f4"), a * (2 + 3j), (a * 100).astype("i4"), (a * 100).astype("u1"), a != 0]
        for given in (*of_dtypes, twice, sp.csr_array((9, 7)), sp.csr_array((0, 7)), sp.csr_array((9, 0))):
            for cls in of:
                yield cls(given)

    def same(self, got, want):
        self.assertIs(type(got), type(want))
        if isinstance(want, (tuple, list)):
            self.assertEqual(len(got), len(want))
            for one, other in zip(got, want):
                self.same(one, other)
        elif sp.issparse(want):
            self.assertEqual((got.shape, got.dtype), (want.shape, want.dtype))
            self.same(got.toarray(), want.toarray())
        elif isinstance(want, (np.ndarray, np.generic)):
            self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
            np.testing.assert_allclose(got, want, rtol=self.tolerance)
        else:
            self.assertEqual(got, want)

    def agree(self, function, matrices, *arguments):
        compiled = jit(function)
        for matrix in matrices:
            with self.subTest(type(matrix).__name__, dtype=matrix.dtype, shape=matrix.shape):
                own, scipys = matrix.copy(), matrix.copy()
                self.tolerance = 1e-5 if matrix.dtype in ("f4", "c8") else 1e-12
                with np.errstate(all="ignore"):
                    self.same(compiled(own, *arguments), function(scipys, *arguments))
                self.same(own, scipys)

    def test_sums(self):
        self.agree(sums, (a for a in self.matrices() if 0 not in a.shape))
        self.agree(sums_of_all, (a for a in self.matrices("matrix") if 0 not in a.shape))

    def test_diagonals(self):
        for kind in ("array", "matrix"):
            self.agree(diagonals, self.matrices(kind))

    def test_multiples(self):
        for kind in ("array", "matrix"):
            self.agree(multiples, (a for a in self.matrices(kind) if a.dtype != bool and a.shape[1]), rng.random(7))
            self.agree(of_bools, (a for a in self.matrices(kind) if a.shape[1]), rng.random(7))

    def test_forms(self):
        for kind in ("array", "matrix"):
            self.agree(forms, self.matrices(kind))

    def test_changes_in_place(self):
        self.agree(changed, (a for a in self.matrices() if a.dtype.kind in "fc" and a.shape[1]), rng.random(7))
        compiled = jit(changed)
        a = sp.csr_array(np.eye(3))
        self.assertIs(compiled(a, np.ones(3))[1], a)

    def test_classes(self):
        for kind in ("array", "matrix"):
            self.agree(kinds, self.matrices(kind))

    def test_programs(self):
        a = sp.random_array((30, 30), density=0.4, format="csr", rng=rng) + sp.eye_array(30, format="csr")
        self.agree(scaled, [a, a.tocsc()], np.full(30, 1 / 30))

    def test_errors(self):
        a = sp.csr_array(np.eye(3))

        def beyond(a):
            return a.sum(axis=2)

        def none(a):
            return a.sum(axis=())

        def twice(a):
            return a.sum(axis=(0, 0))

        def real(a):
            return a.sum(axis=0.0)

        def permuted(a):
            return a.transpose((0, 1))

        def missing(a):
            return a.no_such_name

        def negated(a):
            return -(a.astype(bool))

        for function in (beyond, none, twice, real, permuted, missing, negated):
            with self.subTest(function.__name__):
                with self.assertRaises(Exception) as want:
                    function(a)
                with self.assertRaises(type(want.exception)) as got:
                    jit(function)(a)
                self.assertEqual(str(want.exception), str(got.exception))

    def test_what_python_runs(self):
        """What there is of scipy's in Python only, Python runs: a name that compiled code lacks is no AttributeError."""

        def powers(a, x):
            return (a.power(2) @ x).sum(), abs(a).max(), a[0, 0], (a + a).nnz, (a.T @ a).trace()

        a = sp.csr_array(np.arange(6.0).reshape(2, 3) - 2)
        self.same(jit(powers)(a, np.ones(3)), powers(a, np.ones(3)))


if __name__ == "__main__":
    unittest.main()
