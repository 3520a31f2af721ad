"""Products that are large enough for the runtime to cut: into blocks of the result, into parts of the sums, into the blocks below a diagonal."""
import unittest

import numpy as np

from harness import Comparison, jit


def product(a, b):
    return a @ b


def of_itself(a):
    return a @ a.T


def transposed_by_itself(a):
    return a.T @ a


def added(a, b, c):
    c += a @ b


def transposed(a, b):
    return (b.T @ a.T).T, a.T[:, ::2].T @ b


def long_sums(a, b, label):
    return a.T @ b


def sums_of_clusters(a, b, label):
    belongs = (label[:, None] == np.arange(a.shape[1])).astype(b.dtype)
    return belongs.T @ b


def in_turn_with_loops(a, b):
    for _ in range(3):
        a = np.tanh(a @ b / b.shape[0])
    return a


def with_vector(a, x):
    return a @ x, np.exp(-np.abs(a @ x))


def with_parts(a, x, y):
    y[::2] = a[1:, 2:] @ x[::2][:a.shape[1] - 2]
    return a[::-1, ::2] @ x[:(a.shape[1] + 1) // 2], y


def residuals(a, x):
    return a.T @ (a @ x - 0.5), np.exp(-(a * 0.25) @ np.abs(x)), a @ np.where(x > 0, x, 2.0)


def in_place(a, x):
    a[:, 0] = a @ x
    return a[:, 1:].T @ a[:, 0]


class LargeProducts(Comparison):
    def matrix(self, rows, columns, dtype, seed=1):
        rng = np.random.default_rng(seed)
        values = rng.integers(-8, 8, (rows, columns)) / 4
        return (values + 1j * values[::-1]).astype(dtype) if dtype[0] == "c" else values.astype(dtype)

    def test_blocks_and_sums(self):
        shapes = [(200, 200, 200), (301, 113, 97), (20, 900, 700), (900, 20, 700), (7, 5, 9001), (64, 48, 20000)]
        for function in (product, transposed):
            compiled = jit(function)
            for dtype in ("f4", "f8", "c8", "c16"):
                for m, n, k in shapes:
                    with self.subTest(function.__name__, dtype=dtype, shape=(m, n, k)):
                        self.compare(function, [self.matrix(m, k, dtype), self.matrix(k, n, dtype, 2)], compiled, scale=64)

    def test_few_sums_of_many_terms(self):
        """On a GPU, a thread has several rows of the result, or one."""
        for function in (long_sums, sums_of_clusters):
            compiled = jit(function)
            for m, n in ((1, 1), (4, 3), (8, 16), (10, 7)):
                for dtype in ("f2", "f4", "f8", "c16"):
                    with self.subTest(function.__name__, dtype=dtype, shape=(m, n)):
                        rng = np.random.default_rng(m)
                        values = [rng.integers(0, 2, (17000, width)).astype(dtype) for width in (m, n)]
                        self.compare(function, [*values, rng.integers(0, m, 17000)], compiled, scale=64)

    def test_triangles(self):
        for function, shapes in ((of_itself, ((330, 250), (9, 9000), (700, 17))), (transposed_by_itself, ((250, 330), (9000, 9)))):
            compiled = jit(function)
            for dtype in ("f4", "f8", "c16"):
                for m, n in shapes:
                    with self.subTest(function.__name__, dtype=dtype, shape=(m, n)):
                        self.compare(function, [self.matrix(m, n, dtype)], compiled, scale=64)

    def test_added(self):
        compiled = jit(added)
        for m, n, k in ((210, 220, 230), (10, 11, 9000)):
            with self.subTest(shape=(m, n, k)):
                self.compare(added, [self.matrix(m, k, "f8"), self.matrix(k, n, "f8", 2), self.matrix(m, n, "f8", 3)], compiled, scale=64)

    def test_with_a_vector(self):
        """The matrix's rows or its columns lie side by side, or neither; results that are short are sums of parts."""
        compiled = jit(with_vector)
        for dtype in ("f4", "f8", "c8", "c16"):
            for m, n in ((64, 64), (700, 300), (90000, 3), (5, 40000), (20000, 17), (2000, 2)):
                x = self.matrix(n, 1, dtype, 2)[:, 0]
                for name, a in (("rows", self.matrix(m, n, dtype)), ("columns", self.matrix(n, m, dtype).T)):
                    with self.subTest(name, dtype=dtype, shape=(m, n)):
                        self.compare(with_vector, [a, x], compiled, scale=64)
        compiled = jit(residuals)
        for m, n in ((130, 150), (3, 5), (3000, 20)):
            self.compare(residuals, [self.matrix(m, n, "f8") / 64, self.matrix(n, 1, "f8", 2)[:, 0]], compiled, scale=4096)
        for function in (with_parts, in_place):
            compiled = jit(function)
            for m, n in ((130, 150), (3, 5), (3000, 20)):
                with self.subTest(function.__name__, shape=(m, n)):
                    arguments = [self.matrix(m, n, "f8"), self.matrix(2 * n, 1, "f8", 2)[:, 0]]
                    arguments = arguments + [np.zeros(2 * m - 2)] if function is with_parts else [arguments[0], arguments[1][:n].copy()]
                    self.compare(function, arguments, compiled, scale=64)

    def test_in_turn(self):
        self.compare(in_turn_with_loops, [self.matrix(300, 256, "f4"), self.matrix(256, 256, "f4", 2)], jit(in_turn_with_loops), scale=64)


if __name__ == "__main__":
    unittest.main()
