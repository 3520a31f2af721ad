"""Loops in which every position needs what its own line holds only: on a GPU one launch, with the results and errors of the loop."""
import unittest

import numpy as np

from harness import TARGET, Comparison, count_launches, jit


def along_rows(x, a, b):
    y = np.empty_like(x)
    y[:, 0] = x[:, 0]
    y[:, 1] = x[:, 1]
    for j in range(2, x.shape[1]):
        y[:, j] = x[:, j] + a * y[:, j - 1] + b * y[:, j - 2]
    return y


def down_columns(x, a):
    y = x.copy()
    for i in range(1, x.shape[0]):
        y[i] += a * y[i - 1]
    for i in range(x.shape[0] - 2, -1, -1):
        y[i] -= a * y[i + 1]
    return y


def in_place(x, a):
    for i in range(1, x.shape[0]):
        x[i, :] = a * x[i, :] + x[i - 1, :]


def planes(u, v):
    for k in range(1, u.shape[2]):
        t = u[:, :, k] / (1.0 + v[:, :, k - 1])
        v[:, :, k] -= t * v[:, :, k - 1]
        u[:, :, k] = t


def many_times(x, steps):
    for _ in range(steps):
        x *= 3.7 - 3.7 * x
    return x


def maybe(x, steps):
    for k in range(steps):
        x += 1.0
        if k % 3 == 1:
            x *= 0.5


def beyond(x, n):
    for j in range(1, n):
        x[:, j] += x[:, j - 1]


def neighbours(x, steps):
    for _ in range(steps):
        x[1:] = 0.5 * (x[1:] + x[:-1])


def other_lines(x):
    for j in range(1, x.shape[1]):
        x[:, j] += x[::-1, j - 1]


def of_two(x, y):
    for j in range(1, x.shape[1]):
        x[:, j] += y[:, j - 1]
        y[:, j] -= x[:, j]


def fewer_each_time(x):
    for j in range(1, x.shape[1]):
        x[j:, j] += x[j:, j - 1]


class Lines(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(3)

    def test_recurrences(self):
        for shape in [(1, 2), (5, 7), (40, 3), (3, 90)]:
            for dtype in ("f8", "f4", "c16"):
                x = self.random.random(shape).astype(dtype)
                self.compare(along_rows, [x, 0.3, -0.2], scale=8)
                self.compare(down_columns, [x, 0.25], scale=8)
                self.compare(in_place, [x, 0.5], scale=8)
        self.compare(planes, [self.random.random((4, 5, 9)), self.random.random((4, 5, 9))], scale=8)

    def test_many_times(self):
        for n in (1, 70):
            self.compare(many_times, [self.random.random(n), 9], scale=1000)
            self.compare(maybe, [self.random.random(n), 9], scale=8)

    def test_views(self):
        x = self.random.random((9, 8))
        self.compare(in_place, [x[::-2, 1:6], 0.5], scale=8)
        self.compare(of_two, [x[:, :4], x[:, 4:]], scale=8)
        self.compare(of_two, [x, x], scale=8)
        self.compare(of_two, [x, x[::-1]], scale=8)

    def test_errors(self):
        for n in (0, 1, 8, 9):
            self.compare(beyond, [self.random.random((3, 8)), n], scale=8)

    def test_what_needs_other_lines(self):
        x = self.random.random((9, 8))
        self.compare(neighbours, [x, 5], scale=8)
        self.compare(other_lines, [x], scale=8)
        self.compare(fewer_each_time, [x], scale=8)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        x = self.random.random((30, 40))
        for function, arguments, count in [(in_place, [x, 0.5], 1), (many_times, [x, 50], 1), (beyond, [x, 40], 1),
                                           (along_rows, [x, 0.1, 0.2], 1), (planes, [x.reshape(3, 4, 100), x.reshape(3, 4, 100) * 2], 1)]:
            with self.subTest(function.__name__):
                compiled = jit(function)
                self.assertEqual(count_launches(compiled, arguments), count)


if __name__ == "__main__":
    unittest.main()
