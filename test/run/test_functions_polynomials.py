"""Polynomials and series by their coefficients, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
V Y   | np.polyadd(a, b), np.polysub(a, b), np.polymul(a, b), np.polyadd(b, 2), np.polysub([1, 2], [1])
Z V   | np.polyadd(a, a), np.polymul(a, b), np.polymul(a, 2)
V     | np.polyder(a), np.polyint(a), np.polyder(a, 2), np.polyint(a, 2), np.polyint(a, 2, 3.0), np.polyint(a, m=2, k=[1, 2]), np.polyder(a, m=0), np.polyint(a, 0)
Z     | np.polyder(a), np.polyint(a), np.polyder([3, 2, 1])
V Y   | np.polydiv(a, b), np.polydiv(b, a), np.polydiv([1.0, 5.0, 6.0], [1.0, 2.0])
C V   | np.polydiv(a[0], a[1, :2])
C     | np.poly(a[0])
V Y   | np.polyval(a, b), np.polyval([1, 2], b), np.polyval(a, 2.0)
n     | np.histogramdd([0.9999999995], bins=[[0.0, 0.5, 1.0]]), np.poly([1j, -1j]), np.poly([1, -1]), np.poly([1.5, 1j])
C     | np.poly(np.concatenate((a[0], np.conj(a[0]))))
Z     | np.poly(a), np.poly(a.astype('f4'))
V Y   | np.polynomial.polynomial.polyval(0.5, a), np.polynomial.polynomial.polyval(b, a), np.polynomial.polynomial.polyval([1, 2], [1, 2, 3]), np.polynomial.polynomial.polyval(b, a[:1])
A Y   | np.polynomial.polynomial.polyval(b, a), np.polynomial.polynomial.polyval(a, b)
V Y   | np.polynomial.chebyshev.chebval(b, a), np.polynomial.legendre.legval(b, a), np.polynomial.laguerre.lagval(b, a), np.polynomial.hermite.hermval(b, a), np.polynomial.hermite_e.hermeval(b, a), np.polynomial.chebyshev.chebval(0.5, [1, 2]), np.polynomial.legendre.legval(b, [1])
V W A | np.polynomial.polynomial.polyval2d(a, b, c), np.polynomial.polynomial.polygrid2d(a, b, c)
V W T | np.polynomial.polynomial.polyval3d(a, b, a, c), np.polynomial.polynomial.polygrid3d(a, b, a, c)
V Y   | np.polynomial.polynomial.polyadd(a, b), np.polynomial.polynomial.polysub(b, a), np.polynomial.polynomial.polymul(a, b), np.polynomial.polynomial.polymulx(a), np.polynomial.polynomial.polyadd([1, 2, 3], [0, 0, -3]), np.polynomial.chebyshev.chebadd(a, b), np.polynomial.polynomial.polysub([1, 2], [1, 2])
V     | np.polynomial.polynomial.polyfromroots(a), np.polynomial.polynomial.polyvander(a, 3), np.polynomial.chebyshev.chebvander(a, 4), np.polynomial.legendre.legvander(a, 3), np.polynomial.polynomial.polyfromroots([1, 2])
A     | np.polynomial.polynomial.polyvander(a, 2), np.polynomial.polynomial.polyder(a, axis=1), np.polynomial.polynomial.polyint(a, axis=1)
V     | np.polynomial.polynomial.polyder(a), np.polynomial.polynomial.polyder(a, 2), np.polynomial.polynomial.polyder(a, m=7), np.polynomial.polynomial.polyder(a, 2, scl=2.0)
V     | np.polynomial.polynomial.polyint(a), np.polynomial.polynomial.polyint(a, 2), np.polynomial.polynomial.polyint(a, 2, [1.0, 2.0], lbnd=0.5, scl=2.0), np.polynomial.polynomial.polyint([1, 2], k=3)
Z V   | np.polymul([0, 0, 1, 2], a), np.polymul(b, [0, 0])
"""

ERRORS = r"""
V   | np.polyder(a, -1)
V   | np.polyint(a, -1)
V   | np.polyint(a, 3, [1, 2])
V   | np.poly(a), np.poly([1, 2, 3]), np.poly(0.5), np.poly([])
"""


class Polynomials(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
