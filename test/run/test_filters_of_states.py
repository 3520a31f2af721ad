"""Steps that need a small matrix's inverse or solution each: written out, they are one kernel on a GPU."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, count_launches, jit


def kalman(z, f, h, q, r, x, p):
    states = np.zeros((z.shape[0], x.shape[0]))
    eye = np.eye(x.shape[0])
    for t in range(z.shape[0]):
        x = f @ x
        p = f @ p @ f.T + q
        s = h @ p @ h.T + r
        gain = p @ h.T @ np.linalg.inv(s)
        x = x + gain @ (z[t] - h @ x)
        p = (eye - gain @ h) @ p
        states[t] = x
    return states, p


def newton(x, steps):
    """Of two equations."""
    for _ in range(steps):
        value = np.array([x[0] ** 2 + x[1] ** 2 - 4, x[0] * x[1] - 1])
        slope = np.array([[2 * x[0], 2 * x[1]], [x[1], x[0]]])
        x = x - np.linalg.solve(slope, value)
    return x


def matrices(a, b):
    m = a @ a.T + np.eye(a.shape[0])
    return np.linalg.inv(m), np.linalg.solve(m, b), np.linalg.det(m), np.linalg.cholesky(m)


class FiltersOfStates(Comparison):
    def test_results(self):
        g = np.random.default_rng(1)
        f, h = np.eye(4) + 0.1 * np.eye(4, k=2), np.eye(2, 4)
        for steps in (0, 1, 7):
            self.compare(kalman, (g.random((steps, 2)), f, h, 0.01 * np.eye(4), 0.1 * np.eye(2), g.random(4), np.eye(4)))
        self.compare(newton, (np.array([2.0, 0.6]), 5))
        for dtype in ("f4", "f8", "c16"):
            for n in (1, 2, 3, 4, 5):
                with self.subTest(dtype=dtype, n=n):
                    self.compare(matrices, (g.random((n, n)).astype(dtype), g.random(n).astype(dtype)), scale=100)
                    self.compare(matrices, (g.random((n, n)).astype(dtype), g.random((n, 3)).astype(dtype)), scale=100)

    def test_errors(self):
        with self.assertRaisesRegex(np.linalg.LinAlgError, "^Singular matrix$"):
            jit(newton)(np.array([1.0, 1.0]), 1)
        with self.assertRaisesRegex(np.linalg.LinAlgError, "^Singular matrix$"):
            jit(kalman)(np.ones((2, 2)), np.zeros((2, 2)), np.eye(2), np.zeros((2, 2)), np.zeros((2, 2)), np.ones(2), np.eye(2))

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        g = np.random.default_rng(2)
        f, h = np.eye(4) + 0.1 * np.eye(4, k=2), np.eye(2, 4)
        for function, expected, arguments in ((kalman, 3, (g.random((31, 2)), f, h, 0.01 * np.eye(4), 0.1 * np.eye(2), g.random(4), np.eye(4))),
                                              (matrices, 1, (g.random((3, 3)), g.random(3)))):
            with self.subTest(function=function.__name__):
                given = [npcc.asarray(a) for a in arguments]
                compiled = jit(function)
                self.assertEqual(count_launches(compiled, given), expected)


if __name__ == "__main__":
    unittest.main()
