"""numpy.polynomial: series that fit points, derivatives, and the points and weights of Gauss' quadratures."""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements
from .series import chebvander, lagval, legval, legvander, polyvander


@implements(hermite.hermvander)
def hermvander(x, deg):
    return _recurrence(x, deg, lambda x: 2 * x, lambda x, k, last, before: last * (2 * x) - before * (2 * (k - 1)))


@implements(hermite_e.hermevander)
def hermevander(x, deg):
    return _recurrence(x, deg, lambda x: x, lambda x, k, last, before: last * x - before * (k - 1))


@implements(laguerre.lagvander)
def lagvander(x, deg):
    return _recurrence(x, deg, lambda x: 1 - x, lambda x, k, last, before: (last * (2 * k - 1 - x) - before * (k - 1)) / k)


def _recurrence(x, deg, first, step):
    if deg < 0:
        raise ValueError("deg must be non-negative")
    x = np.atleast_1d(x) + 0.0
    v = np.zeros(x.shape + (deg + 1,), x.dtype)
    v[..., 0] = 1
    if deg > 0:
        v[..., 1] = first(x)
    for k in range(2, deg + 1):
        v[..., k] = step(x, k, v[..., k - 1], v[..., k - 2])
    return v


def _fit(vander, x, y, deg, rcond, full, w):
    x = np.asarray(x) + 0.0
    y = np.asarray(y) + 0.0
    if not isinstance(deg, (int, np.integer)):
        raise NotImplementedError("a fit with a list of degrees cannot be compiled")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    columns = vander(x, deg)
    values = y
    if w is not None:
        weights = np.asarray(w) + 0.0
        if weights.ndim != 1:
            raise TypeError("expected 1D vector for w")
        if x.shape[0] != weights.shape[0]:
            raise TypeError("expected x and w to have same length")
        columns = columns * weights[:, None]
        values = y * (weights[:, None] if y.ndim == 2 else weights)
    if rcond is None:
        rcond = x.shape[0] * np.finfo(x.dtype).eps
    scale = np.sqrt(np.sum(np.square(np.abs(columns)), axis=0))
    scale = np.where(scale == 0, 1, scale)
    c, residuals, rank, singular = np.linalg.lstsq(columns / scale, values, rcond)
    c = (c.T / scale).T
    if full:
        return c, [residuals, rank, singular, rcond]
    return c


@implements(polynomial.polyfit)
def polyfit(x, y, deg, rcond=None, full=False, w=None):
    return _fit(polyvander, x, y, deg, rcond, full, w)


@implements(chebyshev.chebfit)
def chebfit(x, y, deg, rcond=None, full=False, w=None):
    return _fit(chebvander, x, y, deg, rcond, full, w)


@implements(legendre.legfit)
def legfit(x, y, deg, rcond=None, full=False, w=None):
    return _fit(legvander, x, y, deg, rcond, full, w)


@implements(hermite.hermfit)
def hermfit(x, y, deg, rcond=None, full=False, w=None):
    return _fit(hermvander, x, y, deg, rcond, full, w)


@implements(hermite_e.hermefit)
def hermefit(x, y, deg, rcond=None, full=False, w=None):
    return _fit(hermevander, x, y, deg, rcond, full, w)


@implements(laguerre.lagfit)
def lagfit(x, y, deg, rcond=None, full=False, w=None):
    return _fit(lagvander, x, y, deg, rcond, full, w)


#---- Derivatives ----


def _derived(c, m, scl, axis, step):
    """`step` (rows, out): stores the coefficients of a derivative, by those of the series, which it may change."""
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    c = np.atleast_1d(c)
    if c.dtype.kind in "biu":
        c = c + 0.0
    rows = np.moveaxis(c, axis, 0)
    n = rows.shape[0]
    if m >= n:
        rows = rows[:1] * 0
    else:
        for _ in range(m):
            rows = rows * scl
            out = np.zeros((rows.shape[0] - 1,) + rows.shape[1:], rows.dtype)
            step(rows, out)
            rows = out
    return np.moveaxis(rows, 0, axis)


def _power_step(rows, out):
    out[:] = rows[1:] * np.arange(1, rows.shape[0]).reshape((-1,) + (1,) * (rows.ndim - 1))


def _chebyshev_step(rows, out):
    for j in range(out.shape[0], 2, -1):
        out[j - 1] = 2 * j * rows[j]
        rows[j - 2] += j * rows[j] / (j - 2)
    if out.shape[0] > 1:
        out[1] = 4 * rows[2]
    out[0] = rows[1]


def _legendre_step(rows, out):
    for j in range(out.shape[0], 2, -1):
        out[j - 1] = (2 * j - 1) * rows[j]
        rows[j - 2] += rows[j]
    if out.shape[0] > 1:
        out[1] = 3 * rows[2]
    out[0] = rows[1]


def _hermite_step(rows, out):
    for j in range(out.shape[0], 0, -1):
        out[j - 1] = 2 * j * rows[j]


