"""Linear algebra that the pool's threads share: matrices of a stack, columns of a system's solution."""
import unittest

import numpy as np

from harness import Comparison, jit


def solved(a, b):
    return np.linalg.solve(a, b), np.linalg.inv(a)


def of_stacks(a):
    values, vectors = np.linalg.eigh(a @ a.transpose(0, 2, 1))
    return np.linalg.det(a), np.linalg.inv(a), values, np.linalg.svd(a, compute_uv=False)


class SharedFactors(Comparison):
    def test_columns(self):
        rng = np.random.default_rng(1)
        compiled = jit(solved)
        for dtype in ("f8", "f4", "c16"):
            for rows, columns in ((1, 1), (3, 100), (50, 31), (50, 32), (64, 33), (200, 400), (300, 7), (520, 90)):
                with self.subTest(dtype=dtype, rows=rows, columns=columns):
                    a = (rng.random((rows, rows)) + 2 * rows ** .5 * np.eye(rows)).astype(dtype)
                    self.compare(solved, [a, rng.random((rows, columns)).astype(dtype)], compiled, scale=rows * 64)
        for columns in (1, 500):
            singular = np.ones((40, 40))
            with self.assertRaisesRegex(np.linalg.LinAlgError, "Singular matrix"):
                compiled(singular, np.ones((40, columns)))

    def test_stacks(self):
        rng = np.random.default_rng(2)
        compiled = jit(of_stacks)
        for count, rows in ((0, 3), (1, 5), (2, 5), (1000, 5), (7, 30), (40, 40), (5, 260)):
            with self.subTest(count=count, rows=rows):
                self.compare(of_stacks, [rng.random((count, rows, rows)) + rows * np.eye(rows)], compiled, scale=rows ** 2 * 64)
        a = rng.random((3000, 6, 6))
        a[[100, 2999]] = 1
        with self.assertRaisesRegex(np.linalg.LinAlgError, "Singular matrix"):
            compiled(a)


if __name__ == "__main__":
    unittest.main()
