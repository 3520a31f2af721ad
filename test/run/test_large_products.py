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


def in_turn_with_loops(a, b):
    for _ in range(3):
        a = np.tanh(a @ b / b.shape[0])
    return a


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

    def test_in_turn(self):
        self.compare(in_turn_with_loops, [self.matrix(300, 256, "f4"), self.matrix(256, 256, "f4", 2)], jit(in_turn_with_loops), scale=64)


if __name__ == "__main__":
    unittest.main()
