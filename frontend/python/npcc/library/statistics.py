"""Means, deviations and their relatives. Integers and bools are averaged in float64, float16 in float32, as NumPy does."""

import numpy as np

from . import implements


def _count(a, axis):
    """How many elements a reduction over `axis` combines."""
    if axis is None:
        return a.size
    if isinstance(axis, tuple):
        count = 1
        for k in axis:
            count = count * a.shape[k]
        return count
    return a.shape[axis]


@implements(np.mean)
def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = np.asarray(a)
    if dtype is None and a.dtype.kind in "biu":
        total = np.sum(a, axis=axis, dtype=np.float64, keepdims=keepdims)
        result = total / _count(a, axis)
    elif dtype is None and a.dtype == np.float16:
        total = np.sum(a, axis=axis, dtype=np.float32, keepdims=keepdims)
        result = (total / _count(a, axis)).astype(np.float16)
    else:
        total = np.sum(a, axis=axis, dtype=dtype, keepdims=keepdims)
        result = total / _count(a, axis)
    if out is not None:
        out[...] = result
        return out
    return result


@implements(np.var)
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = np.asarray(a)
    half = dtype is None and a.dtype == np.float16
    if half:
        x = a.astype(np.float32)
    elif dtype is not None:
        x = a.astype(dtype)
    elif a.dtype.kind in "biu":
        x = a.astype(np.float64)
    else:
        x = a
    count = _count(a, axis)
    centre = np.sum(x, axis=axis, keepdims=True) / count
    d = x - centre
    if x.dtype.kind == "c":
        squares = d.real * d.real + d.imag * d.imag
    else:
        squares = d * d
    total = np.sum(squares, axis=axis, keepdims=keepdims)
    result = total / max(count - ddof, 0)
    if half:
        result = result.astype(np.float16)
    if out is not None:
        out[...] = result
        return out
    return result


@implements(np.std)
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    result = np.sqrt(var(a, axis, dtype, None, ddof, keepdims))
    if out is not None:
        out[...] = result
        return out
    return result


@implements(np.average)
def average(a, axis=None, weights=None, keepdims=False):
    a = np.asarray(a)
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    w = np.asarray(weights)
    if w.ndim == 1 and a.ndim > 1:
        k = axis if axis >= 0 else axis + a.ndim
        shape = (1,) * k + (w.shape[0],) + (1,) * (a.ndim - k - 1)
        w = w.reshape(shape) + np.zeros_like(a)
    return np.sum(a * w, axis=axis, keepdims=keepdims) / np.sum(w, axis=axis, keepdims=keepdims)


@implements(np.ptp)
def ptp(a, axis=None, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


@implements(np.nansum)
def nansum(a, axis=None, keepdims=False):
    return np.sum(np.where(np.isnan(a), 0, a), axis=axis, keepdims=keepdims)


@implements(np.nanmean)
def nanmean(a, axis=None, keepdims=False):
    valid = np.logical_not(np.isnan(a))
    return np.sum(np.where(valid, a, 0), axis=axis, keepdims=keepdims) / np.sum(valid, axis=axis, keepdims=keepdims)


@implements(np.nanmax)
def nanmax(a, axis=None, keepdims=False):
    return np.max(np.where(np.isnan(a), -np.inf, a), axis=axis, keepdims=keepdims)


@implements(np.nanmin)
def nanmin(a, axis=None, keepdims=False):
    return np.min(np.where(np.isnan(a), np.inf, a), axis=axis, keepdims=keepdims)


@implements(np.cov)
def cov(m, rowvar=True, ddof=1):
    x = np.asarray(m)
    if not rowvar:
        x = x.T
    d = x - np.sum(x, axis=1, keepdims=True) / x.shape[1]
    return (d @ d.T) / (x.shape[1] - ddof)
