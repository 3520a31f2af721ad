"""numpy.polynomial: series of polynomials as arrays of their coefficients, the lowest order first. They are evaluated by Clenshaw's recurrence."""

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements
from .signals import convolve


def _operands(x, c, tensor):
    """x as numbers, and the coefficients, an axis of them for each axis of x behind the first."""
    c = np.atleast_1d(c)
    if c.dtype.kind in "biu":
        c = c + 0.0
    if isinstance(x, (tuple, list)):
        x = np.asarray(x)
    if tensor and np.ndim(x) > 0:
        c = c.reshape(c.shape + (1,) * np.ndim(x))
    return x, c


def _start(x, c):
    """Sums of the shape of the result: the last coefficients but one, and the last."""
    n = c.shape[0]
    none = x * 0
    if n == 1:
        return c[0] + none, c[0] * 0 + none
    return c[n - 2] + none, c[n - 1] + none


@implements(polynomial.polyval)
def polyval(x, c, tensor=True):
    x, c = _operands(x, c, tensor)
    n = c.shape[0]
    total = c[n - 1] + x * 0
    for k in range(2, n + 1):
        total = c[n - k] + total * x
    return total


def _clenshaw(x, c, tensor, step, last):
    """Clenshaw's recurrence: `step` gives the two sums with the coefficient of order n - 2 from those before, `last` the factor of the second one."""
    x, c = _operands(x, c, tensor)
    n = c.shape[0]
    low, high = _start(x, c)
    for k in range(3, n + 1):
        low, high = step(x, c[n - k], n - k + 2, low, high)
    return low + high * last(x)


@implements(chebyshev.chebval)
def chebval(x, c, tensor=True):
    return _clenshaw(x, c, tensor, lambda x, one, order, low, high: (one - high, low + high * (2 * x)), lambda x: x)


@implements(legendre.legval)
def legval(x, c, tensor=True):
    return _clenshaw(
        x, c, tensor,
        lambda x, one, order, low, high: (one - high * ((order - 1) / order), low + high * x * ((2 * order - 1) / order)), lambda x: x)


@implements(laguerre.lagval)
def lagval(x, c, tensor=True):
    return _clenshaw(
        x, c, tensor,
        lambda x, one, order, low, high: (one - (high * (order - 1)) / order, low + (high * ((2 * order - 1) - x)) / order),
        lambda x: 1 - x)


@implements(hermite.hermval)
def hermval(x, c, tensor=True):
    return _clenshaw(
        x, c, tensor, lambda x, one, order, low, high: (one - high * (2 * (order - 1)), low + high * (x * 2)), lambda x: x * 2)


@implements(hermite_e.hermeval)
def hermeval(x, c, tensor=True):
    return _clenshaw(x, c, tensor, lambda x, one, order, low, high: (one - high * (order - 1), low + high * x), lambda x: x)


def trimmed(c):
    """Without the zeros of the highest orders, but for one."""
    n = c.shape[0]
    is_kept = c != 0
    last = n - int(np.argmax(is_kept[::-1]))
    return c[:last if np.any(is_kept) else 1]


def as_series(c):
    """Coefficients as numbers that can be divided, without zeros at the end."""
    a = np.atleast_1d(c)
    if a.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    if a.shape[0] == 0:
        raise ValueError("Coefficient array is empty")
    if a.dtype.kind in "biu":
        a = a.astype(np.float64)
    return trimmed(a)


def _sum(c1, c2, sign):
    first = as_series(c1)
    second = as_series(c2)
    total = np.zeros(max(first.shape[0], second.shape[0]), np.result_type(first.dtype, second.dtype))
    total[:first.shape[0]] = first
    total[:second.shape[0]] += sign * second
    return trimmed(total)


@implements(polynomial.polyadd, chebyshev.chebadd, legendre.legadd, laguerre.lagadd, hermite.hermadd, hermite_e.hermeadd)
def polyadd(c1, c2):
    return _sum(c1, c2, 1)


@implements(polynomial.polysub, chebyshev.chebsub, legendre.legsub, laguerre.lagsub, hermite.hermsub, hermite_e.hermesub)
def polysub(c1, c2):
    return _sum(c1, c2, -1)


@implements(polynomial.polymul)
def polymul(c1, c2):
    return trimmed(convolve(as_series(c1), as_series(c2)))


@implements(polynomial.polymulx)
def polymulx(c):
    c = as_series(c)
    product = np.zeros(c.shape[0] + 1, c.dtype)
    product[1:] = c
    return trimmed(product)


@implements(polynomial.polyfromroots)
def polyfromroots(roots):
    roots = np.atleast_1d(roots)
    roots = roots.astype(np.result_type(roots.dtype, np.float64))
    n = roots.shape[0]
    c = np.zeros(n + 1, roots.dtype)
    c[n] = 1
    roots = np.sort(roots)
    for k in range(n):
        c[n - k - 1:n] = c[n - k - 1:n] - roots[k] * c[n - k:]
    return c


def _vandermonde(x, deg):
    if deg < 0:
        raise ValueError("deg must be non-negative")
    x = np.atleast_1d(x) + 0.0
    return x, np.zeros(x.shape + (deg + 1,), x.dtype)


@implements(polynomial.polyvander)
def polyvander(x, deg):
    x, v = _vandermonde(x, deg)
    v[..., 0] = x * 0 + 1
    for k in range(1, deg + 1):
        v[..., k] = v[..., k - 1] * x
    return v


@implements(chebyshev.chebvander)
def chebvander(x, deg):
    x, v = _vandermonde(x, deg)
    v[..., 0] = x * 0 + 1
    if deg > 0:
        v[..., 1] = x
    for k in range(2, deg + 1):
        v[..., k] = v[..., k - 1] * (2 * x) - v[..., k - 2]
    return v


@implements(legendre.legvander)
def legvander(x, deg):
    x, v = _vandermonde(x, deg)
    v[..., 0] = x * 0 + 1
    if deg > 0:
        v[..., 1] = x
    for k in range(2, deg + 1):
        v[..., k] = (v[..., k - 1] * x * (2 * k - 1) - v[..., k - 2] * (k - 1)) / k
    return v
