"""Polynomials and series by their coefficients, compiled, against NumPy."""
import unittest

import numpy as np

from harness import jit
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

FITS = r"""
V W   | np.polynomial.polynomial.polyfit(a, b, 2), np.polynomial.chebyshev.chebfit(a, b, 2), np.polynomial.legendre.legfit(a, b, 3), np.polynomial.polynomial.polyfit(a, b, 1, w=b)
V W   | np.polynomial.hermite.hermfit(a, b, 2), np.polynomial.hermite_e.hermefit(a, b, 2), np.polynomial.laguerre.lagfit(a, b, 2), np.polynomial.polynomial.polyfit(a, b, 2, full=True)[1][1]
V     | np.polynomial.hermite.hermvander(a, 3), np.polynomial.hermite_e.hermevander(a, 3), np.polynomial.laguerre.lagvander(a, 3), np.polynomial.laguerre.lagvander(a, 0)
V     | np.polynomial.chebyshev.chebder(a), np.polynomial.legendre.legder(a, 2), np.polynomial.hermite.hermder(a), np.polynomial.hermite_e.hermeder(a, 3), np.polynomial.laguerre.lagder(a, scl=2)
A     | np.polynomial.chebyshev.chebder(a, axis=1), np.polynomial.legendre.legder(a), np.polynomial.legendre.legder(a, 9)
n     | np.polynomial.legendre.leggauss(a), np.polynomial.chebyshev.chebgauss(a), np.polynomial.hermite.hermgauss(a), np.polynomial.hermite_e.hermegauss(a), np.polynomial.laguerre.laggauss(a)
n     | np.polynomial.legendre.leggauss(1), np.polynomial.hermite.hermgauss(12), np.polynomial.laguerre.laggauss(2)
S     | np.poly(a @ a.T)
Y     | np.sort(np.polynomial.polynomial.polyroots(a - 1)), np.polynomial.polynomial.polyroots([6.0, -5.0, 1.0])
"""

# Objects are made and used; what comes back is NumPy's own.
OBJECTS = r"""
V Y   | p = np.poly1d(a); return p(b), p(0.5), p.coeffs, p.order, len(p), p[1], p[9], np.polyval(p, b)
V Y   | p = np.poly1d(a); q = np.poly1d(b); return (p + q).c, (p - q).c, (p * q)(0.5), (2 * p + 1)(b), (1 - p).c, (-p).c, (p / 2).c, (q ** 2).c, p(q)(0.5)
V     | p = np.poly1d(a); return p.deriv().c, p.integ()(0.5), p.deriv(2)(0.5), p.integ(2, 1).c, np.poly1d([0, 0, 1, 2]).c
V     | p = np.poly1d(a, True); return p.c, np.sort(np.abs(np.poly1d([1.0, -3.0, 2.0]).r))
V W   | np.poly1d(np.polyfit(a, b, 2))(a)
V Y   | p = np.polynomial.Polynomial(a); return p(b), p(0.5), p.coef, p.domain, p.degree(), p.deriv()(b), p.integ(lbnd=1)(b), (p + 1)(b), (p * p - p)(b), (2 - p)(b), (p ** 2).coef
V Y   | p = np.polynomial.Polynomial(a, [0, 2]); return p(b), p.deriv()(b), p.integ()(b), p.linspace(4), p.mapparms()
V W   | p = np.polynomial.Polynomial.fit(a, b, 2); return p(a), p.coef, p.domain, np.polynomial.Chebyshev.fit(a, b, 2)(a), np.polynomial.Legendre.fit(a, b, 2)(a)
V Y   | p = np.polynomial.Chebyshev(a); return p(b), p.deriv()(b), (p + p)(b), p.degree(), np.polynomial.Legendre(a)(b), np.polynomial.Hermite(a)(b), np.polynomial.HermiteE(a)(b), np.polynomial.Laguerre(a)(b)
V     | np.sort(np.polynomial.Polynomial([6.0, -5.0, 1.0]).roots()), np.polynomial.Polynomial([1, 2, 0, 0]).trim().coef
"""

ERRORS = r"""
V   | np.polyder(a, -1)
V   | np.polyint(a, -1)
V   | np.polyint(a, 3, [1, 2])
V   | np.poly(a), np.poly([1, 2, 3]), np.poly(0.5), np.poly([])
V W | np.polynomial.polynomial.polyfit(a, b, -1)
V Y | np.polynomial.chebyshev.chebfit(a, b, 1)
n   | np.polynomial.legendre.leggauss(a - 5)
"""


class Polynomials(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_fits(self):
        self.results(FITS, scale=1e4)

    def test_objects(self):
        self.results(OBJECTS, scale=1e3)

    def test_objects_that_are_returned(self):
        def polynomials(c, x, y):
            return np.poly1d(c), np.polynomial.Polynomial(c, [0, 1]), np.polynomial.Chebyshev.fit(x, y, 2), np.polynomial.Legendre(c).deriv()

        arguments = np.array([1.0, 2.0, 3.0]), np.linspace(0, 1, 9), np.linspace(0, 1, 9) ** 2
        for expected, got in zip(polynomials(*arguments), jit(polynomials)(*arguments)):
            self.assertIs(type(got), type(expected))
            np.testing.assert_allclose(got.coef, expected.coef, 1e-10, 1e-10)
            np.testing.assert_allclose(got(0.3), expected(0.3), 1e-10)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
