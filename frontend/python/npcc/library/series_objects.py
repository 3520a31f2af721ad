"""The classes of numpy.polynomial, as classes that are compiled with the functions that use them. Python gets NumPy's own objects."""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements, series, series_arithmetic, series_fitting, series_integrals, series_roots
from .containers import SEEN_AS

MOST_OF_A_POWER = 100  # what NumPy's classes let be the exponent of a series


class Series:
    """Coefficients, the interval of the argument, and the one that it is mapped to. Its kinds know their products, values, and recurrences."""

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

    def integ(self, m=1, k=np._NoValue, lbnd=None):
        offset, scale = _map(self.domain, self.window)
        low = 0 if lbnd is None else offset + scale * lbnd
        return self._like(self._integral(self.coef, m, k, low, 1.0 / scale))

    def roots(self):
        offset, scale = _map(self.window, self.domain)
        return offset + scale * self._roots(self.coef)

    def linspace(self, n=100, domain=None):
        interval = self.domain if domain is None else np.asarray(domain)
        x = np.linspace(interval[0], interval[1], n)
        return x, self(x)

    def trim(self, tol=0):
        return self._like(series_integrals.trimcoef(self.coef, tol))

    def truncate(self, size):
        if size != int(size) or size < 1:
            raise ValueError("size must be a positive integer")
        return self._like(self.coef[:int(size)])

    def cutdeg(self, deg):
        return self.truncate(deg + 1)

    def convert(self, domain=None, kind=None, window=None):
        unit = np.zeros_like(self.coef)
        unit[0] = 1
        target = self._new(unit, domain, window) if kind is None else new_series(kind, unit, domain, window)
        offset, scale = _map(self.domain, self.window)
        its_offset, its_scale = _map(target.window, target.domain)
        constant, factor = offset + scale * its_offset, scale * its_scale
        return target._like(series.trimmed(self._composed(unit, lambda c: constant * c + factor * target._by_x(c))))

    def has_samecoef(self, other):
        if self.coef.shape[0] != other.coef.shape[0]:
            return False
        return np.all(self.coef == other.coef)

    def has_samedomain(self, other):
        return np.all(self.domain == other.domain)

    def has_samewindow(self, other):
        return np.all(self.window == other.window)

    def has_sametype(self, other):
        return self._is_of(other)

    def _coefficients(self, other):
        if isinstance(other, Series):
            if not self._is_of(other):
                raise TypeError("Polynomial types differ")
            if not np.all(self.domain == other.domain):
                raise TypeError("Domains differ")
            if not np.all(self.window == other.window):
                raise TypeError("Windows differ")
            return other.coef
        return np.atleast_1d(other)

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._like(series.polyadd(self.coef, self._coefficients(other)))

    def __radd__(self, other):
        return self._like(series.polyadd(self._coefficients(other), self.coef))

    def __sub__(self, other):
        return self._like(series.polysub(self.coef, self._coefficients(other)))

    def __rsub__(self, other):
        return self._like(series.polysub(self._coefficients(other), self.coef))

    def __mul__(self, other):
        return self._like(self._product(self.coef, self._coefficients(other)))

    def __rmul__(self, other):
        return self._like(self._product(self._coefficients(other), self.coef))

    def __truediv__(self, other):
        if not isinstance(other, (int, float, complex, np.number)) or isinstance(other, bool):
            raise TypeError("unsupported types for true division")
        return self._like(self.coef / other)

    def __floordiv__(self, other):
        return self._like(self._quotient(self.coef, self._coefficients(other))[0])

    def __mod__(self, other):
        return self._like(self._quotient(self.coef, self._coefficients(other))[1])

    def __divmod__(self, other):
        quotient, rest = self._quotient(self.coef, self._coefficients(other))
        return self._like(quotient), self._like(rest)

    def __pow__(self, exponent):
        return self._like(series_arithmetic.power_of(self.coef, exponent, MOST_OF_A_POWER, self._product))

    def __eq__(self, other):
        if not self._is_of(other) or self.coef.shape[0] != other.coef.shape[0]:
            return False
        if np.all(self.domain == other.domain) and np.all(self.window == other.window) and np.all(self.coef == other.coef):
            return True
        return np.False_

    def __ne__(self, other):
        return not self == other

    def parts(self):
        return self.coef, self.domain, self.window


class PowerSeries(Series):
    def _like(self, coef):
        return PowerSeries(coef, self.domain, self.window)

    def _new(self, coef, domain, window):
        return PowerSeries(coef, interval(domain, -1.0), interval(window, -1.0))

    def _is_of(self, other):
        return isinstance(other, PowerSeries)

    def _value(self, x, coef):
        return series.polyval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.polyder(coef, m, scale)

    def _integral(self, coef, m, k, low, scale):
        return series_integrals.polyint(coef, m, k, low, scale)

    def _product(self, left, right):
        return series.polymul(left, right)

    def _quotient(self, left, right):
        return series_arithmetic.polydiv(left, right)

    def _roots(self, coef):
        return series_roots.polyroots(coef)

    def _by_x(self, coef):
        return series_arithmetic.power_by_x(coef)

    def _composed(self, unit, by_x):
        return series_arithmetic.composed(self.coef, unit, series_arithmetic.power_step, series_arithmetic.plain_last, by_x)


