"""Reductions that leave NaN out. Only floating-point and complex numbers can be NaN."""

import numpy as np

from . import implements
from .axes import count_along, stored_reduction
from .statistics import freedom_lost, root_of, squared_magnitude


def _without_nan(a, value):
    """The array with `value` for NaN, and where there was none."""
    valid = np.logical_not(np.isnan(a))
    return np.where(valid, a, value), valid


def _chosen(where):
    return True if where is np._NoValue else where


def _first(initial):
    return None if initial is np._NoValue else initial


def _filled(a, value):
    """The array with `value` for NaN."""
    a = np.asarray(a)
    return _without_nan(a, value)[0] if a.dtype.kind in "fc" else a


@implements(np.nansum)
def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=np._NoValue):
    return np.sum(_filled(a, 0), axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=_first(initial), where=_chosen(where))


@implements(np.nanprod)
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=np._NoValue):
    return np.prod(_filled(a, 1), axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=_first(initial), where=_chosen(where))


@implements(np.nancumsum)
def nancumsum(a, axis=None, dtype=None, out=None):
    return np.cumsum(_filled(a, 0), axis=axis, dtype=dtype, out=out)


@implements(np.nancumprod)
def nancumprod(a, axis=None, dtype=None, out=None):
    return np.cumprod(_filled(a, 1), axis=axis, dtype=dtype, out=out)


def _check_inexact(dtype, out):
    if dtype is not None and np.zeros((), dtype).dtype.kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    if out is not None and out.dtype.kind not in "fc":
        raise TypeError("If a is inexact, then out must be inexact")


@implements(np.nanmean)
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=np._NoValue):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.mean(a, axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=where)
    _check_inexact(dtype, out)
    x, valid = _without_nan(a, 0)
    total = np.sum(x, axis=axis, dtype=dtype, keepdims=keepdims, where=_chosen(where))
    count = np.sum(valid, axis=axis, dtype=np.int64, keepdims=keepdims, where=_chosen(where))
    return stored_reduction((total / count).astype(total.dtype), out, "add", keepdims, a, axis)


@implements(np.nanvar)
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.var(a, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims, where=where, mean=mean, correction=correction)
    _check_inexact(dtype, out)
    ddof = freedom_lost(ddof, correction)
    chosen = _chosen(where)
    x, valid = _without_nan(a, 0)
    if mean is np._NoValue:
        total = np.sum(x, axis=axis, dtype=dtype, keepdims=True, where=chosen)
        centre = (total / np.sum(valid, axis=axis, dtype=np.int64, keepdims=True, where=chosen)).astype(total.dtype)
    else:
        centre = np.asarray(mean)
    d = np.where(valid, (x - centre).astype(a.dtype), np.zeros((), a.dtype))
    sums = np.sum(squared_magnitude(d), axis=axis, dtype=dtype, keepdims=keepdims, where=chosen)
    free = np.sum(valid, axis=axis, dtype=np.int64, keepdims=keepdims, where=chosen) - ddof
    result = np.where(free > 0, sums / free, np.nan).astype(sums.dtype)[()]
    return stored_reduction(result, out, "add", keepdims, a, axis)


@implements(np.nanstd)
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    if np.asarray(a).dtype.kind in "fc":
        _check_inexact(dtype, out)
    variance = nanvar(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return stored_reduction(root_of(variance), out, "add", keepdims, a, axis)


def _extremum(reduce, a, worst, ufunc, axis, out, keepdims, initial, where):
    """NumPy reduces arrays by fmax and fmin, and else takes the extremum of what is no array."""
    is_array = isinstance(a, np.ndarray)
    a = np.asarray(a)
    chosen = _chosen(where)
    first = _first(initial)
    if a.dtype.kind == "c":
        return ufunc.reduce(a, axis=axis, out=out, keepdims=keepdims, initial=initial, where=chosen)
    name = ufunc.__name__
    plain = "maximum" if ufunc is np.fmax else "minimum"
    if is_array and first is None:
        if chosen is not True:
            raise ValueError(f"reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'")
        if a.ndim > 0 and count_along(a, axis) == 0:
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if a.dtype.kind not in "fc":
        if is_array and out is not None:
            return stored_reduction(reduce(a, axis=axis, keepdims=keepdims, initial=first, where=chosen), out, name, keepdims, a, axis)
        return reduce(a, axis=axis, out=out, keepdims=keepdims, initial=first, where=chosen)
    x, valid = _without_nan(a, worst)
    found = reduce(x, axis=axis, keepdims=keepdims, initial=first, where=chosen)
    if first is None:  # of NaN alone it is NaN
        found = np.where(np.any(valid, axis=axis, keepdims=keepdims), found, np.nan).astype(a.dtype)[()]
    return stored_reduction(found, out, name if is_array else plain, keepdims, a, axis)


@implements(np.nanmax)
def nanmax(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=np._NoValue):
    return _extremum(np.max, a, -np.inf, np.fmax, axis, out, keepdims, initial, where)


@implements(np.nanmin)
def nanmin(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=np._NoValue):
    return _extremum(np.min, a, np.inf, np.fmin, axis, out, keepdims, initial, where)


def _position(search, a, worst, axis, out, keepdims):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return search(a, axis=axis, out=out, keepdims=keepdims)
    x, valid = _without_nan(a, worst)
    result = search(x, axis=axis, out=out, keepdims=keepdims)
    if not np.all(np.any(valid, axis=axis)):
        raise ValueError("All-NaN slice encountered")
    return result


@implements(np.nanargmax)
def nanargmax(a, axis=None, out=None, *, keepdims=False):
    return _position(np.argmax, a, -np.inf, axis, out, keepdims)


@implements(np.nanargmin)
def nanargmin(a, axis=None, out=None, *, keepdims=False):
    return _position(np.argmin, a, np.inf, axis, out, keepdims)
