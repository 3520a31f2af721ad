"""Arrays put together by lists of lists and by subscripts, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
A B  | np.block([[a, b], [b, a]]), np.block([a, b]), np.block([[a], [b]]), np.block(a), np.block([1, 2, 3])
S V4 | np.block([[a, np.ones((4, 1))], [b, 1.0]]), np.block([[[a]], [[a]]])
V W  | np.r_[a, b, 0, 1:3], np.r_[a, [1, 2]], np.r_[0:5, 1:2:3j], np.r_[1, 2, 3], np.r_[-1:1:6j, [0] * 3, 5, 6]
A B  | np.r_[a, b], np.r_['1', a, b], np.r_['-1', a, b]
V W  | np.c_[a, b], np.r_['0,2', a, b], np.r_['0,2,0', a, b], np.c_[np.array([[1, 2, 3]]), 0, 0]
Z V  | np.c_[a, b, a], np.r_[a, b], np.r_[a, 1.5]
F n  | np.r_[a[0], 1.5], np.r_[a[0], b]
"""

ERRORS = r"""
A B | np.block([[a, b], a])
A   | np.block([[], []])
A   | np.block([[a], []])
A   | np.block([[], a])
A B | np.block([(a, b)])
"""


class Blocks(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