class ChebyshevSeries(Series):
    def _like(self, coef):
        return ChebyshevSeries(coef, self.domain, self.window)

    def _new(self, coef, domain, window):
        return ChebyshevSeries(coef, interval(domain, -1.0), interval(window, -1.0))

    def _is_of(self, other):
        return isinstance(other, ChebyshevSeries)

    def _value(self, x, coef):
        return series.chebval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.chebder(coef, m, scale)

    def _integral(self, coef, m, k, low, scale):
        return series_integrals.chebint(coef, m, k, low, scale)

    def _product(self, left, right):
        return series_arithmetic.chebmul(left, right)

    def _quotient(self, left, right):
        return series_arithmetic.chebdiv(left, right)

    def _roots(self, coef):
        return series_roots.chebroots(coef)

    def _by_x(self, coef):
        return series_arithmetic.chebyshev_by_x(coef)

    def _composed(self, unit, by_x):
        return series_arithmetic.composed(self.coef, unit, series_arithmetic.chebyshev_step, series_arithmetic.plain_last, by_x)


class LegendreSeries(Series):
    def _like(self, coef):
        return LegendreSeries(coef, self.domain, self.window)

    def _new(self, coef, domain, window):
        return LegendreSeries(coef, interval(domain, -1.0), interval(window, -1.0))

    def _is_of(self, other):
        return isinstance(other, LegendreSeries)

    def _value(self, x, coef):
        return series.legval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.legder(coef, m, scale)

    def _integral(self, coef, m, k, low, scale):
        return series_integrals.legint(coef, m, k, low, scale)

    def _product(self, left, right):
        return series_arithmetic.legmul(left, right)

    def _quotient(self, left, right):
        return series_arithmetic.legdiv(left, right)

    def _roots(self, coef):
        return series_roots.legroots(coef)

    def _by_x(self, coef):
        return series_arithmetic.legendre_by_x(coef)

    def _composed(self, unit, by_x):
        return series_arithmetic.composed(self.coef, unit, series_arithmetic.legendre_step, series_arithmetic.plain_last, by_x)


class HermiteSeries(Series):
    def _like(self, coef):
        return HermiteSeries(coef, self.domain, self.window)

    def _new(self, coef, domain, window):
        return HermiteSeries(coef, interval(domain, -1.0), interval(window, -1.0))

    def _is_of(self, other):
        return isinstance(other, HermiteSeries)

    def _value(self, x, coef):
        return series.hermval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.hermder(coef, m, scale)

    def _integral(self, coef, m, k, low, scale):
        return series_integrals.hermint(coef, m, k, low, scale)

    def _product(self, left, right):
        return series_arithmetic.hermmul(left, right)

    def _quotient(self, left, right):
        return series_arithmetic.hermdiv(left, right)

    def _roots(self, coef):
        return series_roots.hermroots(coef)

    def _by_x(self, coef):
        return series_arithmetic.hermite_by_x(coef)

    def _composed(self, unit, by_x):
        return series_arithmetic.composed(self.coef, unit, series_arithmetic.hermite_step, series_arithmetic.hermite_last, by_x)


class HermiteESeries(Series):
    def _like(self, coef):
        return HermiteESeries(coef, self.domain, self.window)

    def _new(self, coef, domain, window):
        return HermiteESeries(coef, interval(domain, -1.0), interval(window, -1.0))

    def _is_of(self, other):
        return isinstance(other, HermiteESeries)

    def _value(self, x, coef):
        return series.hermeval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.hermeder(coef, m, scale)

    def _integral(self, coef, m, k, low, scale):
        return series_integrals.hermeint(coef, m, k, low, scale)

    def _product(self, left, right):
        return series_arithmetic.hermemul(left, right)

    def _quotient(self, left, right):
        return series_arithmetic.hermediv(left, right)

    def _roots(self, coef):
        return series_roots.hermeroots(coef)

    def _by_x(self, coef):
        return series_arithmetic.hermite_e_by_x(coef)

    def _composed(self, unit, by_x):
        return series_arithmetic.composed(self.coef, unit, series_arithmetic.hermite_e_step, series_arithmetic.plain_last, by_x)


