"""numpy.ma's functions that mask elements of an array, and that ask for what is masked."""
import numpy as np

from . import implements_of
from .masked_arrays import Masked, data_of, made, mask_of, masked_array

_MASKED = implements_of("numpy.ma")


@_MASKED
def masked_where(condition, a, copy=True):
    mask = np.asarray(condition.filled(True) if isinstance(condition, Masked) else condition) != 0
    if mask.shape != np.shape(data_of(a)):
        raise IndexError(f"Inconsistent shape between the condition and the input (got {mask.shape} and {np.shape(data_of(a))})")
    return made(a, mask, mask.any() or _has(a), copy)


def _has(a):
    return a.full_mask.any() if isinstance(a, Masked) else False


@_MASKED
def masked_invalid(a, copy=True):
    mask = ~np.isfinite(data_of(a))
    return made(a, mask, True, copy)


@_MASKED
def masked_equal(x, value, copy=True):
    mask = np.equal(data_of(x), value)
    return made(x, mask, mask.any() or _has(x), copy, value)


@_MASKED
def masked_not_equal(x, value, copy=True):
    return masked_where(np.not_equal(data_of(x), value), x, copy)


@_MASKED
def masked_greater(x, value, copy=True):
    return masked_where(np.greater(data_of(x), value), x, copy)


@_MASKED
def masked_greater_equal(x, value, copy=True):
    return masked_where(np.greater_equal(data_of(x), value), x, copy)


@_MASKED
def masked_less(x, value, copy=True):
    return masked_where(np.less(data_of(x), value), x, copy)


@_MASKED
def masked_less_equal(x, value, copy=True):
    return masked_where(np.less_equal(data_of(x), value), x, copy)


@_MASKED
def masked_inside(x, v1, v2, copy=True):
    low, high = (v2, v1) if v2 < v1 else (v1, v2)
    values = data_of(x)
    return masked_where((values >= low) & (values <= high), x, copy)


@_MASKED
def masked_outside(x, v1, v2, copy=True):
    low, high = (v2, v1) if v2 < v1 else (v1, v2)
    values = data_of(x)
    return masked_where((values < low) | (values > high), x, copy)


@_MASKED
def getmaskarray(arr):
    return arr.full_mask if isinstance(arr, Masked) else np.zeros(np.shape(arr), bool)


@_MASKED
def getmask(a):
    return mask_of(a)


@_MASKED
def getdata(a, subok=True):
    return np.asarray(data_of(a))


@_MASKED
def is_masked(x):
    return bool(x.full_mask.any()) if isinstance(x, Masked) else False


@_MASKED
def filled(a, fill_value=None):
    return a.filled(fill_value) if isinstance(a, Masked) else np.asarray(a)


@_MASKED
def compressed(x):
    return x.compressed() if isinstance(x, Masked) else np.asarray(x).ravel()


@_MASKED
def count(a, axis=None, keepdims=False):
    return a.count(axis, keepdims) if isinstance(a, Masked) else masked_array(a).count(axis, keepdims)
