"""numpy.poly1d, and the classes of numpy.polynomial, as classes that are compiled with the functions that use them. Python gets NumPy's own objects."""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements, series, series_fitting
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


class Series:
    """Of numpy.polynomial: coefficients, the interval of the argument, and the one that it is mapped to."""

    def __init__(self, coef, domain, window):
        self.coef = coef
        self.domain = domain
        self.window = window

    def __call__(self, arg):
        offset, scale = _map(self.domain, self.window)
        x = np.asarray(arg) if isinstance(arg, (list, tuple)) else arg
        return self._value(offset + scale * x, self.coef)

    def __len__(self):
        return self.coef.shape[0]

    def degree(self):
        return self.coef.shape[0] - 1

    def mapparms(self):
        return _map(self.domain, self.window)

    def copy(self):
        return self._like(self.coef.copy())

    def deriv(self, m=1):
        _, scale = _map(self.domain, self.window)
        return self._like(self._derivative(self.coef, m, scale))

    def linspace(self, n=100, domain=None):
        interval = self.domain if domain is None else np.asarray(domain)
        x = np.linspace(interval[0], interval[1], n)
        return x, self(x)

    def trim(self, tol=0):
        large = np.abs(self.coef) > tol
        count = self.coef.shape[0] - int(np.argmax(large[::-1])) if np.any(large) else 1
        return self._like(self.coef[:count] if np.any(large) else self.coef[:1] * 0)

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._like(series.polyadd(self.coef, _coef(other)))

    def __radd__(self, other):
        return self._like(series.polyadd(_coef(other), self.coef))

    def __sub__(self, other):
        return self._like(series.polysub(self.coef, _coef(other)))

    def __rsub__(self, other):
        return self._like(series.polysub(_coef(other), self.coef))

    def __truediv__(self, other):
        return self._like(self.coef / other)

    def parts(self):
        return self.coef, self.domain, self.window


class PowerSeries(Series):
    def _like(self, coef):
        return PowerSeries(coef, self.domain, self.window)

    def _value(self, x, coef):
        return series.polyval(x, coef)

    def _derivative(self, coef, m, scale):
        return series.polyder(coef, m, scale)

    def integ(self, m=1, k=np._NoValue, lbnd=None):
        offset, scale = _map(self.domain, self.window)
        low = 0 if lbnd is None else offset + scale * lbnd
        return self._like(series.polyint(self.coef, m, k, low, 1.0 / scale))

    def roots(self):
        offset, scale = _map(self.window, self.domain)
        return offset + scale * series_fitting.polyroots(self.coef)

    def __mul__(self, other):
        return self._like(series.polymul(self.coef, _coef(other)))

    def __rmul__(self, other):
        return self._like(series.polymul(_coef(other), self.coef))

    def __pow__(self, exponent):
        power = np.ones(1, self.coef.dtype)
        for _ in range(exponent):
            power = series.polymul(power, self.coef)
        return self._like(power)


class ChebyshevSeries(Series):
    def _like(self, coef):
        return ChebyshevSeries(coef, self.domain, self.window)

    def _value(self, x, coef):
        return series.chebval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.chebder(coef, m, scale)


class LegendreSeries(Series):
    def _like(self, coef):
        return LegendreSeries(coef, self.domain, self.window)

    def _value(self, x, coef):
        return series.legval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.legder(coef, m, scale)


class HermiteSeries(Series):
    def _like(self, coef):
        return HermiteSeries(coef, self.domain, self.window)

    def _value(self, x, coef):
        return series.hermval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.hermder(coef, m, scale)


class HermiteESeries(Series):
    def _like(self, coef):
        return HermiteESeries(coef, self.domain, self.window)

    def _value(self, x, coef):
        return series.hermeval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.hermeder(coef, m, scale)


class LaguerreSeries(Series):
    def _like(self, coef):
        return LaguerreSeries(coef, self.domain, self.window)

    def _value(self, x, coef):
        return series.lagval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.lagder(coef, m, scale)


