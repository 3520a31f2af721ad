"""Polynomials that fit points, and the roots of polynomials: least squares and eigenvalues."""

import numpy as np

from . import implements
from .eigenvalues import IS_REAL_WHERE_IT_CAN_BE


def _checked_points(x, y):
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")


@implements(np.polyfit)
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    order = int(deg) + 1
    x = np.asarray(x) + 0.0
    y = np.asarray(y) + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    _checked_points(x, y)
    if rcond is None:
        rcond = x.shape[0] * np.finfo(x.dtype).eps
    columns = np.vander(x, order)
    values = y
    if w is not None:
        weights = np.asarray(w) + 0.0
        if weights.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if weights.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        columns = columns * weights.reshape((-1, 1))
        values = y * (weights.reshape((-1, 1)) if y.ndim == 2 else weights)
    # Columns of one length make the matrix as well conditioned as it can be.
    scale = np.sqrt(np.sum(columns * columns, axis=0))
    columns = columns / scale
    c, residuals, rank, singular = np.linalg.lstsq(columns, values, rcond)
    c = (c.T / scale).T
    if full:
        return c, residuals, rank, singular, rcond
    if not cov:
        return c
    base = np.linalg.inv(np.dot(columns.T, columns)) / np.outer(scale, scale)
    factor = 1
    if not (isinstance(cov, str) and cov == "unscaled"):
        if x.shape[0] <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = residuals / (x.shape[0] - order)
    if y.ndim == 1:
        return c, base * factor
    return c, np.expand_dims(base, -1) * factor


@implements(np.roots)
def roots(p):
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    if p.dtype.kind not in "fc":
        p = p.astype(np.float64)
    places = np.flatnonzero(p)
    first = 0
    stop = 0
    if places.shape[0] > 0:
        first = int(places[0])
        stop = int(places[-1]) + 1
    at_zero = p.shape[0] - stop if places.shape[0] > 0 else 0
    p = p[first:stop]
    n = max(p.shape[0] - 1, 0)
    companion = np.zeros((n, n), p.dtype)
    if n > 0:
        companion[np.arange(1, n), np.arange(n - 1)] = 1
        companion[0] = -p[1:] / p[0]
    found = np.linalg.eigvals(companion)
    if not IS_REAL_WHERE_IT_CAN_BE and p.dtype.kind != "c" and np.all(found.imag == 0):
        return np.concatenate((found.real, np.zeros(at_zero, found.real.dtype)))
    return np.concatenate((found, np.zeros(at_zero, found.dtype)))
