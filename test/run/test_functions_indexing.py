"""What chooses, places and counts, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
A     | np.select([a < 0.3, a < 0.6], [a, a * 2], 0.0)
V X   | np.interp(a * 5, b, b * b)
A B   | np.where(a > b, a, b), np.where(a > 0.5, 1, 0)
A     | np.take(a, [0, 2], axis=1)
A     | np.compress([True, False, True], a, axis=1)
A     | np.extract(a > 0, a)
Z     | np.bincount(a)
Z V   | np.bincount(a, weights=b, minlength=12)
X V   | np.searchsorted(a, b * 8)
X V   | np.searchsorted(a, b * 8, side='right')
X     | np.searchsorted(a, 3.0)
V X   | np.digitize(a * 8, b)
V N   | np.digitize(a, np.sort(b[0])), np.digitize(a, np.sort(b[1])[::-1]), np.digitize(a, b[3, ::-1] * 0), np.digitize(a, [np.nan, 0.5, 0.2])
N     | np.interp(a, [0.5], [2.0]), np.interp(np.nan, [0.5], [2.0]), np.interp(a, [0.5, 0.6], [2.0, 3.0])
A     | np.histogram(a)
A     | np.histogram(a, bins=4, range=(0.2, 0.8))
V X   | np.histogram(a * 5, bins=b)
A     | np.histogram(a, bins=5, density=True)
I     | np.histogram(a, 3)
A     | a[np.ix_([0, 2], [1, 3])]
V     | np.piecewise(a, [a < 0.3, a > 0.6], [-1, lambda t: t * 2])
V X   | np.interp(a * 9 - 1, b, b * b, left=-1.0)
X     | np.interp(2.5, a, a * a)
V Z   | np.add.at(a, b % 6, 1.0); return a
V Z W | np.add.at(a, b % 6, c); return a
V Z W | np.maximum.at(a, b % 6, c); return a
A     | np.put(a, [0, 7, -1], [1.0, 2.0]); return a
V     | np.put(a, [0, 3], 9); return a
V     | np.put(a, [-1, 9], [1.0, 2.0], mode="wrap"); return a
A     | np.take(a, [-1, 9], axis=1, mode="clip"), np.take(a, [-1, 9], mode="wrap"), np.take(a, 7, 0, None, "clip")
A     | np.take_along_axis(a, np.argsort(a, axis=1), axis=1), np.take_along_axis(a, np.argmax(a, axis=0, keepdims=True), axis=0)
A     | np.put_along_axis(a, np.argmin(a, axis=1, keepdims=True), 5.0, axis=1); return a
S     | np.fill_diagonal(a, 0); return a
A B   | np.copyto(a, b, where=a > 0.5); return a
A     | np.copyto(a, 3); return a
*     | np.take(a, 0)
A n x | np.take(a, True), np.take(a, 1.5), np.take(a, np.float32(2), axis=1), np.take(a, '3'), np.take(a, c * 4, mode='clip'), np.take(a, b > 3, 0)
A n x | np.take(a, np.True_)
A     | np.take(a, [0, 2]), np.take(a, 3), np.take(a, [[0, 1], [2, -3]], axis=1), a.take([1, 2], axis=0)
V Z   | np.take(a, b % 6), np.take(a, indices=b % 3, axis=0)
I     | np.take(a, [-1, 0], axis=-1)
A     | np.compress([True, False, True, True], a, axis=0), np.compress([0, 1, 1], a), np.compress([], a)
V     | np.compress(a > 0.5, a), np.compress(condition=a < 2, a=a)
A P   | np.extract(b, a), a[b]
J     | np.extract(a > 0, a), np.extract(a > 1000, a)
P     | np.flatnonzero(a)
P     | np.nonzero(a)
V     | np.flatnonzero(a > 0.5)
V     | np.where(a > 0.5)
E     | np.compress([], a, axis=0), np.extract(a > 0, a)
E     | np.nonzero(a)
A     | np.compress([True, False, True, False], a, axis=0, out=np.zeros((2, 5)))
V X   | np.digitize(a * 8, b, right=True)
A     | np.histogram(a, bins=3, weights=a)
*     | np.where(a != 0, a, 1)
A     | np.partition(a, 2)[:, 2], np.partition(a, 1, axis=0)[1], np.sort(np.partition(a, 2)[:, :2])
V     | a[np.argpartition(a, 3)[3]], np.sort(np.argpartition(a, 2))
I     | np.partition(a, kth=3, axis=None)[3], np.sort(np.argpartition(a, kth=1, axis=-1)[:, :2])[0] * 0
V     | a.compress(a > 0.5)
A     | a.compress([True, False, True], axis=1)
V     | a.take(2), np.take(a, 1, axis=0), a.take([2, 3])
S W   | np.fill_diagonal(a, b); return a
S Y   | np.fill_diagonal(a, b[:2]); return a
N     | c = np.nan_to_num(a, copy=False); return c, a
"""

ERRORS = r"""
A   | a.compress([True] * 5, axis=0)
Z   | np.bincount(a - 9)
V   | np.interp(1.0, a, a[:2])
V   | np.take(a, [0, 6])
V   | np.take(a, -7)
A   | np.take(a, [0], axis=2)
A   | np.take(a, slice(0, 2))
A   | np.take(a, [[0, 1], [slice(1), 2]], axis=1)
A   | np.take(a, None)
A   | np.take(a, 'ab')
A   | np.take(a, 1j)
A x | np.take(a, b * np.nan)
A   | np.take(a, ..., axis=1, mode='wrap')
A   | np.compress([True] * 6, a, axis=1)
"""


class Indexing(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
