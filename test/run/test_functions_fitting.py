"""Polynomials that fit points, and roots, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
V W   | np.polyfit(a, b, 2), np.polyfit(a, b, deg=1), np.polyfit(a, b, 0), np.polyfit(a, b, 2, w=b), np.polyfit(a, b, 2, rcond=1e-3)
V W   | np.polyfit(a, b, 1, full=True), np.polyfit(a, b, 1, cov=True), np.polyfit(a, b, 1, cov='unscaled'), np.polyfit(a, b, 1, w=a, cov=True)
V W   | np.polyfit(a, np.stack((b, b * b), axis=1), 2), np.polyfit(a, np.stack((b, b * b), axis=1), 1, cov=True), np.polyval(np.polyfit(a, b, 3), a)
Z V   | np.polyfit(np.arange(6), a, 1), np.polyfit(b, a, 2)
n     | np.sort(np.roots([1, -6, 11, -6])), np.roots([0, 0, 2, -4, 0]), np.roots([3]), np.roots([0, 0])
"""

ERRORS = r"""
V W   | np.polyfit(a, b, -1)
A W   | np.polyfit(a, b, 1)
V Y   | np.polyfit(a, b, 1)
V W   | np.polyfit(a, b, 5, cov=True)
V W   | np.polyfit(a, b, 1, w=b[:2])
A     | np.roots(a)
"""


class Fitting(Rows):
    def test_results(self):
        self.results(ROWS, scale=1e3)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
