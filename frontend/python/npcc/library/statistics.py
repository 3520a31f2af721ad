"""Means, deviations and their relatives. Integers and bools are averaged in float64, float16 means in float32, as NumPy does; bfloat16 too."""

import numpy as np

from . import implements
from .axes import axis_tuple, count_along, stored_reduction


def counted(a, axis, where, keepdims):
    """How many elements a reduction combines."""
    if where is True or where is np._NoValue:
        return count_along(a, axis)
    return np.sum(np.broadcast_to(where, a.shape), axis=axis, dtype=np.int64, keepdims=keepdims)


@implements(np.mean)
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=np._NoValue):
    a = np.asarray(a)
    count = counted(a, axis, where, keepdims)
    chosen = True if where is np._NoValue else where
    if dtype is None and a.dtype.kind in "biu":
        result = np.sum(a, axis=axis, dtype=np.float64, keepdims=keepdims, where=chosen) / count
    elif dtype is None and a.dtype.name in ("float16", "bfloat16"):
        result = (np.sum(a, axis=axis, dtype=np.float32, keepdims=keepdims, where=chosen) / count).astype(a.dtype)
    else:
        total = np.sum(a, axis=axis, dtype=dtype, keepdims=keepdims, where=chosen)
        result = (total / count).astype(total.dtype)
    return stored_reduction(result, out, "add", keepdims, a, axis)


def squared_magnitude(x):
    if x.dtype.kind == "c":
        return x.real * x.real + x.imag * x.imag
    return x * x


def freedom_lost(ddof, correction):
    """`correction` is the array API's name for `ddof`."""
    if correction is np._NoValue:
        return ddof
    if ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


@implements(np.var)
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    a = np.asarray(a)
    ddof = freedom_lost(ddof, correction)
    summed = np.float64 if dtype is None and a.dtype.kind in "biu" else dtype
    chosen = True if where is np._NoValue else where
    if mean is np._NoValue:
        total = np.sum(a, axis=axis, dtype=summed, keepdims=True, where=chosen)
        centre = (total / counted(a, axis, where, True)).astype(total.dtype)
    else:
        centre = np.asarray(mean)
    # Of real numbers NumPy squares also complex deviations as they are: their imaginary parts are zero.
    d = a - centre
    squares = d * d if a.dtype.kind in "iuf" else squared_magnitude(d)
    total = np.sum(squares, axis=axis, dtype=summed, keepdims=keepdims, where=chosen)
    result = (total / np.maximum(counted(a, axis, where, keepdims) - ddof, 0)).astype(total.dtype)
    return stored_reduction(result, out, "add", keepdims, a, axis)


@implements(np.std)
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    variance = var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    if out is None:
        return root_of(variance)
    stored_reduction(variance, out, "add", keepdims, a, axis)
    return np.sqrt(out, out=out)


def root_of(variance):
    """In its dtype, which NumPy takes for an array only where roots are of its kind."""
    if variance.dtype.kind in "fc":
        return np.sqrt(variance)
    return np.sqrt(variance).astype(variance.dtype) if variance.ndim == 0 else np.sqrt(variance, out=variance)


def weights_along(a, weights, axis):
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
    if axis is not None:
        axis = axis_tuple(axis, a.ndim, "axis")
    if weights is None:
        result = mean(a, axis, keepdims=keepdims)
        if np.size(result) == 0:
            raise ZeroDivisionError("division by zero")
        if returned:
            return result, result * 0 + count_along(a, axis)
        return result
    w = weights_along(a, weights, axis)
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
    largest = np.max(a, axis=axis, out=out, keepdims=keepdims)  # which an out= rounds or refuses already
    return np.subtract(largest, np.min(a, axis=axis, keepdims=keepdims), out=out)


@implements(np.cov)
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    m = np.asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    kind = dtype
    if dtype is None:
        kind = np.result_type(m.dtype, np.float64)
        if y is not None:
            kind = np.result_type(kind, np.asarray(y).dtype)
    if np.zeros((), kind).dtype.kind not in "fc":
        raise NotImplementedError("the dtype must be a floating-point or complex one in compiled code")
    x = np.atleast_2d(m).astype(kind)
    if not rowvar and m.ndim != 1:
        x = x.T
    if y is not None:
        other = np.asarray(y)
        if other.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
        rows = np.atleast_2d(other).astype(kind)
        if not rowvar and rows.shape[0] != 1:
            rows = rows.T
        # Of no variables at first NumPy gives nothing for the others either.
        x = np.concatenate((x, rows[:rows.shape[0] * min(x.shape[0], 1)]), axis=0)
    if ddof is None:
        ddof = 0 if bias else 1
    n = x.shape[1]
    if fweights is None and aweights is None:
        d = x - mean(x, 1, keepdims=True)
        weighted = d
        factor = np.float64(n - ddof)
    else:
        weights = np.ones(n)
        if fweights is not None:
            counts = _one_axis(fweights, n, "fweights")
            if not np.all(counts == np.around(counts)):
                raise TypeError("fweights must be integer")
            if np.any(counts < 0):
                raise ValueError("fweights cannot be negative")
            weights = counts
        if aweights is not None:
            reliable = _one_axis(aweights, n, "aweights")
            if np.any(reliable < 0):
                raise ValueError("aweights cannot be negative")
            weights = weights * reliable
        d = (x - average(x, 1, weights, keepdims=True)).astype(kind)  # in place there, so rounded
        weighted = d * weights
        factor = np.sum(weights)
        if ddof != 0:
            lost = np.float64(ddof) if aweights is None else ddof * np.sum(weights * reliable) / factor
            factor = factor - lost
    other = np.conj(weighted.T) if kind == np.complex128 or kind == np.complex64 else weighted.T
    product = np.dot(d, other)
    return np.squeeze((product * np.true_divide(1, np.maximum(factor, 0.0))).astype(product.dtype))


def _one_axis(weights, n, name):
    w = np.asarray(weights).astype(np.float64)
    if w.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if w.shape[0] != n:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    return w


@implements(np.corrcoef)
def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    n = c.shape[0]
    deviation = np.sqrt(np.diagonal(c).real)
    c = c / deviation.reshape((n, 1)) / deviation
    if c.dtype.kind == "c":
        return np.clip(c.real, -1, 1) + np.clip(c.imag, -1, 1) * c.dtype.type(1j)
    return np.clip(c, -1, 1)