def given_PowerSeries(coef, domain, window):
    return polynomial.Polynomial(coef, domain, window)


def given_ChebyshevSeries(coef, domain, window):
    return chebyshev.Chebyshev(coef, domain, window)


def given_LegendreSeries(coef, domain, window):
    return legendre.Legendre(coef, domain, window)


def given_HermiteSeries(coef, domain, window):
    return hermite.Hermite(coef, domain, window)


def given_HermiteESeries(coef, domain, window):
    return hermite_e.HermiteE(coef, domain, window)


def given_LaguerreSeries(coef, domain, window):
    return laguerre.Laguerre(coef, domain, window)


SEEN_AS.update({Poly1d: np.poly1d, PowerSeries: polynomial.Polynomial, ChebyshevSeries: chebyshev.Chebyshev, LegendreSeries: legendre.Legendre,
                HermiteSeries: hermite.Hermite, HermiteESeries: hermite_e.HermiteE, LaguerreSeries: laguerre.Laguerre})


def _coef(other):
    return other.coef if isinstance(other, Series) else np.atleast_1d(other)


def _map(old, new):
    """The offset and the factor that map one interval to another."""
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def _interval(given, low):
    return np.array([low, 1.0]) if given is None else np.asarray(given) + 0.0


def _coefficient_array(coef):
    c = np.atleast_1d(coef)
    if c.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    return c.astype(np.float64) if c.dtype.kind in "biu" else c.copy()


@implements(polynomial.Polynomial)
def power_series(coef, domain=None, window=None, symbol="x"):
    return PowerSeries(_coefficient_array(coef), _interval(domain, -1.0), _interval(window, -1.0))


@implements(chebyshev.Chebyshev)
def chebyshev_series(coef, domain=None, window=None, symbol="x"):
    return ChebyshevSeries(_coefficient_array(coef), _interval(domain, -1.0), _interval(window, -1.0))


@implements(legendre.Legendre)
def legendre_series(coef, domain=None, window=None, symbol="x"):
    return LegendreSeries(_coefficient_array(coef), _interval(domain, -1.0), _interval(window, -1.0))


@implements(hermite.Hermite)
def hermite_series(coef, domain=None, window=None, symbol="x"):
    return HermiteSeries(_coefficient_array(coef), _interval(domain, -1.0), _interval(window, -1.0))


@implements(hermite_e.HermiteE)
def hermite_e_series(coef, domain=None, window=None, symbol="x"):
    return HermiteESeries(_coefficient_array(coef), _interval(domain, -1.0), _interval(window, -1.0))


@implements(laguerre.Laguerre)
def laguerre_series(coef, domain=None, window=None, symbol="x"):
    return LaguerreSeries(_coefficient_array(coef), _interval(domain, 0.0), _interval(window, 0.0))


def _fitted(fit, x, y, deg, domain, rcond, w, window):
    """The coefficients and the interval of x."""
    x = np.asarray(x)
    if domain is None:
        domain = np.array([np.min(x), np.max(x)]) + 0.0
    interval = np.asarray(domain) + 0.0
    offset, scale = _map(interval, window)
    return fit(offset + scale * x, y, deg, rcond, False, w), interval


@implements(polynomial.Polynomial.fit)
def power_fit(x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
    window = _interval(window, -1.0)
    coef, domain = _fitted(series_fitting.polyfit, x, y, deg, domain, rcond, w, window)
    return PowerSeries(coef, domain, window)


@implements(chebyshev.Chebyshev.fit)
def chebyshev_fit(x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
    window = _interval(window, -1.0)
    coef, domain = _fitted(series_fitting.chebfit, x, y, deg, domain, rcond, w, window)
    return ChebyshevSeries(coef, domain, window)


@implements(legendre.Legendre.fit)
def legendre_fit(x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
    window = _interval(window, -1.0)
    coef, domain = _fitted(series_fitting.legfit, x, y, deg, domain, rcond, w, window)
    return LegendreSeries(coef, domain, window)
