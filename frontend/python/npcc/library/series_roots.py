"""numpy.polynomial: series of straight lines and of roots, companion matrices, whose eigenvalues are the roots, weights and points."""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements
from .eigenvalues import IS_REAL_WHERE_IT_CAN_BE
from .series import as_series, chebvander
from .series_arithmetic import chebmul, hermemul, hermmul, lagmul, legmul

#---- off + scl * x ----


@implements(polynomial.polyline, chebyshev.chebline, legendre.legline, hermite_e.hermeline)
def polyline(off, scl):
    if scl != 0:
        return np.array([off, scl])
    return np.array([off])


@implements(hermite.hermline)
def hermline(off, scl):
    if scl != 0:
        return np.array([off, scl / 2])
    return np.array([off])


@implements(laguerre.lagline)
def lagline(off, scl):
    if scl != 0:
        return np.array([off + scl, -scl])
    return np.array([off])


#---- The series with given roots ----


def _from_roots(roots, line, product):
    roots = np.atleast_1d(roots)
    if roots.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    roots = np.sort(roots.astype(np.result_type(roots.dtype, np.float64)))
    total = np.ones(1, roots.dtype)
    for k in range(roots.shape[0]):
        total = product(total, line(-roots[k]))
    return total


def _pair(low, high, dtype):
    pair = np.zeros(2, dtype)
    pair[0] = low
    pair[1] = high
    return pair


@implements(chebyshev.chebfromroots)
def chebfromroots(roots):
    return _from_roots(roots, lambda off: _pair(off, 1, off.dtype), chebmul)


@implements(legendre.legfromroots)
def legfromroots(roots):
    return _from_roots(roots, lambda off: _pair(off, 1, off.dtype), legmul)


@implements(hermite.hermfromroots)
def hermfromroots(roots):
    return _from_roots(roots, lambda off: _pair(off, 0.5, off.dtype), hermmul)


@implements(hermite_e.hermefromroots)
def hermefromroots(roots):
    return _from_roots(roots, lambda off: _pair(off, 1, off.dtype), hermemul)


@implements(laguerre.lagfromroots)
def lagfromroots(roots):
    return _from_roots(roots, lambda off: _pair(off + 1, -1, off.dtype), lagmul)


#---- Companion matrices ----


def _companion(c, constant, side, middle, last):
    """`constant` is the matrix of a series of degree 1. Of others `side` and `middle` are the diagonals, by the degree, and `last` is what the last column has more."""
    c = as_series(c)
    n = c.shape[0] - 1
    if n < 1:
        raise ValueError("Series must have maximum degree of at least 1.")
    matrix = np.zeros((n, n), c.dtype)
    if n == 1:
        matrix[0, 0] = constant(c)
    else:
        above, below = side(n)
        matrix[np.arange(n - 1), np.arange(1, n)] = above
        matrix[np.arange(1, n), np.arange(n - 1)] = below
        matrix[np.arange(n), np.arange(n)] = middle(n)
        matrix[:, n - 1] += last(c, n)
    return matrix


def _no_middle(n):
    return np.zeros(n)


@implements(polynomial.polycompanion)
def polycompanion(c):
    return _companion(c, lambda c: -c[0] / c[1], lambda n: (np.zeros(n - 1), np.ones(n - 1)), _no_middle, lambda c, n: -(c[:n] / c[n]))


def _chebyshev_sides(n):
    side = np.full(n - 1, 0.5)
    side[0] = np.sqrt(0.5)
    return side, side


def _chebyshev_last(c, n):
    scale = np.full(n, np.sqrt(0.5))
    scale[0] = 1
    return -((c[:n] / c[n]) * (scale / scale[n - 1]) * 0.5)


@implements(chebyshev.chebcompanion)
def chebcompanion(c):
    return _companion(c, lambda c: -c[0] / c[1], _chebyshev_sides, _no_middle, _chebyshev_last)


def _legendre_sides(n):
    scale = 1.0 / np.sqrt(2 * np.arange(n) + 1)
    side = np.arange(1, n) * scale[:n - 1] * scale[1:]
    return side, side


def _legendre_last(c, n):
    scale = 1.0 / np.sqrt(2 * np.arange(n) + 1)
    return -((c[:n] / c[n]) * (scale / scale[n - 1]) * (n / (2 * n - 1)))


@implements(legendre.legcompanion)
def legcompanion(c):
    return _companion(c, lambda c: -c[0] / c[1], _legendre_sides, _no_middle, _legendre_last)


