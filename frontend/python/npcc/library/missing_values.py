"""Reductions that leave NaN out. Only floating-point and complex numbers can be NaN."""

import numpy as np

from . import implements
from .axes import stored
from .statistics import check_sums


def _without_nan(a, value):
    """The array with `value` for NaN, and where there was none."""
    valid = np.logical_not(np.isnan(a))
    return np.where(valid, a, value), valid


@implements(np.nansum)
def nansum(a, axis=None, dtype=None, out=None, keepdims=False):
    a = np.asarray(a)
    if a.dtype.kind in "fc":
        a = _without_nan(a, 0)[0]
    return np.sum(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims)


@implements(np.nanprod)
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    a = np.asarray(a)
    if a.dtype.kind in "fc":
        a = _without_nan(a, 1)[0]
    return np.prod(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims)


@implements(np.nancumsum)
def nancumsum(a, axis=None, dtype=None, out=None):
    a = np.asarray(a)
    if a.dtype.kind in "fc":
        a = _without_nan(a, 0)[0]
    return np.cumsum(a, axis=axis, dtype=dtype, out=out)


@implements(np.nanmean)
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.mean(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    check_sums(a, dtype)
    x, valid = _without_nan(a, 0)
    total = np.sum(x, axis=axis, dtype=dtype, keepdims=keepdims)
    count = np.sum(valid, axis=axis, dtype=np.int64, keepdims=keepdims)
    return stored((total / count).astype(total.dtype), out)


@implements(np.nanvar)
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.var(a, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims)
    check_sums(a, dtype)
    x, valid = _without_nan(a, 0)
    total = np.sum(x, axis=axis, dtype=dtype, keepdims=True)
    centre = (total / np.sum(valid, axis=axis, dtype=np.int64, keepdims=True)).astype(total.dtype)
    d = np.where(valid, x - centre, np.zeros((), a.dtype))
    if d.dtype.kind == "c":
        squares = d.real * d.real + d.imag * d.imag
    else:
        squares = d * d
    sums = np.sum(squares, axis=axis, dtype=dtype, keepdims=keepdims)
    free = np.sum(valid, axis=axis, dtype=np.int64, keepdims=keepdims) - ddof
    result = np.where(free > 0, sums / free, np.nan).astype(sums.dtype)[()]
    return stored(result, out)


@implements(np.nanstd)
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return stored(np.sqrt(nanvar(a, axis, dtype, None, ddof, keepdims)), out)


@implements(np.nanmax)
def nanmax(a, axis=None, out=None, keepdims=False):
    a = np.asarray(a)
    if a.dtype.kind != "f":
        return np.max(a, axis=axis, out=out, keepdims=keepdims)
    x, valid = _without_nan(a, -np.inf)
    largest = np.max(x, axis=axis, keepdims=keepdims)
    result = np.where(np.any(valid, axis=axis, keepdims=keepdims), largest, np.nan).astype(a.dtype)[()]
    return stored(result, out)


@implements(np.nanmin)
def nanmin(a, axis=None, out=None, keepdims=False):
    a = np.asarray(a)
    if a.dtype.kind != "f":
        return np.min(a, axis=axis, out=out, keepdims=keepdims)
    x, valid = _without_nan(a, np.inf)
    smallest = np.min(x, axis=axis, keepdims=keepdims)
    result = np.where(np.any(valid, axis=axis, keepdims=keepdims), smallest, np.nan).astype(a.dtype)[()]
    return stored(result, out)
