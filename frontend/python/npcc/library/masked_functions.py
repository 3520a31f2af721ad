"""numpy.ma's functions that have names of NumPy's own. They call numpy.ma's class by its name, so that a program that only uses numpy.mean need not
import what the class is here."""
import numpy as np

from . import implements_of

_MASKED = implements_of("numpy.ma")


def _masked(a):
    return a if isinstance(a, np.ma.MaskedArray) else np.ma.MaskedArray(a)


@_MASKED
def array(data, dtype=None, copy=False, order=None, mask=None, fill_value=None, keep_mask=True, hard_mask=False, shrink=True, subok=True, ndmin=0):
    return np.ma.MaskedArray(data, mask=mask, dtype=dtype, copy=copy, ndmin=ndmin, fill_value=fill_value, keep_mask=keep_mask, hard_mask=hard_mask)


@_MASKED
def sum(a, axis=None, dtype=None):
    return _masked(a).sum(axis=axis, dtype=dtype)


@_MASKED
def prod(a, axis=None, dtype=None):
    return _masked(a).prod(axis=axis, dtype=dtype)


@_MASKED
def mean(a, axis=None, dtype=None):
    return _masked(a).mean(axis=axis, dtype=dtype)


@_MASKED
def var(a, axis=None, dtype=None, ddof=0):
    return _masked(a).var(axis=axis, dtype=dtype, ddof=ddof)


@_MASKED
def std(a, axis=None, dtype=None, ddof=0):
    return _masked(a).std(axis=axis, dtype=dtype, ddof=ddof)


@_MASKED
def max(obj, axis=None):
    return _masked(obj).max(axis=axis)


@_MASKED
def min(obj, axis=None):
    return _masked(obj).min(axis=axis)


@_MASKED
def median(a, axis=None):
    if axis is not None:
        raise NotImplementedError("numpy.ma.median along an axis cannot be compiled")
    return np.median(_masked(a).compressed())


def _of_numbers(function, a, undefined):
    """What an elementwise function gives; masked where it is not defined, or gives no number."""
    m = _masked(a)
    result = function(m.data)
    mask = ~np.isfinite(result) | undefined | np.ma.getmaskarray(m)
    made = m.of(np.where(mask, m.data.astype(result.dtype), result), mask)
    made.has_mask = True
    return made


@_MASKED
def sqrt(a):
    return _of_numbers(np.sqrt, a, np.ma.getdata(a) < 0)


@_MASKED
def log(a):
    return _of_numbers(np.log, a, np.ma.getdata(a) <= 0)


@_MASKED
def log10(a):
    return _of_numbers(np.log10, a, np.ma.getdata(a) <= 0)


@_MASKED
def exp(a):
    m = _masked(a)
    mask = np.ma.getmaskarray(m)
    result = np.exp(m.data)
    return m.of(np.where(mask, m.data.astype(result.dtype), result), mask)
