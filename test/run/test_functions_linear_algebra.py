"""Matrices' factors, singular values, eigenvalues and equations, compiled, against NumPy."""
import unittest

import numpy as np

from harness import TARGET, jit
from rows import Rows

ROWS = r"""
A     | np.linalg.qr(a), np.linalg.qr(a.T), np.linalg.qr(a, mode='complete'), np.linalg.qr(a.T, 'complete')
A     | np.linalg.qr(a, 'r'), np.linalg.qr(a.T, 'r'), np.linalg.qr(a, 'raw'), np.linalg.qr(a, 'economic')
C     | np.linalg.qr(a), np.linalg.qr(a.T, 'complete')
F     | np.linalg.qr(a), np.linalg.svd(a), np.linalg.svdvals(a), np.linalg.pinv(a), np.linalg.matrix_rank(a), np.linalg.cond(a)
D     | np.linalg.qr(a), np.linalg.svd(a, False), np.linalg.svdvals(a), np.linalg.pinv(a), np.linalg.cond(a)
I     | np.linalg.qr(a), np.linalg.svd(a), np.linalg.matrix_rank(a)
T     | np.linalg.qr(a), np.linalg.svd(a), np.linalg.svdvals(a), np.linalg.pinv(a), np.linalg.matrix_rank(a), np.linalg.cond(a), np.linalg.cond(a, 1)
E     | np.linalg.pinv(a, hermitian=True), np.linalg.pinv(a.astype(int)), np.linalg.pinv(a.astype(bool)), np.linalg.pinv(np.ones((2, 3), int)[:, :2])
E     | np.linalg.qr(a), np.linalg.svd(a), np.linalg.svdvals(a), np.linalg.pinv(a), np.linalg.matrix_rank(a)
A     | np.linalg.svd(a), np.linalg.svd(a.T), np.linalg.svd(a, full_matrices=False), np.linalg.svd(a.T, False), np.linalg.svd(a, compute_uv=False)
C     | np.linalg.svd(a), np.linalg.svd(a.T, full_matrices=False), np.linalg.svdvals(a)
R     | np.linalg.svd(a + a.T, hermitian=True), np.linalg.svd(a + a.T, True, False, True)
A     | np.linalg.pinv(a), np.linalg.pinv(a.T, 0.3), np.linalg.pinv(a, rcond=0.2), np.linalg.pinv(a, rtol=0.2), np.linalg.pinv(a, rtol=None)
R     | np.linalg.pinv(a + a.T, hermitian=True), np.linalg.matrix_rank(a + a.T, hermitian=True)
A     | np.linalg.matrix_rank(a), np.linalg.matrix_rank(a, 2.0), np.linalg.matrix_rank(a, tol=0.1), np.linalg.matrix_rank(a, rtol=0.9), np.linalg.matrix_rank(a[0])
S     | np.linalg.cond(a), np.linalg.cond(a, 1), np.linalg.cond(a, p=-1), np.linalg.cond(a, np.inf), np.linalg.cond(a, -2), np.linalg.cond(a, 'fro'), np.linalg.cond(a * 0, 1)
A     | np.linalg.norm(a, 2), np.linalg.norm(a, -2), np.linalg.norm(a, 'nuc'), np.linalg.norm(a, 'nuc', axis=(1, 0), keepdims=True)
T     | np.linalg.norm(a, 2, axis=(0, 2)), np.linalg.norm(a, 'nuc', (2, 1), True)
T     | np.linalg.matrix_norm(a), np.linalg.matrix_norm(a, ord=1), np.linalg.matrix_norm(a, keepdims=True, ord='nuc')
T     | np.linalg.vector_norm(a), np.linalg.vector_norm(a, axis=1, ord=1), np.linalg.vector_norm(a, axis=(0, 2), keepdims=True), np.linalg.vector_norm(a, keepdims=True)
S     | np.linalg.eig(a)
S     | np.linalg.eigvals(a)
S     | np.linalg.eig(a + a.T)
S     | np.linalg.eigvals(a + a.T)
T     | np.linalg.eig(a), np.linalg.eigvals(a)
C     | np.linalg.eig(a[:, :4]), np.linalg.eigvals(a[:, :4])
I     | np.linalg.eigvals(a[:, :4])
F     | np.linalg.eigvals(a[:, :4])
C     | np.linalg.eigh(a[:, :4]), np.linalg.eigh(a[:, :4], 'U'), np.linalg.eigvalsh(a[:, :4], 'U')
A S T | np.linalg.qr(a)[1], np.linalg.qr(a.T)[0], np.linalg.svd(a)[1], np.linalg.svd(c, False)[1], np.linalg.eigh(b)[0], np.linalg.eigh(b, 'U')[0], np.linalg.eig(b)[0], np.linalg.eigh(c)[0].sum()
S     | np.linalg.slogdet(np.where(a > 0.8, np.inf, a)), np.linalg.slogdet(-a), np.linalg.slogdet(a * 0), np.linalg.slogdet((a - 0.5).astype('f4'))
S     | np.linalg.eigh(a), np.linalg.slogdet(a), np.linalg.slogdet(a + 1j)
S     | np.sum(np.abs(np.linalg.eigvals(a) * 2)), np.linalg.eig(a).eigenvalues.shape
A V4  | np.linalg.lstsq(a, b)
M V4  | np.linalg.lstsq(a, b)
M A   | c = b.copy(); c[0, 0] = np.inf; d = b.copy(); d[3, 1] = np.nan; return np.linalg.lstsq(a, c), np.linalg.lstsq(a, d)
M A   | d = b.copy(); d[3, 1] = np.nan; return np.linalg.lstsq(a, np.where(d > 0.7, -np.inf, d))
M A   | np.linalg.lstsq(a, b), np.linalg.lstsq(a, b, rcond=0.5), np.linalg.lstsq(a, b, -1)
C A   | np.linalg.lstsq(a, b)
F V4  | np.linalg.lstsq(a, b)
M V4  | np.linalg.lstsq(a * 0, b)
T T   | np.linalg.tensorsolve(a.reshape((9, 3))[:, :3].reshape((3, 3, 3))[0], b[0, 0]), np.linalg.tensorinv(a[0], ind=1)
x     | np.linalg.tensorinv(np.eye(6).reshape((2, 3, 3, 2)) + a), np.linalg.tensorsolve((np.eye(6) + a).reshape((2, 6, 3)), np.ones((2, 3)), axes=(1,))
K M   | np.linalg.multi_dot([a, b.T]), np.linalg.multi_dot((a, b.T, b)), np.linalg.multi_dot([a, b.T, b, a.T]), np.linalg.multi_dot([a[0], b.T, b, a[1]])
K M   | np.linalg.multi_dot([a, b.T, b, a.T, a]), np.linalg.multi_dot([a, b.T, b], out=np.empty((2, 3))), np.linalg.multi_dot([a[0], b.T, b])
x     | np.linalg.multi_dot(np.arange(12.0).reshape((3, 2, 2)) + a), np.linalg.multi_dot(np.arange(8).reshape((2, 2, 2)), out=np.empty((2, 2), int))
V     | np.linalg.multi_dot(np.stack([a, a + 1]))
V W   | np.linalg.outer(a, b)
A B   | np.linalg.matmul(a, b.T), np.linalg.tensordot(a, b), np.linalg.tensordot(a, b.T, axes=1)
M Q   | np.linalg.cross(a, b), np.linalg.cross(a.T, b.T, axis=0), np.cross(a, b, axisc=0)
T     | np.linalg.trace(a), np.linalg.trace(a, offset=1, dtype='f4'), np.linalg.diagonal(a), np.linalg.diagonal(a, offset=-1)
T     | np.trace(a), np.trace(a, 1, 0, 2), np.trace(a, offset=-1, axis1=2, axis2=1, dtype='c16'), np.trace(a, out=np.empty(3)), a.trace(1, 2, 0)
"""

