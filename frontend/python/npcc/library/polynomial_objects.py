"""numpy.poly1d as a class that is compiled with the functions that use it. Python gets NumPy's own objects."""
import numpy as np

from . import implements
from .containers import SEEN_AS
from .fitting import roots
from .polynomials import polyadd, polyder, polydiv, polyint, polymul, polysub, polyval, without_leading_zeros


class Poly1d:
    def __init__(self, coeffs, variable):
        self.coeffs = coeffs
        self.variable = variable

    @property
    def c(self):
        return self.coeffs

    @property
    def coef(self):
        return self.coeffs

    @property
    def coefficients(self):
        return self.coeffs

    @property
    def order(self):
        return self.coeffs.shape[0] - 1

    @property
    def o(self):
        return self.coeffs.shape[0] - 1

    @property
    def roots(self):
        return roots(self.coeffs)

    @property
    def r(self):
        return roots(self.coeffs)

    def __len__(self):
        return self.order

    def __call__(self, val):
        if isinstance(val, Poly1d):
            total = _made(np.zeros(1, self.coeffs.dtype), self.variable)
            for k in range(self.coeffs.shape[0]):
                total = total * val + self.coeffs[k]
            return total
        return polyval(self.coeffs, val)

    def __getitem__(self, power):
        n = self.order
        return self.coeffs[n - power] if power >= 0 and power <= n else self.coeffs.dtype.type(0)

    def __neg__(self):
        return _made(-self.coeffs, self.variable)

    def __pos__(self):
        return self

    def __add__(self, other):
        return _made(polyadd(self.coeffs, _coefficients(other)), self.variable)

    def __radd__(self, other):
        return _made(polyadd(self.coeffs, _coefficients(other)), self.variable)

    def __sub__(self, other):
        return _made(polysub(self.coeffs, _coefficients(other)), self.variable)

    def __rsub__(self, other):
        return _made(polysub(_coefficients(other), self.coeffs), self.variable)

    def __mul__(self, other):
        if isinstance(other, Poly1d):
            return _made(polymul(self.coeffs, other.coeffs), self.variable)
        return _made(self.coeffs * other, self.variable)

    def __rmul__(self, other):
        return _made(other * self.coeffs, self.variable)

    def __truediv__(self, other):
        if isinstance(other, Poly1d):
            quotient, rest = polydiv(self.coeffs, other.coeffs)
            return _made(quotient, self.variable), _made(rest, self.variable)
        return _made(self.coeffs / other, self.variable)

    def __pow__(self, exponent):
        power = np.ones(1, self.coeffs.dtype)
        for _ in range(exponent):
            power = polymul(power, self.coeffs)
        return _made(power, self.variable)

    def deriv(self, m=1):
        return _made(polyder(self.coeffs, m), self.variable)

    def integ(self, m=1, k=0):
        return _made(polyint(self.coeffs, m, k), self.variable)

    def parts(self):
        return self.coeffs, self.variable


def given_Poly1d(coeffs, variable):
    return np.poly1d(coeffs, variable=variable)


def _coefficients(p):
    return p.coeffs if isinstance(p, Poly1d) else np.atleast_1d(p)


def _made(coeffs, variable):
    return Poly1d(without_leading_zeros(coeffs), variable)


@implements(np.poly1d)
def poly1d(c_or_r, r=False, variable=None):
    if isinstance(c_or_r, Poly1d):
        return _made(c_or_r.coeffs, c_or_r.variable if variable is None else variable)
    c = np.poly(c_or_r) if r else np.atleast_1d(c_or_r)
    if c.ndim != 1:
        raise ValueError("Polynomial must be 1d only.")
    return _made(c, "x" if variable is None else variable)


SEEN_AS[Poly1d] = np.poly1d
