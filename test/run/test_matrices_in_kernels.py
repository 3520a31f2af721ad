"""Factors and solutions of stacks of matrices of 5 to 32 rows, with what makes the matrices and what is made of the result: one kernel on a GPU."""
import os
import unittest
from unittest import mock

import numpy as np

import npcc
from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def inverted(a):
    return np.linalg.inv(2.0 * a + np.eye(a.shape[-1], dtype=a.dtype)) * 3.0


def solved(a, b):
    return np.linalg.solve(a, b * 2) + 1


def factored(a):
    return np.linalg.cholesky(a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(a.shape[-1], dtype=a.dtype)) * 2.0


def determinant(a):
    return np.linalg.det(a * 0.5) * 2.0


def sign_and_logarithm(a):
    sign, logarithm = np.linalg.slogdet(a - 1)
    return sign * 2, logarithm + 1


def distance(a, b):
    x = np.linalg.solve(a + np.eye(a.shape[-1]), b)
    return np.sum(x[..., 0] * b[..., 0], -1)


def checked(a):
    """The matrix is read again behind its factors."""
    m = a + np.eye(a.shape[-1])
    return np.linalg.inv(m) @ m


def shared(a, b):
    """Other kernels read the matrices and the solution, too."""
    m = a + np.eye(a.shape[-1])
    x = np.linalg.solve(m, b)
    return x * 2, m.sum(), x[::-1].copy(), np.sort(m, -1)


def both(a):
    m = a @ np.swapaxes(a, -1, -2) + np.eye(a.shape[-1])
    return np.linalg.inv(m) * 2, np.linalg.det(m), np.linalg.cholesky(m)


def filtered(p, f, h, q, z, x):
    for t in range(z.shape[0]):
        x = (f @ x[..., None])[..., 0]
        p = f @ p @ f.T + q
        k = p @ h.T @ np.linalg.inv(h @ p @ h.T + np.eye(h.shape[0]))
        x = x + (k @ (z[t] - x @ h.T)[..., None])[..., 0]
        p = p - k @ h @ p
    return x, p


def orthogonal(a):
    q, r = np.linalg.qr(a * 2.0)
    return q * 3.0, r - 1.0


def reduced(a):
    return np.linalg.qr(a + 1.0, mode="r") * 2.0


def completed(a):
    q, r = np.linalg.qr(a + 1.0, mode="complete")
    return q @ r - a, q


def spectrum(a):
    w, v = np.linalg.eigh(a + np.conj(np.swapaxes(a, -1, -2)))
    return w * 2.0, v


def root(a):
    """Whatever the signs of the vectors are."""
    w, v = np.linalg.eigh(a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(a.shape[-1], dtype=a.dtype))
    return (v * np.sqrt(w)[..., None, :]) @ np.conj(np.swapaxes(v, -1, -2))


def values(a):
    return np.linalg.eigvalsh(a * 2.0, "U") + 1.0


def caught(a):
    try:
        return np.linalg.inv(a * 1.0) * 2.0
    except np.linalg.LinAlgError:
        return a


def written(a, out):
    out[...] = np.linalg.inv(a * 2.0) * 2.0


def matrices(n, count, dtype="f8"):
    a = rng.standard_normal((count, n, n))
    if dtype[0] == "c":
        a = a + 1j * rng.standard_normal(a.shape)
    return (a + n * np.eye(n)).astype(dtype)