# What NumPy 2.5 has no longer.
PRODUCTS_OF_TWO_ELEMENTS = r"""
M Q   | np.cross(a[:, :2], b[:, :3]), np.cross(a, b[:, :2]), np.cross(a[:, :2], b, axisc=0)
M Q   | np.cross(a[:, :2], b[:, :2])
M Q   | np.cross(a[0, :2], b[1, :2])
"""

ERRORS = r"""
H     | np.linalg.eigh(a[:, :4], 'X')
H     | np.linalg.det(a[:, :4].astype(np.float16))
H     | np.linalg.matrix_rank(a[:, :4].astype(np.float16), hermitian=True)
H     | np.linalg.cond(a, [0.5, 0.5])
H     | np.linalg.cond(a, a)
A     | np.linalg.svd(np.where(a > 0.3, np.nan, a))
A     | np.linalg.svd(np.where(a > 0.3, np.nan, a))[1]
A     | np.linalg.eig(np.where(a > 0.3, np.nan, a))[0]
A     | np.linalg.svdvals(np.where(a > 0.3, np.nan, a))
A     | np.linalg.lstsq(np.where(a > 0.9, np.nan, a), a[:, 0])
A     | np.linalg.pinv(np.where(a > 0.3, np.nan, a))
V     | np.linalg.qr(a)
A     | np.linalg.qr(a, 'no')
H     | np.linalg.qr(a)
H     | np.linalg.svd(a)
V     | np.linalg.svd(a)
N     | np.linalg.svd(a)
A     | np.linalg.eig(a)
V     | np.linalg.eigvals(a)
N     | np.linalg.eig(a[:, :4])
V     | np.linalg.cond(a)
E     | np.linalg.cond(a)
A     | np.linalg.cond(a, 1)
A     | np.linalg.pinv(a, 0.1, rtol=0.2)
A     | np.linalg.matrix_rank(a, 0.1, rtol=0.2)
T V   | np.linalg.lstsq(a, b)
A V   | np.linalg.lstsq(a, b)
A     | np.linalg.tensorinv(a, 0)
T V   | np.linalg.tensorsolve(a, b)
A     | np.linalg.multi_dot([a])
A     | np.linalg.multi_dot(a)
A     | np.linalg.multi_dot(a[:1])
A     | np.linalg.multi_dot(np.stack([a, a]))
V     | np.linalg.multi_dot(np.full((), a[0]))
V     | np.linalg.tensorinv(a.sum().reshape(()))
A B   | np.linalg.multi_dot([a, b, a])
T A   | np.linalg.multi_dot([a, b, a])
A B   | np.linalg.outer(a, b)
A B   | np.linalg.cross(a, b)
A B   | np.cross(a, b)
V     | np.linalg.trace(a)
A     | np.linalg.norm(a, 'no')
A     | np.linalg.norm(a, axis=())
R O   | np.linalg.solve(a, b)
A M   | np.cross(a[:, :3], b[:3])
S     | np.linalg.inv(a * 0)
"""


