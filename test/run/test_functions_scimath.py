"""numpy.emath, where values decide on the type, and what of complex numbers is real, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
*       | np.real_if_close(a)
C       | np.real_if_close(a), np.real_if_close(a.real + 0j), np.real_if_close(a * 1e-20), np.real_if_close(a, tol=5), np.real_if_close(a.real + 1e-12j, tol=1e-3)
V       | np.emath.sqrt(a), np.emath.log(a), np.emath.sqrt(-a), np.emath.log(a - 0.5), np.emath.log10(-a), np.emath.log2(-a), np.emath.power(-a, 2.5), np.emath.arccos(a * 3), np.emath.arcsin(a), np.emath.arctanh(a * 2), np.emath.logn(2, a), np.emath.logn(2, -a)
A I F C | np.emath.sqrt(a), np.emath.sqrt(b), np.emath.log(c), np.emath.sqrt(d), np.emath.power(b, 2), np.emath.sqrt(-c), np.emath.sqrt([-1, 2])
n       | np.emath.sqrt(-1), np.emath.sqrt(4), np.emath.log(-1.0), np.emath.arccos(2)
F I L V | np.emath.power(a, 2), np.emath.power(-a, 3.0), np.emath.power(b + 1, -1), np.emath.power(c, 2), np.emath.power(d, -np.arange(6)), np.emath.power(d, np.arange(6)), np.emath.power(-d, [2, -2, 1, 0, 3, -1])
H J     | np.emath.sqrt(-a), np.emath.arccos(a * 3), np.emath.sqrt(b), np.emath.arcsin(b)
z       | np.emath.sqrt(a), np.emath.log(a)
"""


class Scimath(Rows):
    def test_results(self):
        self.results(ROWS)


if __name__ == "__main__":
    unittest.main()
