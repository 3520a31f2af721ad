"""Equations, inverses and determinants of stacks of matrices of a few rows: code of their own, chosen by the extents of the call."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def solved(a, b):
    return np.linalg.solve(a, b)


def inverted(a):
    return np.linalg.inv(a)


def determinant(a):
    return np.linalg.det(a)


def factored(a):
    return np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True)


def put_together(x, y, z):
    a = np.empty((x.shape[0], 2, 2))
    a[:, 0, 0] = 2 + x
    a[:, 0, 1] = y
    a[:, 1, 0] = y
    a[:, 1, 1] = 2 + z
    u = np.linalg.solve(a, np.stack([x, z], -1)[..., None])[..., 0]
    return u[:, 0] * u[:, 1] + np.linalg.det(a)


def scaled(a):
    return np.linalg.inv(a * 2.0 + np.eye(3)) * 3.0


def weighted(p, h, r, z, x):
    s = h @ p @ h.T + r
    k = p @ h.T @ np.linalg.inv(s)
    return x + (k @ (z - x @ h.T)[..., None])[..., 0]


def distance(x, m, c):
    d = x - m
    return np.sum(d * np.linalg.solve(c, d[..., None])[..., 0], -1)


def summed(a):
    b = np.linalg.inv(a)
    return b.sum(axis=(1, 2)), (b * b).sum(axis=1), np.abs(b).max(axis=(1, 2)), b - b.swapaxes(1, 2)


def factored_sum(a):
    return np.linalg.cholesky(a @ np.swapaxes(a, -1, -2) + np.eye(a.shape[-1])) * 2.0


def filtered(z, f, h, q, r, x, p):
    for t in range(z.shape[0]):
        x = x @ f.T
        p = f @ p @ f.T + q
        k = p @ h.T @ np.linalg.inv(h @ p @ h.T + r)
        x = x + (k @ (z[t] - x @ h.T)[:, :, None])[..., 0]
        p = (np.eye(4) - k @ h) @ p
    return x, p


class SmallMatrices(Comparison):
    def test_sizes(self):
        for n in (1, 2, 3, 4, 5):
            for batch in ((), (7,), (2, 3)):
                for dtype in ("f8", "f4", "c16"):
                    a, b = (rng.standard_normal(batch + (n, k)).astype(dtype) for k in (n, 2))
                    a = a + 3 * np.eye(n, dtype=dtype)
                    with self.subTest(n=n, batch=batch, dtype=dtype):
                        self.compare(solved, [a, b], scale=100)
                        self.compare(inverted, [a], scale=100)
                        self.compare(determinant, [a], scale=100)

    def test_many_right_sides(self):
        """Which a library shares out, of a copy of the matrices that it may overwrite."""
        for batch in ((), (3,)):
            for n, dtype in ((6, "f8"), (32, "f8"), (32, "f4"), (17, "c16")):
                a, b = (rng.standard_normal(batch + (n, k)).astype(dtype) for k in (n, 3000))
                a = a + 6 * np.eye(n, dtype=dtype)
                with self.subTest(n=n, batch=batch, dtype=dtype):
                    self.compare(solved, [a, b], scale=1000)
        self.compare(solved, [np.zeros((6, 6)), rng.standard_normal((6, 3000))])

    def test_factors(self):
        for n in (2, 3, 4, 5):
            for batch in ((), (7,), (2, 3)):
                for dtype in ("f8", "f4", "c16"):
                    a = rng.standard_normal(batch + (n, n)).astype(dtype)
                    if dtype == "c16":
                        a = a + 1j * rng.standard_normal(a.shape)
                    with self.subTest(n=n, batch=batch, dtype=dtype):
                        self.compare(factored, [a @ np.conj(a.swapaxes(-1, -2)) + np.eye(n, dtype=dtype)], scale=100)
        self.compare(factored, [np.array([[2.0, 9], [1, 3]])])  # one triangle is read
        for wrong in (np.array([[1.0, 2], [2, 1]]), np.zeros((3, 3)), np.full((2, 2), np.nan), -np.eye(4)):
            self.compare(factored, [np.stack([np.eye(len(wrong)), wrong])])

    def test_pivots(self):
        a = np.array([[[0, 1, 2], [1, 0, 3], [4, -3, 8]], [[0, 0, 1], [0, 1, 0], [1, 0, 0]], [[1e-20, 1, 1], [1, 1, 2], [1, 2, 1]]], float)
        self.compare(solved, [a, a[:, :, :1]], scale=10)
        self.compare(inverted, [a], scale=10)
        self.compare(determinant, [a], scale=10)
        self.compare(determinant, [np.ones((2, 3, 3))])

    def test_vectors_and_stacks_that_are_stretched(self):
        a = rng.random((4, 3, 3)) + np.eye(3)
        self.compare(solved, [a[0], rng.random(3)], scale=10)
        self.compare(solved, [a, rng.random((3, 2))], scale=10)
        self.compare(solved, [a[::-1].swapaxes(1, 2), rng.random((2, 4, 3, 2))], scale=10)

    def test_singular_matrices(self):
        a = rng.random((5, 2, 2))
        a[3] = [[1, 2], [2, 4]]
        for function, arguments in ((solved, [a, a]), (inverted, [a]), (inverted, [np.zeros((3, 3))]), (solved, [np.ones((4, 4)), np.ones(4)])):
            self.compare(function, arguments)

    def test_other_sizes_later(self):
        compiled = jit(solved)
        for n in (3, 3, 6, 2, 40, 3, 4):
            a = rng.random((6, n, n)) + n * np.eye(n)
            self.compare(solved, [a, a[..., :1]], compiled, scale=100)

    def test_put_together_and_taken_apart(self):
        x, y, z = rng.random((3, 20))
        self.compare(put_together, [x, y, z], scale=10)

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_launches(self):
        """No copy of the stack in another order, and nothing that the host waits for."""
        compiled = jit(solved)
        a, b = (npcc.array(v, device="cuda") for v in (rng.random((9, 3, 3)) + np.eye(3), rng.random((9, 3, 1))))
        compiled(a, b)
        before = npcc.counters()["launches"]
        compiled(a, b)
        self.assertLessEqual(npcc.counters()["launches"] - before, 1)

    def test_a_filter_of_many_states(self):
        n = 40
        f, h = np.eye(4) + 0.1 * rng.random((4, 4)), rng.random((2, 4))
        self.compare(filtered, [rng.random((3, n, 2)), f, h, 0.1 * np.eye(4), np.eye(2), rng.random((n, 4)), np.stack([np.eye(4)] * n)], scale=100)

    def test_what_is_made_of_them(self):
        """Element by element, by small products, and by sums over the axes of a matrix: part of the kernel that makes them. Few stacks are one
        kernel in any case."""
        for n in (5, 3000):
            a = rng.random((n, 3, 3)) + 2 * np.eye(3)
            p = rng.random((n, 4, 4)) + 4 * np.eye(4)
            cases = ((scaled, [a]), (factored_sum, [a]), (factored_sum, [p]), (distance, [rng.random((n, 3)), rng.random((n, 3)), a]), (summed, [a]),
                     (weighted, [p, rng.random((2, 4)), np.eye(2), rng.random((n, 2)), rng.random((n, 4))]))
            for function, arguments in cases:
                with self.subTest(function=function.__name__, n=n):
                    self.compare(function, arguments, scale=1000)
                    if TARGET == "cuda":
                        compiled, given = jit(function), [npcc.array(v, device="cuda") for v in arguments]
                        compiled(*given)
                        before = npcc.counters()["launches"]
                        compiled(*given)
                        self.assertEqual(npcc.counters()["launches"] - before, 1)


if __name__ == "__main__":
    unittest.main()
