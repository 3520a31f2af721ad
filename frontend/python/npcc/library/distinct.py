"""numpy.unique and its relatives."""

import numpy as np

from . import implements
from .axes import axis_index

UniqueAll = type(np.unique_all([0]))
UniqueCounts = type(np.unique_counts([0]))
UniqueInverse = type(np.unique_inverse([0]))


def _firsts(s, equal_nan):
    """True where a sorted line differs from the element before; all NaN are one, if they are equal."""
    first = np.ones(s.shape, dtype=bool)
    if s.dtype.kind in "fc" and equal_nan:
        first[1:] = (s[1:] != s[:-1]) & ~(np.isnan(s[1:]) & np.isnan(s[:-1]))
    else:
        first[1:] = s[1:] != s[:-1]
    return first


@implements(np.unique)
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    ar = np.asarray(ar)
    if isinstance(axis, float):
        raise TypeError("integer argument expected, got float")
    at = 0 if axis is None else axis_index(axis, ar.ndim)
    if axis is not None and ar.ndim != 1:
        return _unique_rows(ar, return_index, return_inverse, return_counts, at)
    line = np.ravel(ar)
    if not return_index and not return_inverse:
        s = np.sort(line)
        first = _firsts(s, equal_nan)
        if return_counts:
            return s[first], _counts(first)
        return s[first]
    order = np.argsort(line, kind="stable")
    s = line[order]
    first = _firsts(s, equal_nan)
    return _results(s[first], order, first, ar.shape, return_index, return_inverse, return_counts)


def _results(values, order, first, shape, return_index, return_inverse, return_counts):
    results = (values,)
    if return_index:
        results = results + (order[first],)
    if return_inverse:
        inverse = np.empty(order.shape, dtype=np.int64)
        inverse[order] = np.cumsum(first) - 1
        results = results + (inverse.reshape(shape),)
    if return_counts:
        results = results + (_counts(first),)
    return results if len(results) > 1 else values


def _counts(first):
    starts = np.flatnonzero(first)
    ends = np.empty(starts.shape, dtype=np.int64)
    ends[:-1] = starts[1:]
    ends[-1:] = first.size
    return ends - starts


def _unique_rows(ar, return_index, return_inverse, return_counts, axis):
    """Of subarrays along an axis, in the order of their elements."""
    moved = np.moveaxis(ar, axis, 0)
    n = moved.shape[0]
    rows = moved.reshape((n, ar.size // max(n, 1)))
    order = np.arange(n)
    columns = rows.shape[1]
    for k in range(columns):  # the last column first, each sort leaving the order of equal ones
        order = order[np.argsort(rows[order, columns - 1 - k], kind="stable")]
    s = rows[order]
    first = np.ones(n, dtype=bool)
    first[1:] = np.any(s[1:] != s[:-1], axis=1)
    values = moved[order][first]
    return _results(np.moveaxis(values, 0, axis), order, first, (n,), return_index, return_inverse, return_counts)


@implements(np.unique_all)
def unique_all(x):
    return UniqueAll(*unique(x, True, True, True, equal_nan=False))


@implements(np.unique_counts)
def unique_counts(x):
    return UniqueCounts(*unique(x, return_counts=True, equal_nan=False))


@implements(np.unique_inverse)
def unique_inverse(x):
    return UniqueInverse(*unique(x, return_inverse=True, equal_nan=False))


@implements(np.unique_values)
def unique_values(x):
    return unique(x, equal_nan=False)
