"""Distinct elements, sets and orders, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
Z   | np.unique(a, axis=-1, return_inverse=True)
N   | np.unique(a[0], axis=0), np.unique(a.ravel(), axis=0, return_counts=True)
Z   | np.unique_all(a), np.unique_counts(a), np.unique_inverse(a), np.sort(np.unique_values(a))
N   | np.unique(a, equal_nan=False), np.unique(a, return_counts=True, equal_nan=False), np.unique_counts(a)
I   | np.unique(a, axis=0), np.unique(a, axis=1), np.unique(a % 2, axis=0), np.unique(a % 2, axis=-1), np.unique(a, sorted=True)
I   | np.unique(a % 2, axis=0, return_index=True, return_inverse=True, return_counts=True), np.unique(a[:, :2] % 2, axis=0, return_inverse=True)
T   | np.unique(a > 0.5, axis=1), np.unique(a, axis=2, return_counts=True)
I   | np.lexsort(a), np.lexsort((a, a)), np.lexsort((a, -a), axis=0), np.lexsort(a[0]), np.lexsort((a[0], a[1]))
*   | np.sort_complex(a) if a.ndim else 0
A   | np.partition(a, 2)[:, 2], np.partition(a, [1, 3])[:, 1], np.partition(a, 1, axis=None)[1]
E   | np.partition(a, 0), np.partition(a, 5, axis=0), np.argpartition(a, 7), np.argpartition(a, 0, axis=None)
O   | np.argpartition(a, 0), np.argpartition(a, 0, axis=0), np.argpartition(a, 0, axis=None)
V   | w = np.lib.stride_tricks.sliding_window_view(a, 3); s = np.sort(w, axis=1); return np.median(w, axis=1), s, np.unique(w), np.cumsum(w, 1)
A   | a.argpartition(2)[0, 0] * 0, a.partition(2)
A   | a.partition(2, axis=1); return a[:, 2]
"""

ERRORS = r"""
Z   | np.unique(a, axis=0, return_counts=True), np.unique(a, axis=1)
I   | np.lexsort((a, a[:2]))
A   | np.partition(a, 9)
O   | np.argpartition(a, 1)
O   | np.partition(a, 0)
A   | np.partition(a, 1.5)
A   | np.partition(a, 1, kind='x')
"""


class Sets(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
