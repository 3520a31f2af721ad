"""What chooses, places, repeats and puts in, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
V    | np.searchsorted(a, 0.5, sorter=np.argsort(a)), np.searchsorted(a, a, 'right', np.argsort(a))
Z    | np.repeat(a, a), np.repeat(a, [1, 2, 0, 1, 0, 3]), np.repeat(a, 3), np.repeat(a, [2]), a.repeat(a)
A    | np.repeat(a, [1, 0, 2, 3], axis=0), np.repeat(a, [1, 0, 2, 3, 1], axis=1), np.repeat(a, 2, axis=1), np.repeat(a, np.array([2]), axis=-1)
V    | np.insert(a, [1, 2], 5.0), np.insert(a, [3, 0, 3], [7.0, 8.0, 9.0]), np.insert(a, [1, -1], [2, 3]), np.insert(a, slice(0, 3), 1), np.insert(a, [2], [1, 2, 3]), np.insert(a, [], [])
A    | np.insert(a, [1, 2], 5.0, axis=1), np.insert(a, [1, 2], [[1.0], [2.0]], axis=0), np.insert(a, 1, np.ones(5), axis=0), np.insert(a, [0, 4], np.ones((4, 2)), axis=1), np.insert(a, [1], [[1], [2], [3], [4]], axis=1)
V P  | np.insert(a, np.array([True, False, True, False, False, False]), 0.0), np.insert(a, np.array([1, 1]), 3)
T    | np.dsplit(a, 3), np.dsplit(a, [1])
A P  | np.place(a, b, [1.0, 2.0]); return a
A P  | np.place(a, b, 7); return a
Z    | np.place(a, a > 2, [1.5, 2.5]); return a
A P  | np.putmask(a, b, [1.0, 2.0]); return a
A B  | np.putmask(a, a > b, b * 2); return a
I    | np.putmask(a, a > 2, -1); return a
Z    | np.choose(a % 3, [a, a + 1, a * 2]), np.choose(a, [1, 2, 3], mode='clip'), np.choose(a, [1.5, a, 3], mode='wrap'), np.choose(a % 2, (a, 9), out=np.zeros(6, int))
I V5 | np.choose(a % 2, [b, 0]), np.choose(a % 3, np.stack((b, b + 1, b + 2))), np.choose([0, 1, 0], np.arange(6).reshape(2, 3)), np.choose(a % 2, np.array([5, 6]))
S    | np.fill_diagonal(a, 0, wrap=True); return a
Q    | np.fill_diagonal(a, [1, 2], wrap=True); return a
G    | np.fill_diagonal(a, 4, True); return a
G    | np.fill_diagonal(a, 4); return a
V    | np.fromfunction(lambda i, j: i * j, (3, 4)), np.interp(a, [0, 1], [2, 3], period=0.5)
V    | np.interp(a, [0, 1], [2, 3], left=-1, right=9), np.interp(a * 3, [0, 1], [2, 3], left=-1, right=9)
Z    | (a % 2).choose([a, a + 5]), (a % 2).choose([a, 9])
"""

ERRORS = r"""
V   | np.repeat(a, [-2])
n V | np.repeat(b, a - 6)
V   | np.searchsorted(a, 0.5, sorter=[0, 1])
V   | np.searchsorted(a, 0.5, sorter=a)
V   | np.repeat(a, [1, 2])
V   | np.repeat(a, a)
V   | np.repeat(a, [1, 2, 0, 1, 0, -3])
V   | np.insert(a, [1, 9], 0)
V   | np.insert(a, 9, 0)
V   | np.insert(a, [[1, 9]], 0)
A   | np.dsplit(a, 3)
A P | np.place(a, b, [])
A   | np.put_along_axis(a.T, np.array([1, 2]), 0, None)
V   | np.put_along_axis(a[::2], np.array([1, 9]), 0, None)
A P | np.place(a, b[0], [1])
A P | np.putmask(a, b[0], [1])
I   | np.place(a, a > 2, a * 0.5)
I   | np.putmask(a, a > 2, np.array(1.5))
A P | np.putmask(a, b, np.zeros(0, complex))
Z   | np.choose(a + 3, [a, a])
V   | np.choose(a, [a, a])
Z   | np.choose(a, [a, a], mode='x')
"""


class Selecting(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
