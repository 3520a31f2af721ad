"""Means, deviations and their relatives. Integers and bools are averaged in float64, float16 means in float32, as NumPy does."""

import numpy as np

from . import implements
from .axes import axis_tuple, count_along, stored


@implements(np.mean)
def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = np.asarray(a)
    count = count_along(a, axis)
    if dtype is None and a.dtype.kind in "biu":
        result = np.sum(a, axis=axis, dtype=np.float64, keepdims=keepdims) / count
    elif dtype is None and a.dtype == np.float16:
        result = (np.sum(a, axis=axis, dtype=np.float32, keepdims=keepdims) / count).astype(np.float16)
    else:
        total = np.sum(a, axis=axis, dtype=dtype, keepdims=keepdims)
        result = total / count
        if total.dtype.kind in "biu":
            result = result.astype(total.dtype)
    return stored(result, out)


def _squared_magnitude(x):
    if x.dtype.kind == "c":
        return x.real * x.real + x.imag * x.imag
    return x * x


def check_sums(a, dtype):
    """What is not an integer is summed in a type that holds it."""
    if dtype is not None and np.zeros((), dtype).dtype.kind != ("c" if a.dtype.kind == "c" else "f"):
        raise NotImplementedError("the dtype must be a floating-point type of the array's kind in compiled code")


@implements(np.var)
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = np.asarray(a)
    check_sums(a, dtype)
    summed = np.float64 if dtype is None and a.dtype.kind in "biu" else dtype
    count = count_along(a, axis)
    centre = np.sum(a, axis=axis, dtype=summed, keepdims=True) / count
    squares = _squared_magnitude(a - centre)
    real = None if summed is None else np.zeros((), summed).real.dtype
    result = np.sum(squares, axis=axis, dtype=real, keepdims=keepdims) / max(count - ddof, 0)
    return stored(result, out)


@implements(np.std)
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return stored(np.sqrt(var(a, axis, dtype, None, ddof, keepdims)), out)


def _weights(a, weights, axis):
    """Weights that broadcast against `a`."""
    w = np.asarray(weights)
    if w.ndim == a.ndim:
        for k in tuple(range(a.ndim)):
            if w.shape[k] != a.shape[k]:
                if axis is None:
                    raise TypeError("Axis must be specified when shapes of a and weights differ.")
                raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        return w
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = axis_tuple(axis, a.ndim)
    if len(axes) != w.ndim:
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    order = ()
    shape = ()
    for k in tuple(range(a.ndim)):
        if k in axes:
            if w.shape[axes.index(k)] != a.shape[k]:
                raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
            order = order + (axes.index(k),)
            shape = shape + (a.shape[k],)
        else:
            shape = shape + (1,)
    return np.transpose(w, order).reshape(shape)


@implements(np.average)
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    a = np.asarray(a)
    if weights is None:
        result = mean(a, axis, keepdims=keepdims)
        if returned:
            return result, result * 0 + count_along(a, axis)
        return result
    axis_tuple(axis, a.ndim)
    w = _weights(a, weights, axis)
    dtype = np.result_type(a.dtype, w.dtype)
    if a.dtype.kind in "biu":
        dtype = np.result_type(dtype, np.float64)
    # Weights of fewer axes count once for each element that they weigh.
    scale = np.sum(np.broadcast_to(w, a.shape), axis=axis, dtype=dtype, keepdims=keepdims)
    if np.any(scale == 0.0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    result = np.sum(np.multiply(a, w, dtype=dtype), axis=axis, keepdims=keepdims) / scale
    if returned:
        return result, scale
    return result


@implements(np.ptp)
def ptp(a, axis=None, out=None, keepdims=False):
    return stored(np.subtract(np.max(a, axis=axis, keepdims=keepdims), np.min(a, axis=axis, keepdims=keepdims)), out)


@implements(np.cov)
def cov(m, y=None, rowvar=True, bias=False, ddof=None, *, dtype=None):
    m = np.asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    kind = dtype
    if dtype is None:
        kind = np.result_type(m.dtype, np.float64)
    check_sums(np.zeros((), np.result_type(m.dtype, kind)), dtype)
    x = np.atleast_2d(m).astype(kind)
    if not rowvar and m.ndim != 1:
        x = x.T
    if y is not None:
        other = np.asarray(y)
        if other.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
        rows = np.atleast_2d(other).astype(kind)
        if not rowvar and other.ndim != 1:
            rows = rows.T
        x = np.concatenate((x, rows), axis=0)
    if ddof is None:
        ddof = 0 if bias else 1
    d = x - mean(x, 1, keepdims=True)
    if kind == np.complex128 or kind == np.complex64:
        product = np.dot(d, np.conj(d.T))
    else:
        product = np.dot(d, d.T)
    result = (product * np.true_divide(1, max(x.shape[1] - ddof, 0))).astype(product.dtype)
    if m.ndim < 2 and y is None:
        return np.array(result.reshape(()))  # of no axes, not a scalar
    return result


@implements(np.corrcoef)
def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    n = c.shape[0]
    deviation = np.sqrt(np.diagonal(c).real)
    c = c / deviation.reshape((n, 1)) / deviation
    if c.dtype.kind == "c":
        return c
    return np.clip(c, -1, 1)