def _hermite_scale(n, factor):
    steps = np.ones(n)
    steps[1:] = 1.0 / np.sqrt(factor * np.arange(n - 1, 0, -1))
    return np.cumprod(steps)[::-1]


def _hermite_sides(n):
    side = np.sqrt(0.5 * np.arange(1, n))
    return side, side


@implements(hermite.hermcompanion)
def hermcompanion(c):
    return _companion(c, lambda c: -0.5 * c[0] / c[1], _hermite_sides, _no_middle, lambda c, n: -(_hermite_scale(n, 2.0) * c[:n] / (2.0 * c[n])))


def _hermite_e_sides(n):
    side = np.sqrt(np.arange(1, n))
    return side, side


@implements(hermite_e.hermecompanion)
def hermecompanion(c):
    return _companion(c, lambda c: -c[0] / c[1], _hermite_e_sides, _no_middle, lambda c, n: -(_hermite_scale(n, 1.0) * c[:n] / c[n]))


def _laguerre_sides(n):
    side = -np.arange(1, n)
    return side, side


@implements(laguerre.lagcompanion)
def lagcompanion(c):
    return _companion(c, lambda c: 1 + c[0] / c[1], _laguerre_sides, lambda n: 2.0 * np.arange(n) + 1.0, lambda c, n: (c[:n] / c[n]) * n)


#---- Roots ----


def _roots(c, companion):
    c = as_series(c)
    n = c.shape[0] - 1
    matrix = np.zeros((n, n), c.dtype)
    if n > 0:
        matrix[...] = companion(c)
    # Turned around, its errors are smaller.
    found = np.sort(np.linalg.eigvals(matrix[::-1, ::-1]))
    if not IS_REAL_WHERE_IT_CAN_BE and c.dtype.kind != "c" and np.all(found.imag == 0):
        return found.real
    return found


@implements(polynomial.polyroots)
def polyroots(c):
    return _roots(c, polycompanion)


@implements(chebyshev.chebroots)
def chebroots(c):
    return _roots(c, chebcompanion)


@implements(legendre.legroots)
def legroots(c):
    return _roots(c, legcompanion)


@implements(hermite.hermroots)
def hermroots(c):
    return _roots(c, hermcompanion)


@implements(hermite_e.hermeroots)
def hermeroots(c):
    return _roots(c, hermecompanion)


@implements(laguerre.lagroots)
def lagroots(c):
    return _roots(c, lagcompanion)


@implements(polynomial.polyvalfromroots)
def polyvalfromroots(x, r, tensor=True):
    r = np.atleast_1d(r) + 0.0
    if isinstance(x, (tuple, list)):
        x = np.asarray(x)
    if tensor:
        r = r.reshape(r.shape + (1,) * np.ndim(x))
    elif np.ndim(x) >= r.ndim and isinstance(x, np.ndarray):
        raise ValueError("x.ndim must be < r.ndim when tensor == False")
    return np.prod(x - r, axis=0)


#---- Weights and points ----


@implements(chebyshev.chebweight)
def chebweight(x):
    return 1.0 / (np.sqrt(1.0 + x) * np.sqrt(1.0 - x))


@implements(legendre.legweight)
def legweight(x):
    return x * 0.0 + 1.0


@implements(hermite.hermweight)
def hermweight(x):
    return np.exp(-(x**2))


@implements(hermite_e.hermeweight)
def hermeweight(x):
    return np.exp(-0.5 * x**2)


@implements(laguerre.lagweight)
def lagweight(x):
    return np.exp(-x)


def _count_of_points(npts, least):
    count = int(npts)
    if count != npts:
        raise ValueError("npts must be integer")
    if count < least:
        raise ValueError(f"npts must be >= {least}")
    return count


@implements(chebyshev.chebpts1)
def chebpts1(npts):
    count = _count_of_points(npts, 1)
    return np.sin(0.5 * np.pi / count * np.arange(-count + 1, count + 1, 2))


@implements(chebyshev.chebpts2)
def chebpts2(npts):
    count = _count_of_points(npts, 2)
    return np.cos(np.linspace(-np.pi, 0, count))


@implements(chebyshev.chebinterpolate)
def chebinterpolate(func, deg, args=()):
    if not isinstance(deg, (int, np.integer)):
        raise TypeError("deg must be an int")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    points = chebpts1(deg + 1)
    c = np.dot(chebvander(points, deg).T, func(points, *args))
    c[0] /= deg + 1
    c[1:] /= 0.5 * (deg + 1)
    return c
