"""Arrays of positions, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
n   | np.diag_indices(3)
n   | np.diag_indices(a, 3), np.diag_indices(n=a, ndim=2)
S   | a[np.diag_indices_from(a)]
T   | np.diag_indices_from(a)
n   | np.tril_indices(a), np.triu_indices(a, 1), np.tril_indices(a, -1, 3), np.triu_indices(a, k=-1, m=7)
S   | a[np.tril_indices_from(a)], a[np.triu_indices_from(a, 1)], np.tril_indices_from(a, k=1), np.triu_indices_from(a, k=-1)
n   | np.mask_indices(3, np.triu), np.mask_indices(3, np.tril, 1), np.mask_indices(4, np.triu, k=-1)
Z   | np.ravel_multi_index((a % 3, a % 4), (3, 4)), np.ravel_multi_index((a % 3, a % 4), dims=(3, 4), order='F'), np.ravel_multi_index((a, a - 3), (3, 4), mode='wrap'), np.ravel_multi_index((a, a - 3), (3, 4), mode=('clip', 'wrap'))
n m | np.ravel_multi_index((a, a), (7, 8)), np.ravel_multi_index((a, b), (7, 8), mode='clip')
I   | np.ravel_multi_index(a[:2] % 3, (3, 4)), np.ravel_multi_index((1, a[0] % 4), (3, 4))
Z   | np.unravel_index(a, (3, 4)), np.unravel_index(a, (3, 4), order='F'), np.unravel_index(a, shape=(2, 2, 3)), np.unravel_index([1, 2], 5)
n   | np.unravel_index(a, (3, 4)), np.unravel_index(np.int8(a), 9)
A   | np.unravel_index(np.argmax(a), a.shape), np.unravel_index(a.argmin(), a.shape), a[np.unravel_index(np.argmax(a), a.shape)]
I   | np.unravel_index(a, (3, 4))
n   | np.unravel_index(0, ()), np.ix_([]), np.ix_(range(0), [1])
I   | np.unique_all(a).inverse_indices, np.unique_counts(a).counts, np.unique_inverse(a)
Z   | np.intersect1d(a, [1, 2]), np.intersect1d(a, np.arange(20, 1, -2), return_indices=True), np.intersect1d([1, 3, 4, 2], [3, 1, 2, 9], assume_unique=True, return_indices=True)
I Z | np.intersect1d(a, b), np.intersect1d(a, b, return_indices=True)
I   | np.ix_(a[0] > 3, [0, 1]), a[np.ix_([True, False, True, True], a[0] > 3)]
O   | np.argwhere(a), np.argwhere(a > 3), np.argwhere(2)
*   | np.argwhere(a)
n   | np.indices((2, 3), sparse=True), np.indices((a, 2)), np.indices((2, a), dtype=float, sparse=True)
A   | a.put([0, 1], 3.0); a.put(indices=[-1], values=[7]); return a
"""

ERRORS = r"""
A   | np.diag_indices_from(a)
V   | np.diag_indices_from(a)
V   | np.tril_indices_from(a)
Z   | np.ravel_multi_index((a, a), (3, 4))
Z   | np.ravel_multi_index((a, a, a), (3, 4))
V   | np.ravel_multi_index((a, a), (3, 4))
n   | np.ravel_multi_index((slice(0, a), 1), (3, 4))
n   | np.unravel_index(slice(0, a), (3, 4))
Z   | np.unravel_index(a + 9, (3, 4))
V   | np.unravel_index(a, (3, 4))
Z   | np.unravel_index(a, (3, 4), order='X')
n   | np.unravel_index([], (10, 3, 5))
n   | np.unravel_index(1, (4294967295, 2147483649))
n   | np.ravel_multi_index(([0], [0]), (4611686018427387904, 2))
n   | np.unravel_index([0], ())
n   | np.unravel_index([1], ())
Z   | np.ravel_multi_index((a[:1], a[:1]), (0, 3), mode='clip')
"""


class Positions(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