def triangular(low, b):
    made = np.linalg.cholesky(low @ np.conjugate(low.T))
    return np.linalg.solve(low, b), np.linalg.solve(low.T, b[:, 0]), np.linalg.inv(low), np.linalg.solve(made, b)


def eigenvectors(a):
    h = a + np.conjugate(np.swapaxes(a, -1, -2))
    return np.linalg.eigh(h), np.linalg.eigh(h, "U")


class LinearAlgebra(Rows):
    def compare_values(self, expected, got, *others, **keywords):
        """Vectors of another library than NumPy's have the same lengths and other signs."""
        if TARGET == "cuda" and type(expected).__name__ in ("EigResult", "EighResult", "QRResult", "SVDResult"):
            self.assertIs(type(got), type(expected))
            expected, got = ([np.abs(part) for part in parts] for parts in (expected, got))
        super().compare_values(expected, got, *others, **keywords)

    def test_results(self):
        self.results(ROWS, scale=10)

    def test_signs_of_single_precision(self):
        random = np.random.default_rng(6)
        for n in (5, 20, 33):
            for dtype in ("f4", "c8"):
                a = random.normal(size=(2, n, n)).astype(dtype)
                with self.subTest(n=n, dtype=dtype):
                    self.compare(eigenvectors, [a], scale=10)

    def test_large_triangles(self):
        random = np.random.default_rng(4)
        n = 270
        whole = random.random((n, n)) / n + np.eye(n)
        for dtype in ("f4", "f8", "c16"):
            low, b = np.tril(whole).astype(dtype), random.random((n, 3)).astype(dtype)
            with self.subTest(dtype=dtype):
                self.compare(triangular, (low, b))
        low = np.tril(whole)
        low[200, 200] = 0
        with self.assertRaises(np.linalg.LinAlgError):
            jit(lambda a, b: np.linalg.solve(a, b))(low.T, np.ones(n))

    @unittest.skipIf(np.lib.NumpyVersion(np.__version__) >= "2.5.0", "NumPy has them no longer")
    def test_cross_of_two_elements(self):
        self.results(PRODUCTS_OF_TWO_ELEMENTS)

    def test_infinite_elements(self):
        """NumPy's singular values of such matrices never end, or do not converge."""
        a = np.eye(3) + np.ones((3, 3))
        a[0, 0] = np.inf
        for function in (lambda a: np.linalg.svd(a), lambda a: np.linalg.svdvals(a), lambda a: np.linalg.pinv(a), lambda a: np.linalg.matrix_rank(a),
                         lambda a: np.linalg.cond(a), lambda a: np.linalg.norm(a, 2), lambda a: np.linalg.lstsq(a, a[1])):
            for matrix in (a, -a.T):
                with self.subTest(function.__code__.co_names), self.assertRaisesRegex(np.linalg.LinAlgError, "SVD did not converge"):
                    jit(function)(matrix)
        with self.assertRaisesRegex(np.linalg.LinAlgError, "SVD did not converge"):
            jit(lambda a: np.linalg.svd(a))(np.array([a, np.eye(3)]))

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
