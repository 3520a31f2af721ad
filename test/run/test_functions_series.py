"""numpy.polynomial's functions of series, and its classes, compiled, against NumPy: the same rows for each kind of series."""
import unittest

import numpy as np

from harness import jit
from rows import Rows

KINDS = [("poly", "polynomial", "Polynomial"), ("cheb", "chebyshev", "Chebyshev"), ("leg", "legendre", "Legendre"), ("herm", "hermite", "Hermite"),
         ("herme", "hermite_e", "HermiteE"), ("lag", "laguerre", "Laguerre")]

# M.F is a function of the kind's module, K its class.
ARITHMETIC = r"""
V Y   | M.Fmul(a, b), M.Fmulx(a), M.Fmul(b, [2]), M.Fpow(a, 3), M.Fpow(b, 0), M.Fpow(b, 1)
V Y   | M.Fdiv(a, b), M.Fdiv(b, a), M.Fdiv(a, [2.0]), M.Fdiv([1, 2, 3, 4, 5, 6], [1, 2])
V Y   | M.Ffromroots(b), M.Fline(2, 3), M.Fline(2.5, 0.5), M.Fcompanion(a), M.Fcompanion([3.0, 2.0]), M.Ftrim(a, 0.9), M.Ftrim([1, 2, 0, 0]), M.Ftrim(a, 9)
V A   | M.Fint(a), M.Fint(a, 2, [1.0], lbnd=0.5, scl=2.0), M.Fint(b, axis=1), M.Fint([0.0]), M.Fint([0.0], 2, [1.0, 2.0]), M.Fint(a, 0)
Y     | np.sort(np.abs(M.Froots(a))), M.Froots([6.0, -5.0]), M.Froots([1.0])
C     | M.Fmul(a[0], a[1, :3]), M.Fint(a[0])
"""
OTHER_BASES = "V Y   | M.poly2F(a), M.F2poly(a), M.poly2F([1, 2]), M.F2poly([1, 2]), M.F2poly([1.5]), M.Fweight(a * 0.1)"
VARIABLES = r"""
V W A | M.Fval2d(a, b, c), M.Fgrid2d(a, b[:3], c), M.Fvander2d(a, b, [1, 2]), M.Fvander2d(a, b, (0, 1))
V W T | M.Fval3d(a, b, a, c), M.Fgrid3d(a[:2], b[:3], a[:2], c), M.Fvander3d(a, b, a, [1, 0, 2])
"""
OBJECTS = r"""
V Y   | p = K(a); q = K(b); return (p * q).coef, (p // q).coef, (p % q).coef, divmod(p, q)[1].coef, (p ** 2).coef, p.integ().coef, p.integ(2, [1.0], lbnd=0.5)(0.25)
V Y   | p = K(a, [0, 3]); return p(b), p.deriv()(b), p.integ()(b), (p * 2.0)(b), (1 - p)(b), p.truncate(2).coef, p.cutdeg(3).degree(), p.trim(0.9).coef, bool(p / 2 == p * 0.5), bool(p == p + 1)
Y     | p = K(a, [0, 2]); return np.sort(np.abs(p.roots())), p.mapparms(), p.has_samecoef(p), p.has_samedomain(K(a)), p.has_sametype(K(a)), p.has_samewindow(K(a))
V W   | p = K.fit(a, b, 2); return p(a), p.domain, K.basis(3)(a), K.identity()(a), K.identity([1, 4])(a), K.fromroots(b[:3])(a), K.fromroots(b[:3], [0, 2]).coef
V Y   | p = K(a, [0, 2]); return p.convert().coef, p.convert(kind=np.polynomial.Polynomial)(b), p.convert(kind=np.polynomial.Laguerre, domain=[1, 3])(b), K.cast(np.polynomial.Chebyshev(b))(a)
"""
POINTS = r"""
n     | np.polynomial.chebyshev.chebpts1(a), np.polynomial.chebyshev.chebpts2(a), np.polynomial.chebyshev.chebinterpolate(lambda x: np.tanh(x) + 0.5, a)
n     | np.polynomial.chebyshev.chebinterpolate(lambda x, k: np.tanh(k * x) + 0.5, 8, (2.0,))
V Y A | np.polynomial.polynomial.polyvalfromroots(a, b), np.polynomial.polynomial.polyvalfromroots(0.5, b), np.polynomial.polynomial.polyvalfromroots([1, 2], [1, 2, 3]), np.polynomial.polynomial.polyvalfromroots(a[:5], c, tensor=False)
"""
ERRORS = r"""
V   | np.polynomial.legendre.legdiv(a, [0.0])
V   | np.polynomial.polynomial.polydiv(a, [0])
V   | np.polynomial.chebyshev.chebpow(a, 17)
V   | np.polynomial.polynomial.polypow(a, -1)
V   | np.polynomial.hermite.hermint(a, -1)
V   | np.polynomial.laguerre.lagint(a, 1, [1, 2])
V   | np.polynomial.legendre.legtrim(a, -1)
V   | np.polynomial.polynomial.polycompanion(a[:1])
V Y | np.polynomial.polynomial.polyval2d(a, b, [[1.0, 2.0]])
n   | np.polynomial.chebyshev.chebpts1(0)
n   | np.polynomial.chebyshev.chebpts2(1)
V   | np.polynomial.Polynomial(a) + np.polynomial.Chebyshev(a)
V   | np.polynomial.Polynomial(a) + np.polynomial.Polynomial(a, [0, 2])
V   | np.polynomial.Hermite(a).truncate(0)
V   | np.polynomial.Legendre.basis(-1)
"""


def of(rows, kinds=KINDS):
    lines = []
    for prefix, module, kind in kinds:
        for row in rows.strip().splitlines():
            names, body = row.split("|", 1)
            body = body.replace("M.", f"np.polynomial.{module}.").replace(".F", f".{prefix}").replace("poly2F", f"poly2{prefix}")
            lines.append(f"{names}|{body.replace('K(', f'np.polynomial.{kind}(').replace('K.', f'np.polynomial.{kind}.')}")
    return "\n".join(lines)


class Series(Rows):
    def test_arithmetic(self):
        self.results(of(ARITHMETIC), scale=1e4)

    def test_other_bases(self):
        self.results(of(OTHER_BASES, KINDS[1:]), scale=1e3)

    def test_variables(self):
        self.results(of(VARIABLES), scale=1e2)

    def test_points(self):
        self.results(POINTS, scale=1e2)

    def test_objects(self):
        self.results(of(OBJECTS), scale=1e5)

    def test_objects_that_come_and_go(self):
        def halved(p, x):
            return (p * p).deriv()(x), p * 0.5, p.integ()

        for kind in (np.polynomial.Polynomial, np.polynomial.Chebyshev, np.polynomial.Laguerre):
            p, x = kind([1.0, 2.0, 3.0], [0, 2]), np.linspace(0, 2, 5)
            for expected, got in zip(halved(p, x), jit(halved)(p, x)):
                self.assertIs(type(got), type(expected))
                if isinstance(expected, kind):
                    expected, got = expected(x), got(x)
                np.testing.assert_allclose(got, expected, 1e-10)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