class LaguerreSeries(Series):
    def _like(self, coef):
        return LaguerreSeries(coef, self.domain, self.window)

    def _new(self, coef, domain, window):
        return LaguerreSeries(coef, interval(domain, 0.0), interval(window, 0.0))

    def _is_of(self, other):
        return isinstance(other, LaguerreSeries)

    def _value(self, x, coef):
        return series.lagval(x, coef)

    def _derivative(self, coef, m, scale):
        return series_fitting.lagder(coef, m, scale)

    def _integral(self, coef, m, k, low, scale):
        return series_integrals.lagint(coef, m, k, low, scale)

    def _product(self, left, right):
        return series_arithmetic.lagmul(left, right)

    def _quotient(self, left, right):
        return series_arithmetic.lagdiv(left, right)

    def _roots(self, coef):
        return series_roots.lagroots(coef)

    def _by_x(self, coef):
        return series_arithmetic.laguerre_by_x(coef)

    def _composed(self, unit, by_x):
        return series_arithmetic.composed(self.coef, unit, series_arithmetic.laguerre_step, series_arithmetic.laguerre_last, by_x)


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


SEEN_AS.update({PowerSeries: polynomial.Polynomial, ChebyshevSeries: chebyshev.Chebyshev, LegendreSeries: legendre.Legendre,
                HermiteSeries: hermite.Hermite, HermiteESeries: hermite_e.HermiteE, LaguerreSeries: laguerre.Laguerre})


def _map(old, new):
    """The offset and the factor that map one interval to another."""
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def interval(given, low):
    return np.array([low, 1.0]) if given is None else np.asarray(given) + 0.0


def new_series(kind, coef, domain, window):
    """Of one of NumPy's classes."""
    if kind is polynomial.Polynomial:
        return PowerSeries(coef, interval(domain, -1.0), interval(window, -1.0))
    if kind is chebyshev.Chebyshev:
        return ChebyshevSeries(coef, interval(domain, -1.0), interval(window, -1.0))
    if kind is legendre.Legendre:
        return LegendreSeries(coef, interval(domain, -1.0), interval(window, -1.0))
    if kind is hermite.Hermite:
        return HermiteSeries(coef, interval(domain, -1.0), interval(window, -1.0))
    if kind is hermite_e.HermiteE:
        return HermiteESeries(coef, interval(domain, -1.0), interval(window, -1.0))
    if kind is laguerre.Laguerre:
        return LaguerreSeries(coef, interval(domain, 0.0), interval(window, 0.0))
    raise TypeError("no class of numpy.polynomial")


def _coefficient_array(coef):
    c = np.atleast_1d(coef)
    if c.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    return c.astype(np.float64) if c.dtype.kind in "biu" else c.copy()


def _register(kind, fit, of_roots, line):
    """What makes series of a class of NumPy's."""

    @implements(kind)
    def made(coef, domain=None, window=None, symbol="x"):
        return new_series(kind, _coefficient_array(coef), domain, window)

    @implements(kind.fit)
    def fitted(x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        x = np.asarray(x)
        if domain is None:
            domain = np.array([np.min(x), np.max(x)]) + 0.0
            if domain[0] == domain[1]:
                domain += np.array([-1.0, 1.0])
        like = new_series(kind, np.zeros(1), None if isinstance(domain, list) and len(domain) == 0 else domain, window)
        offset, scale = _map(like.domain, like.window)
        if full:
            coef, status = fit(offset + scale * x, y, deg, rcond, True, w)
            return like._like(coef), status
        return like._like(fit(offset + scale * x, y, deg, rcond, False, w))

    @implements(kind.fromroots)
    def from_roots(roots, domain=(), window=None, symbol="x"):
        roots = _coefficient_array(roots)
        if domain is None:
            domain = np.array([np.min(roots), np.max(roots)]) + 0.0
        like = new_series(kind, np.zeros(1), None if isinstance(domain, (list, tuple)) and len(domain) == 0 else domain, window)
        offset, scale = _map(like.domain, like.window)
        return like._like(of_roots(offset + scale * roots) / scale ** roots.shape[0])

    @implements(kind.identity)
    def identity(domain=None, window=None, symbol="x"):
        like = new_series(kind, np.zeros(1), domain, window)
        offset, scale = _map(like.window, like.domain)
        return like._like(line(offset, scale))

    @implements(kind.basis)
    def basis(deg, domain=None, window=None, symbol="x"):
        if deg != int(deg) or deg < 0:
            raise ValueError("deg must be non-negative integer")
        coef = np.zeros(int(deg) + 1)
        coef[int(deg)] = 1
        return new_series(kind, coef, domain, window)

    @implements(kind.cast)
    def cast(series, domain=None, window=None):
        return series.convert(domain, kind, window)


_register(polynomial.Polynomial, series_fitting.polyfit, series.polyfromroots, series_roots.polyline)
_register(chebyshev.Chebyshev, series_fitting.chebfit, series_roots.chebfromroots, series_roots.polyline)
_register(legendre.Legendre, series_fitting.legfit, series_roots.legfromroots, series_roots.polyline)
_register(hermite.Hermite, series_fitting.hermfit, series_roots.hermfromroots, series_roots.hermline)
_register(hermite_e.HermiteE, series_fitting.hermefit, series_roots.hermefromroots, series_roots.polyline)
_register(laguerre.Laguerre, series_fitting.lagfit, series_roots.lagfromroots, series_roots.lagline)
