"""Explicit loops that carry numbers or elements from one iteration to the next: the same bits as Python's, at the borders of what a block takes at once."""
import unittest

import numpy as np

import harness
from harness import jit

SIZES = (0, 1, 2, 31, 255, 256, 257, 1023, 1024, 1025, 2500)


def decay(x, w):
    s, greatest = 0.0, -1.0
    y = np.zeros(len(x))
    for i in range(len(x)):
        s = s * 0.5 + x[i] * w[i]
        y[i] = s
        if x[i] > greatest:
            greatest = x[i]
    return y, s, greatest


def dot(x, w):
    s = 0.0
    for i in range(len(x)):
        s += np.exp(x[i]) * w[i]
    return s


def whole(b, start):
    count, greatest, least, bits = start, 0, 0, 0
    for i in range(len(b)):
        count += b[i] & 3
        greatest = max(greatest, b[i])
        least = min(least, b[i])
        bits ^= b[i]
    return count, greatest, least, bits


def place(x):
    best, at, found = -1.0, -1, False
    for i in range(len(x)):
        if x[i] > best:
            best, at, found = x[i], i, x[i] > 0.9
    return best, at, found


def smooth(x, dt):
    y = np.zeros(len(x) + 1)
    y[0] = 0.25
    for i in range(1, len(x) + 1):
        y[i] = y[i - 1] + dt * (x[i - 1] - y[i - 1])
    return y


def in_place(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]


def rows(a):
    y = np.zeros_like(a)
    for r in range(a.shape[0]):
        y[r, 0] = a[r, 0]
        for i in range(1, a.shape[1]):
            y[r, i] = y[r, i - 1] * 0.5 + a[r, i]
    return y


def every_second(x):
    s = 1.0 + 0.0j
    z = np.zeros(len(x), np.complex128)
    for i in range(len(x) - 1, -1, -2):
        s = s * 1j + x[i]
        z[i] = s
    return s, z


def checked(x, w, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * w[i]
        y[i] = s
    return s


def halves(x):
    y = np.zeros(len(x))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        y[i // 2] = s
    return y, s


def gathered(x, p):
    s = 0.0
    for i in range(len(p)):
        s += x[p[i]]
    return s


def crc(data):
    state = 0xFFFF
    for i in range(len(data)):
        byte = data[i]
        state ^= int(byte)
        for _ in range(8):
            if state & 1:
                state = (state >> 1) ^ 0xA001
            else:
                state >>= 1
    return state


class CarryingLoops(unittest.TestCase):
    def same(self, function, *arguments):
        mine = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        wanted, raised = self.outcome(function, arguments)
        got, error = self.outcome(jit(function), mine)
        self.assertEqual(error, raised)
        for a, b in zip(wanted, got):
            np.testing.assert_array_equal(b, a)
        for a, b in zip(arguments, mine):
            if isinstance(a, np.ndarray):
                np.testing.assert_array_equal(b, a)

    @staticmethod
    def outcome(function, arguments):
        try:
            value = function(*arguments)
        except IndexError as error:
            return (), str(error)
        return value if isinstance(value, tuple) else () if value is None else (value,), None

    def test_sizes(self):
        for n in SIZES:
            random = np.random.default_rng(n)
            x, w, b = random.random(n), random.random(n), random.integers(-1000, 1000, n)
            for function, arguments in [(decay, (x, w)), (whole, (b, 5)), (place, (x,)), (smooth, (x, 0.1)), (in_place, (x.copy(),)), (halves, (x,)),
                                        (every_second, (x,)), (crc, (b.astype(np.uint8),))]:
                with self.subTest(function=function.__name__, size=n):
                    self.same(function, *arguments)

    def test_functions_of_elements(self):
        for n in SIZES:
            x, w = np.random.default_rng(n).random((2, n))
            np.testing.assert_allclose(jit(dot)(x, w), dot(x, w), rtol=1e-14 * max(n, 1))

    def test_totals_of_floats(self):
        """A total that nothing in the loop reads is grouped on a GPU, in one way in every run; elsewhere it has Python's bits."""
        for n in SIZES:
            random = np.random.default_rng(n)
            x, p = random.random(n), random.permutation(n)
            with self.subTest(size=n):
                if harness.TARGET != "cuda":
                    self.same(gathered, x, p)
                first, again = jit(gathered)(x, p), jit(gathered)(x, p)
                self.assertEqual(first, again)
                np.testing.assert_allclose(first, gathered(x, p), rtol=1e-15 * max(n, 1))

    def test_lines(self):
        for shape in [(1, 1), (3, 700), (300, 5), (1, 3000)]:
            with self.subTest(shape=shape):
                self.same(rows, np.random.default_rng(1).random(shape))

    def test_what_a_failed_check_leaves_behind(self):
        x = np.random.default_rng(2).random(1500)
        for short in (0, 1, 700, 1499, 1500):
            with self.subTest(short=short):
                self.same(checked, x, x[:short], np.zeros(1500))
                self.same(checked, x, x, np.zeros(short))

    def test_arrays_that_overlap(self):
        # In the general version the array that is stored may be one that is read.
        base = np.random.default_rng(3).random(40)
        mine = base.copy()
        checked(base[1:21], base[:20], base[2:22])
        jit(checked)(mine[1:21], mine[:20], mine[2:22])
        np.testing.assert_array_equal(mine, base)


if __name__ == "__main__":
    unittest.main()