class MatricesInKernels(Comparison):
    def test_sizes(self):
        for n, dtype in ((5, "f8"), (7, "f4"), (8, "c16"), (16, "f8"), (17, "c8"), (32, "f8"), (32, "c16")):
            for count in (1, 9) if dtype == "f8" else (5,):
                a, b = matrices(n, count, dtype), rng.standard_normal((count, n, 2)).astype(dtype)
                with self.subTest(n=n, dtype=dtype, count=count):
                    self.compare(inverted, [a], scale=100)
                    self.compare(solved, [a, b], scale=100)
                    self.compare(solved, [a, np.concatenate([b] * n, -1)[..., :n]], scale=100)
                    self.compare(factored, [a], scale=1000)
                    self.compare(determinant, [a], scale=1000)
                    self.compare(sign_and_logarithm, [a], scale=1000)

    def test_orthogonal_factors(self):
        for (m, n), dtype in (((5, 5), "f8"), ((7, 3), "f4"), ((3, 8), "f8"), ((6, 6), "c16"), ((17, 9), "c8"), ((32, 32), "f8"), ((1, 4), "f8")):
            a = rng.standard_normal((9, m, n))  # a block of a GPU has several warps, and there are several blocks
            a = (a + 1j * rng.standard_normal(a.shape) if dtype[0] == "c" else a).astype(dtype)
            a[2, :, 0] = 0
            with self.subTest(m=m, n=n, dtype=dtype):
                for function in (orthogonal, reduced, completed):
                    self.compare(function, [a], scale=100)
                self.compare(orthogonal, [a[::-1]], scale=100)
                self.compare(orthogonal, [a[:0]])

    def test_eigenvalues(self):
        for n, dtype in ((1, "f8"), (3, "f8"), (5, "f8"), (7, "f4"), (8, "c16"), (6, "c8"), (17, "f8"), (32, "f8")):
            # A block of a GPU has several warps, and there are several blocks. Of larger matrices few have a kernel of their own.
            for count in {17: (3, 300), 32: (3,)}.get(n, (3, 9, 33)):
                a = rng.standard_normal((count, n, n))
                a = (a + 1j * rng.standard_normal(a.shape) if dtype[0] == "c" else a).astype(dtype)
                with self.subTest(n=n, dtype=dtype, count=count):
                    self.compare(root, [a], scale=1000)
                    self.compare(values, [a], scale=1000)
                    w, v = (np.asarray(x) for x in jit(spectrum)(a.copy()))
                    np.testing.assert_allclose((v * (w / 2)[..., None, :]) @ np.conj(v.swapaxes(1, 2)), a + np.conj(a.swapaxes(1, 2)),
                                               atol=300 * n * np.finfo(dtype).eps)

    def test_eigenvalues_that_do_not_converge(self):
        for count in (3, 33):
            a = rng.standard_normal((count, 5, 5))
            a[-2, 3, 2] = np.nan
            self.compare(values, [a.swapaxes(1, 2)])
            self.compare(root, [a])

    def test_views_and_empty_stacks(self):
        a = matrices(6, 10)
        for view in (a[::2], a[::-1], np.swapaxes(a, -1, -2), a[:0], a[3:4], np.broadcast_to(a[0], (4, 6, 6))):
            self.compare(inverted, [view], scale=100)
            self.compare(determinant, [view], scale=100)

    def test_who_else_reads_them(self):
        a, b = matrices(9, 12), rng.standard_normal((12, 9, 3))
        self.compare(checked, [a], scale=100)
        self.compare(shared, [a, b], scale=100)
        self.compare(both, [a], scale=1000)

    def test_pivots(self):
        a = np.zeros((3, 6, 6))
        a[0] = np.eye(6)[::-1]
        a[1] = np.roll(np.eye(6), 1, 0) * 1e-200
        a[2] = np.diag(np.arange(1.0, 7)) + np.tri(6, k=-1) * 1e5
        self.compare(solved, [a, rng.standard_normal((3, 6, 4))], scale=100)
        self.compare(determinant, [a], scale=100)
        self.compare(sign_and_logarithm, [a], scale=100)

    def test_matrices_without_a_result(self):
        a = matrices(7, 5)
        a[3, 2] = a[3, 5]
        a[4] = 0
        self.compare(solved, [a, rng.standard_normal((5, 7, 1))])
        self.compare(inverted, [np.full((3, 5, 5), -0.5) * np.eye(5)])
        self.compare(caught, [a])
        self.compare(written, [a, np.zeros_like(a)])
        self.compare(determinant, [a], scale=100)
        a[:, 0, 1] = np.nan
        self.compare(determinant, [a])
        self.compare(written, [a[:3], np.zeros((3, 7, 7))])

    def test_other_sizes_later(self):
        compiled = jit(inverted)
        for n in (6, 6, 3, 12, 40, 6, 32, 33):
            self.compare(inverted, [matrices(n, 4)], compiled, scale=100)

    def test_a_filter(self):
        n, count = 6, 20
        f, h, q = np.eye(n) + 0.1 * rng.random((n, n)), rng.random((5, n)), 0.1 * np.eye(n)
        self.compare(filtered, [np.stack([np.eye(n)] * count), f, h, q, rng.random((3, count, 5)), rng.random((count, n))], scale=1000)

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    @mock.patch.dict(os.environ, NPCC_CACHE="0")  # code for three sets of extents is made for a function, and other tests have made some
    def test_launches(self):
        for n in (8, 20):
            count = 20 if n == 8 else 300  # few larger Hermitian matrices have a kernel of their own
            given = (matrices(n, 20), rng.random((20, n, 2)), rng.random((20, n, 1)), matrices(n, count), rng.random((20, 8, 2)))
            a, b, c, d, e = (npcc.array(v, device="cuda") for v in given)
            cases = ((inverted, [a]), (solved, [a, b]), (determinant, [a]), (distance, [a, c]), (orthogonal, [a]), (reduced, [b]), (completed, [e]),
                     (values, [d]), (root, [d]))
            for function, arguments in cases:
                compiled = jit(function)
                compiled(*arguments)
                before = npcc.counters()["launches"]
                compiled(*arguments)
                with self.subTest(n=n, function=function.__name__):
                    self.assertEqual(npcc.counters()["launches"] - before, 1)


if __name__ == "__main__":
    unittest.main()