def _hermite_e_step(rows, out):
    for j in range(out.shape[0], 0, -1):
        out[j - 1] = j * rows[j]


def _laguerre_step(rows, out):
    for j in range(out.shape[0], 1, -1):
        out[j - 1] = -rows[j]
        rows[j - 1] += rows[j]
    out[0] = -rows[1]


@implements(polynomial.polyder)
def polyder(c, m=1, scl=1, axis=0):
    return _derived(c, m, scl, axis, _power_step)


@implements(chebyshev.chebder)
def chebder(c, m=1, scl=1, axis=0):
    return _derived(c, m, scl, axis, _chebyshev_step)


@implements(legendre.legder)
def legder(c, m=1, scl=1, axis=0):
    return _derived(c, m, scl, axis, _legendre_step)


@implements(hermite.hermder)
def hermder(c, m=1, scl=1, axis=0):
    return _derived(c, m, scl, axis, _hermite_step)


@implements(hermite_e.hermeder)
def hermeder(c, m=1, scl=1, axis=0):
    return _derived(c, m, scl, axis, _hermite_e_step)


@implements(laguerre.lagder)
def lagder(c, m=1, scl=1, axis=0):
    return _derived(c, m, scl, axis, _laguerre_step)


#---- Gauss' quadratures: the eigenvalues of a symmetric matrix, one step of Newton's method behind them ----


def _eigenvalues(diagonal, side):
    n = diagonal.shape[0]
    matrix = np.zeros((n, n))
    matrix[np.arange(n), np.arange(n)] = diagonal
    matrix[np.arange(1, n), np.arange(n - 1)] = side
    return np.linalg.eigvalsh(matrix)


def _check_degree(deg):
    if deg <= 0:
        raise ValueError("deg must be a positive integer")


def _symmetric(x, w):
    return (x - x[::-1]) / 2, (w + w[::-1]) / 2


@implements(chebyshev.chebgauss)
def chebgauss(deg):
    _check_degree(deg)
    return np.cos(np.pi * np.arange(1, 2 * deg, 2) / (2.0 * deg)), np.ones(deg) * (np.pi / deg)


@implements(legendre.leggauss)
def leggauss(deg):
    _check_degree(deg)
    c = np.zeros(deg + 1)
    c[deg] = 1
    scale = 1 / np.sqrt(2 * np.arange(deg) + 1)
    x = _eigenvalues(np.zeros(deg), np.arange(1, deg) * scale[:deg - 1] * scale[1:deg])
    derivative = np.zeros(deg)
    derivative[deg - 1::-2] = 2 * np.arange(deg - 1, -1, -2) + 1
    dy = legval(x, c)
    df = legval(x, derivative)
    x = x - dy / df
    fm = legval(x, c[1:])
    fm = fm / np.max(np.abs(fm))
    df = df / np.max(np.abs(df))
    x, w = _symmetric(x, 1 / (fm * df))
    return x, w * (2.0 / np.sum(w))


def _normed_hermite(x, n, factor):
    """Of order n with the norm 1: hermite by 2, hermite_e by 1; NumPy's recurrence."""
    c0 = np.zeros_like(x)
    c1 = np.ones_like(x) / np.sqrt(np.sqrt(np.pi) if factor == 2 else np.sqrt(2 * np.pi))
    if n == 0:
        return c1
    nd = float(n)
    for _ in range(n - 1):
        held = c0
        c0 = -c1 * np.sqrt((nd - 1.0) / nd)
        c1 = held + c1 * x * np.sqrt(factor / nd)
        nd = nd - 1.0
    return c0 + c1 * x * np.sqrt(float(factor))


def _hermite_quadrature(deg, factor, total):
    _check_degree(deg)
    x = _eigenvalues(np.zeros(deg), np.sqrt(np.arange(1, deg) / factor))
    dy = _normed_hermite(x, deg, factor)
    df = _normed_hermite(x, deg - 1, factor) * np.sqrt(factor * deg)
    x = x - dy / df
    fm = _normed_hermite(x, deg - 1, factor)
    fm = fm / np.max(np.abs(fm))
    x, w = _symmetric(x, 1 / (fm * fm))
    return x, w * (total / np.sum(w))


@implements(hermite.hermgauss)
def hermgauss(deg):
    return _hermite_quadrature(deg, 2, np.sqrt(np.pi))


@implements(hermite_e.hermegauss)
def hermegauss(deg):
    return _hermite_quadrature(deg, 1, np.sqrt(2 * np.pi))


@implements(laguerre.laggauss)
def laggauss(deg):
    _check_degree(deg)
    c = np.zeros(deg + 1)
    c[deg] = 1
    x = _eigenvalues(2.0 * np.arange(deg) + 1, -np.arange(1.0, deg))
    dy = lagval(x, c)
    df = lagval(x, -np.ones(deg))
    x = x - dy / df
    fm = lagval(x, c[1:])
    fm = fm / np.max(np.abs(fm))
    df = df / np.max(np.abs(df))
    w = 1 / (fm * df)
    return x, w / np.sum(w)
