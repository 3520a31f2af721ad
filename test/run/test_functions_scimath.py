"""numpy.emath, where values decide on the type, and what of complex numbers is real, compiled, against NumPy."""
import unittest

import numpy as np

from harness import jit
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

# What a number is decides on the type of the result.
NUMBERS = r"""
x y m   | np.emath.sqrt(a), np.emath.sqrt(-b), np.emath.log(c), np.emath.log10(-a), np.emath.arccos(b), np.emath.arcsin(-a), np.emath.arctanh(b), np.emath.log2(a)
x y m   | np.emath.power(-b, 2.5), np.emath.power(b, 2.5), np.emath.power(c, 3), np.emath.power(c, -1), np.emath.logn(2, -a), np.emath.logn(b, a)
V       | np.emath.sqrt(a[0] - 0.5), np.emath.sqrt(a[1] - 0.5), np.emath.sqrt(a.sum() - 9.0) * 2, np.emath.sqrt(np.min(-a)) + 1.5
V       | r = np.emath.sqrt(a[0] * 4 - 1 - 1); s = np.emath.sqrt(1.0 - a[0]); return r.imag, s.imag, np.abs(r), isinstance(s, np.complex128), isinstance(r, np.floating)
F O     | np.emath.sqrt(a[0, 0] - np.float32(2)), np.emath.sqrt(b - 5.0), np.emath.log(b)
"""


class Scimath(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_numbers(self):
        self.results(NUMBERS)

    def test_numbers_in_a_loop(self):
        def total(a):
            t = 0j
            for v in a:
                t = t + np.emath.sqrt(v)
            return t

        self.compare(total, [np.array([4.0, -9.0, 2.0])], jit(total))

    def test_numbers_that_differ_between_calls(self):
        def root(b, c):
            d = np.emath.sqrt(b * b - 4 * c)
            return (-b + d) / 2, (-b - d) / 2

        compiled = jit(root)
        for b, c in ((3.0, 2.0), (2.0, 5.0), (2.0, 1.0)):
            self.compare(root, [b, c], compiled)


if __name__ == "__main__":
    unittest.main()
