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
    m = _masked(a)
    if axis is None or m.ndim == 1 and (axis == 0 or axis == -1):
        return np.median(m.compressed())
    if isinstance(axis, tuple):
        raise NotImplementedError("numpy.ma.median along several axes cannot be compiled")
    is_inexact = m.dtype.kind == "f" or m.dtype.kind == "c"
    last = np.inf if is_inexact else True if m.dtype.kind == "b" else np.iinfo(m.dtype).max
    lines = np.sort(m.filled_with(last), axis=axis)  # what is masked comes behind the others, or is equal to them
    count = np.sum(~m.full_mask, axis=axis, keepdims=True)
    upper = np.minimum(count // 2, m.shape[axis] - 1)
    lower = np.maximum(np.where(count % 2 == 1, upper, count // 2 - 1), 0)
    both = np.take_along_axis(lines, np.concatenate((lower, upper), axis=axis), axis=axis)
    if is_inexact:
        middle = np.true_divide(np.sum(both, axis=axis), 2.0)
        middle = np.where(np.any(np.isnan(m.filled_with(0)), axis=axis), np.nan, middle).astype(middle.dtype)
    else:
        middle = np.mean(both, axis=axis)
    return m.of(middle, m.full_mask.all(axis=axis))


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
