"""Running sums, phases, and what lies between zeros, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
V   | np.cumulative_prod(a), np.cumulative_sum(a), np.cumulative_sum(a, include_initial=True), np.cumulative_prod(a, axis=0, dtype=np.float32, include_initial=True)
A   | np.cumulative_sum(a, axis=(1,))
A   | np.cumulative_sum(a, axis=1), np.cumulative_sum(a, axis=0, include_initial=True), np.cumulative_prod(a, axis=-1, out=np.zeros((4, 5)))
I   | np.cumulative_sum(a, axis=0, dtype=float), np.cumulative_prod(a[0])
V   | np.unwrap(a * 20), np.unwrap(a * 20, discont=4), np.unwrap(a * 20, period=3.0)
A   | np.unwrap(a * 20), np.unwrap(a * 20, axis=0), np.unwrap(a * 20, None, 0)
Z   | np.unwrap(a, period=4), np.unwrap(a, period=5)
Z   | np.trim_zeros(a), np.trim_zeros(np.array([0, 0, 1, 2, 0, 3, 0])), np.trim_zeros([0, 1, 0], 'f'), np.trim_zeros(np.array([0, 1, 0]), 'B'), np.trim_zeros(np.zeros(3))
P   | np.trim_zeros(a), np.trim_zeros(a, axis=0), np.trim_zeros(np.pad(a, 2)), np.trim_zeros(np.pad(a, 2), axis=1), np.trim_zeros(np.pad(a, 2), trim='f', axis=-1)
O A | np.trim_zeros(a), np.trim_zeros(a, axis=()), np.trim_zeros(3, axis=()), np.trim_zeros(b, axis=())
"""

ERRORS = r"""
A   | np.cumulative_sum(a)
A   | np.partition(a, 1, kind=None)
A   | np.argpartition(a, 1, kind='x')
A   | np.cumulative_sum(a, axis=(0, 1))
A   | np.cumulative_sum(a, axis=())
A   | np.cumulative_prod(a, axis=(0, 3))
A   | np.cumulative_sum(a, axis=(0,), include_initial=True)
Z   | np.trim_zeros(a, 'x')
A   | np.trim_zeros(a, axis=2)
O   | np.trim_zeros(a, axis=0)
"""


class Sequences(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
