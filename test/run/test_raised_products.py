"""Loops of products whose operands the loop leaves as they are: one product before the loop, with the results and errors of the loop."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def rows_times_matrix(a, b):
    out = np.empty((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        out[i] = a[i] @ b
    return out


def matrix_times_columns(a, b):
    out = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for j in range(b.shape[1]):
        out[:, j] = a @ b[:, j]
    return out


def matrix_times_rows(a, b):
    out = np.zeros((b.shape[0], a.shape[0]), a.dtype)
    for j in range(1, b.shape[0] - 1):
        out[j] = 2.0 * np.dot(a, b[j + 1]) - 1.0
    return out


def all_dots(a, b):
    out = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = np.dot(a[i], b[:, j])
    return out


def lower_dots(a):
    out = np.zeros((a.shape[0], a.shape[0]), a.dtype)
    for i in range(a.shape[0]):
        for j in range(i + 1):
            out[i, j] = a[i] @ a[j]
            out[j, i] = out[i, j]
    return out


def covariance(m, float_n, data):
    data -= np.mean(data, axis=0)
    cov = np.zeros((m, m), data.dtype)
    for i in range(m):
        cov[i:m, i] = cov[i, i:m] = data[:, i] @ data[:, i:m] / (float_n - 1.0)
    return cov


def strictly_upper(a):
    out = np.zeros((a.shape[1], a.shape[1]), a.dtype)
    for i in range(a.shape[1] - 1):
        out[i, i + 1:] = a[:, i] @ a[:, i + 1:]
    return out


def up_to_the_row(a, b):
    out = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        out[i, :i + 1] = a[i] @ b[:, :i + 1]
    return out


def last_first(a, b):
    out = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0] - 1, -1, -1):
        out[i] = a[i] @ b
    return out


def every_other(a, b):
    total = np.zeros(b.shape[1], a.dtype)
    for i in range(a.shape[0] // 2):
        total += a[2 * i] @ b
    return total


def from_the_end(a, b, n):
    out = np.zeros((n, b.shape[1]), a.dtype)
    for i in range(n):
        out[i] = a[i - 2] @ b
    return out


def some_rows(a, b, first, last):
    out = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(first, last):
        out[i] = a[i] @ b
    return out


def windows(a, b):
    w = b.shape[0]
    out = np.zeros((a.size - w + 1, b.shape[1]), a.dtype)
    for i in range(a.size - w + 1):
        out[i] = a[i:i + w] @ b
    return out


def changed_in_the_loop(a, b):
    for i in range(a.shape[0]):
        b[0] = a[i] @ b
    return b


def rows_changed_in_the_loop(a, b):
    for i in range(a.shape[0] - 1):
        a[i + 1] += a[i] @ b


def for_each_step(a, b, steps):
    out = np.zeros((steps, a.shape[0], b.shape[1]), a.dtype)
    for t in range(steps):
        for i in range(a.shape[0]):
            out[t, i] = a[i] @ b
        a *= 0.5
    return out


def carrying(a, b):
    largest = 0.0
    for i in range(a.shape[0]):
        largest = max(largest, (a[i] @ b).max())
    return largest


def gates(x, h, w, v, u, s, b):
    """Products of the samples, of the state, and of what is made of it."""
    states = np.zeros((x.shape[0],) + h.shape, h.dtype)
    for t in range(x.shape[0]):
        z = 1 / (1 + np.exp(-(x[t] @ w + h @ u + b)))
        r = 1 / (1 + np.exp(-(x[t] @ v + h @ s)))
        h = (1 - z) * h + z * np.tanh((r * h) @ u)
        states[t] = h
    return states


def backward(x, h, w, u):
    for t in range(x.shape[1] - 1, 0, -2):
        h = np.tanh(x[:, t] @ w + h @ u) + x[:, t - 1] @ w
    return h


def pairs(x, y, h):
    for t in range(x.shape[0]):
        h = np.tanh(h @ h.T @ h / 100 + x[t] @ y[t])
    return h


def next_samples_change(x, h, w):
    for t in range(x.shape[0] - 1):
        h = np.tanh(x[t] @ w + h)
        x[t + 1] = x[t + 1] + h @ w.T
    return h


def weights_change(x, h, w, u):
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h @ u) + x[t] @ u[:x.shape[2]]
        w[0, 0] += 1
    return h


def four_gates(x, h, c, u):
    """The state is few enough for one kernel of all steps, whose blocks share out rows and products differently."""
    n = c.shape[1]
    for t in range(x.shape[0]):
        z = x[t] + h @ u
        c = z[:, n:2 * n] * c + z[:, :n] * z[:, 3 * n:]
        h = z[:, 2 * n:3 * n] * np.tanh(c)
    return h, c


def halves(a, b, x):
    for _ in range(5):
        x = np.concatenate((a @ x, b @ x)) / 50 + x * 0.25
    return x


def one_sample_more(x, h, w, u):
    for t in range(x.shape[0] + 1):
        h = np.tanh(x[t] @ w + h @ u)
    return h


class RaisedProducts(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(11)

    def array(self, *shape, dtype="f8"):
        values = self.random.random(shape)
        if np.dtype(dtype).kind == "c":
            values = values + 1j * self.random.random(shape)
        return values.astype(dtype) if np.dtype(dtype).kind != "i" else (values * 10).astype(dtype)

    def test_rows_and_columns(self):
        for n, k, m in [(1, 1, 1), (3, 4, 5), (0, 3, 2), (3, 0, 2), (3, 2, 0), (150, 20, 30)]:
            for dtype in ("f8", "f4", "c16", "i8"):
                a, b = self.array(n, k, dtype=dtype), self.array(k, m, dtype=dtype)
                for function in (rows_times_matrix, matrix_times_columns, all_dots, last_first, every_other):
                    self.compare(function, [a, b], scale=8)
                self.compare(matrix_times_rows, [a, self.array(m, k, dtype=dtype)], scale=8) if dtype == "f8" else None

    def test_parts(self):
        for n, m in [(1, 1), (4, 3), (3, 7), (40, 30)]:
            a = self.array(n, m)
            self.compare(covariance, [m, float(n), a], scale=64)
            self.compare(strictly_upper, [a], scale=8)
            self.compare(lower_dots, [a], scale=8)
            self.compare(up_to_the_row, [a, self.array(m, n)], scale=8)
            self.compare(up_to_the_row, [a, self.array(m, max(n - 2, 0))], scale=8)
            self.compare(up_to_the_row, [a, self.array(m, n + 2)], scale=8)

    def test_several_blocks(self):
        self.compare(strictly_upper, [self.array(3, 1100)], scale=8)
        self.compare(up_to_the_row, [self.array(1100, 3), self.array(3, 1100)], scale=8)
        self.compare(lower_dots, [self.array(600, 3)], scale=8)

    def test_views(self):
        a, b = self.array(40, 60), self.array(60, 50)
        self.compare(rows_times_matrix, [a[::2, ::3], b[::3, ::-1]], scale=8)
        self.compare(rows_times_matrix, [b.T, a.T], scale=8)
        self.compare(all_dots, [a[::-1], b[:, 3:9]], scale=8)

    def test_errors(self):
        a, b = self.array(5, 4), self.array(4, 3)
        self.compare(rows_times_matrix, [a, self.array(3, 3)])
        self.compare(rows_times_matrix, [self.array(0, 4), self.array(3, 3)])
        self.compare(all_dots, [a, self.array(3, 3)])
        self.compare(covariance, [5, 4.0, a], scale=64)
        self.compare(covariance, [3, 4.0, a], scale=64)
        for first, last in [(0, 5), (2, 4), (3, 2), (0, 6), (4, 9), (7, 9), (-2, 2), (-9, 0)]:
            self.compare(some_rows, [a, b, first, last], scale=8)
        for n in (0, 1, 4, 7, 8):
            self.compare(from_the_end, [a, b, n], scale=8)

    def test_what_is_no_whole_product(self):
        a, b = self.array(6, 4), self.array(4, 4)
        self.compare(windows, [self.array(30), self.array(4, 3)], scale=8)
        self.compare(changed_in_the_loop, [a, b], scale=64)
        self.compare(rows_changed_in_the_loop, [a, b], scale=64)
        self.compare(for_each_step, [a, b, 3], scale=8)
        self.compare(carrying, [a, b], scale=8)
        shared = self.array(8, 4)
        self.compare(rows_changed_in_the_loop, [shared, shared[2:6]], scale=64)

    def test_infinities_stay_where_they_are(self):
        a = self.array(5, 4)
        a[1, 2], a[3, 0] = np.inf, np.nan
        for function in (strictly_upper, lower_dots):
            self.compare(function, [a], scale=8)

    def test_matrices_of_iterations(self):
        x, h, w, v = self.array(5, 20, 24), self.array(20, 30), self.array(24, 30), self.array(24, 30)
        u, s, b = self.array(30, 30), self.array(30, 30), self.array(30)
        self.compare(gates, [x, h, w, v, u, s, b], scale=64)
        self.compare(gates, [x[:0], h, w, v, u, s, b], scale=64)
        self.compare(gates, [x[::-1, :, ::-1], h, w, v, u.T, s, b], scale=64)
        self.compare(backward, [self.array(20, 6, 24), h, w, u], scale=64)
        self.compare(pairs, [self.array(4, 20, 24), self.array(4, 24, 20), self.array(20, 20)], scale=64)
        self.compare(next_samples_change, [self.array(4, 20, 24), self.array(20, 24), self.array(24, 24)], scale=64)
        self.compare(weights_change, [x, h, w, u], scale=64)
        self.compare(four_gates, [self.array(3, 20, 120) - 0.5, self.array(20, 30), self.array(20, 30), self.array(30, 120) - 0.5], scale=64)
        self.compare(halves, [self.array(20, 40), self.array(20, 40), self.array(40, 10)], scale=64)

    def test_matrices_of_iterations_errors(self):
        x, h, w, u = self.array(5, 20, 24), self.array(20, 30), self.array(24, 30), self.array(30, 30)
        for arguments in ([x, h, w, u], [x, h, w[1:], u], [x, h, w, w]):
            with self.assertRaises((IndexError, ValueError)) as expected:
                one_sample_more(*arguments)
            with self.assertRaises(type(expected.exception)) as raised:
                jit(one_sample_more)(*arguments)
            self.assertEqual(str(raised.exception), str(expected.exception))

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        def launches(function, *arguments):
            compiled = jit(function)
            compiled(*arguments)
            before = npcc.counters()["launches"]
            compiled(*arguments)
            return npcc.counters()["launches"] - before

        a, b = self.array(100, 7), self.array(7, 90)
        # A call of a library is none of the compiled launches.
        for function, arguments, count in EXPECTED:
            with self.subTest(function.__name__):
                self.assertEqual(launches(function, *arguments(a, b)), count)


EXPECTED = [
    (rows_times_matrix, lambda a, b: (a, b), 1),
    (matrix_times_columns, lambda a, b: (a, b), 2),
    (all_dots, lambda a, b: (a, b), 2),
    (strictly_upper, lambda a, b: (b,), 2),
]

if __name__ == "__main__":
    unittest.main()
