"""numpy.polynomial: the integrals of series, and series without their small coefficients of the highest orders."""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements
from .series import as_series, chebval, hermeval, hermval, lagval, legval, polyval


def _integral(c, m, k, lbnd, scl, axis, step, value):
    """`step` (rows, order, out): stores the coefficients of an integral, by those of the series; order k has the coefficient k of `rows`."""
    if m != int(m) or m < 0:
        raise ValueError("The order of integration must be non-negative")
    if np.ndim(lbnd) != 0:
        raise ValueError("lbnd must be a scalar.")
    if np.ndim(scl) != 0:
        raise ValueError("scl must be a scalar.")
    c = np.atleast_1d(c)
    if c.dtype.kind in "biu":
        c = c.astype(np.float64)
    constants = np.zeros(0) if k is np._NoValue else np.atleast_1d(k)
    if constants.shape[0] > m:
        raise ValueError("Too many integration constants")
    rows = np.moveaxis(c, axis, 0)
    for turn in range(m):
        rows = rows * scl
        n = rows.shape[0]
        constant = constants[turn] if turn < constants.shape[0] else constants.dtype.type(0)
        if n == 1 and np.all(rows[0] == 0):  # the integral of nothing is a constant
            rows = rows + constant
        else:
            out = np.zeros((n + 1,) + rows.shape[1:], rows.dtype)
            step(rows, np.arange(n).reshape((-1,) + (1,) * (rows.ndim - 1)), out)
            out[0] += constant - value(lbnd, out)
            rows = out
    return np.moveaxis(rows, 0, axis)


def _chebyshev_step(rows, order, out):
    out[1] = rows[0]
    out[2:] = rows[1:] / (2 * (order[1:] + 1))
    out[1:-2] -= rows[2:] / (2 * (order[2:] - 1))


def _legendre_step(rows, order, out):
    shares = rows / (2 * order + 1)
    out[1:] = shares
    out[:-2] -= shares[1:]
    out[0] = 0


def _hermite_step(rows, order, out):
    out[1:] = rows / (2 * (order + 1))


def _power_step(rows, order, out):
    out[1:] = rows / (order + 1)


def _laguerre_step(rows, order, out):
    out[:-1] = rows
    out[1:] -= rows


@implements(polynomial.polyint)
def polyint(c, m=1, k=np._NoValue, lbnd=0, scl=1, axis=0):
    return _integral(c, m, k, lbnd, scl, axis, _power_step, polyval)


@implements(chebyshev.chebint)
def chebint(c, m=1, k=np._NoValue, lbnd=0, scl=1, axis=0):
    return _integral(c, m, k, lbnd, scl, axis, _chebyshev_step, chebval)


@implements(legendre.legint)
def legint(c, m=1, k=np._NoValue, lbnd=0, scl=1, axis=0):
    return _integral(c, m, k, lbnd, scl, axis, _legendre_step, legval)


@implements(hermite.hermint)
def hermint(c, m=1, k=np._NoValue, lbnd=0, scl=1, axis=0):
    return _integral(c, m, k, lbnd, scl, axis, _hermite_step, hermval)


@implements(hermite_e.hermeint)
def hermeint(c, m=1, k=np._NoValue, lbnd=0, scl=1, axis=0):
    return _integral(c, m, k, lbnd, scl, axis, _power_step, hermeval)


@implements(laguerre.lagint)
def lagint(c, m=1, k=np._NoValue, lbnd=0, scl=1, axis=0):
    return _integral(c, m, k, lbnd, scl, axis, _laguerre_step, lagval)


@implements(polynomial.polytrim, chebyshev.chebtrim, legendre.legtrim, hermite.hermtrim, hermite_e.hermetrim, laguerre.lagtrim)
def trimcoef(c, tol=0):
    if tol < 0:
        raise ValueError("tol must be non-negative")
    c = as_series(c)
    is_large = np.abs(c) > tol
    count = c.shape[0] - int(np.argmax(is_large[::-1]))
    return c[:count].copy() if np.any(is_large) else c[:1] * 0
