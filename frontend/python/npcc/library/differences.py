"""Differences, gradients and integrals along axes."""

import numpy as np

from . import implements


def _along(ndim, axis, index):
    """An index that is `index` along `axis` and whole elsewhere."""
    return (slice(None),) * axis + (index,) + (slice(None),) * (ndim - axis - 1)


def _derivative(f, axis, step):
    """Second-order differences inside, first-order ones at the ends (numpy.gradient, edge_order=1)."""
    n = f.ndim
    out = np.empty_like(f)
    out[_along(n, axis, slice(1, -1))] = (f[_along(n, axis, slice(2, None))] - f[_along(n, axis, slice(None, -2))]) / (2.0 * step)
    out[_along(n, axis, 0)] = (f[_along(n, axis, 1)] - f[_along(n, axis, 0)]) / step
    out[_along(n, axis, -1)] = (f[_along(n, axis, -1)] - f[_along(n, axis, -2)]) / step
    return out


@implements(np.gradient)
def gradient(f, *varargs, axis=None):
    f = np.asarray(f)
    if f.dtype.kind in "biu":
        f = f.astype(np.float64)
    if axis is None:
        axes = tuple(range(f.ndim))
    elif isinstance(axis, tuple):
        axes = axis
    else:
        axes = (axis,)
    results = ()
    for k in range(len(axes)):
        if len(varargs) == 0:
            step = 1.0
        elif len(varargs) == 1:
            step = varargs[0]
        else:
            step = varargs[k]
        at = axes[k] if axes[k] >= 0 else axes[k] + f.ndim
        results = results + (_derivative(f, at, step),)
    if len(results) == 1:
        return results[0]
    return results


@implements(np.diff)
def diff(a, n=1, axis=-1):
    a = np.asarray(a)
    at = axis if axis >= 0 else axis + a.ndim
    for _ in (None,) * n:
        upper = a[_along(a.ndim, at, slice(1, None))]
        lower = a[_along(a.ndim, at, slice(None, -1))]
        if a.dtype == np.bool_:
            a = upper != lower
        else:
            a = upper - lower
    return a


@implements(np.trapezoid)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.asarray(y)
    at = axis if axis >= 0 else axis + y.ndim
    pairs = y[_along(y.ndim, at, slice(1, None))] + y[_along(y.ndim, at, slice(None, -1))]
    if x is None:
        return np.sum(dx * pairs / 2.0, axis=at)
    x = np.asarray(x)
    d = x[1:] - x[:-1]
    if y.ndim > 1:
        d = d.reshape((1,) * at + (d.shape[0],) + (1,) * (y.ndim - at - 1))
    return np.sum(d * pairs / 2.0, axis=at)
