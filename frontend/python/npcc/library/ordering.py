"""What is made of sorted arrays: medians and quantiles, distinct elements, sets."""

import numpy as np

from . import implements
from .axes import axis_tuple, stored


def _lines(a, axis):
    """The array with `axis` (one, several, or None for all) as its last axis, and the shape that keepdims gives."""
    if axis is None:
        return np.ravel(a), (1,) * a.ndim
    axes = axis_tuple(axis, a.ndim)
    kept = ()
    order = ()
    shape = ()
    for k in tuple(range(a.ndim)):
        if k in axes:
            kept = kept + (1,)
        else:
            kept = kept + (a.shape[k],)
            order = order + (k,)
            shape = shape + (a.shape[k],)
    if len(axes) == 1:
        return np.transpose(a, order + axes), kept
    return np.transpose(a, order + axes).reshape(shape + (-1,)), kept


def _last_nan(lines):
    """The sorted lines' last elements: NaN where a line holds any."""
    return np.take(lines, lines.shape[-1] - 1, axis=-1)


@implements(np.median)
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = np.asarray(a)
    lines, kept = _lines(a, axis)
    count = lines.shape[-1]
    if count == 0:
        result = np.mean(lines, axis=-1)
    else:
        lines = np.sort(lines, axis=-1)
        low = np.take(lines, (count - 1) // 2, axis=-1)
        high = np.take(lines, count // 2, axis=-1)
        if a.dtype.kind in "biu":
            low = low.astype(np.float64)
            high = high.astype(np.float64)
        # The mean of one number too is a quotient, which makes NaN of infinite complex ones.
        middle = low / 1 if a.dtype.kind == "c" else low
        result = np.where(count % 2 == 1, middle, (low + high) / 2)[()]
        result = _finished(a, lines, result, kept, False)
    return stored(np.reshape(result, kept) if keepdims else result, out)


def _finished(a, lines, result, kept, keepdims):
    """NaN where a line holds any, and the axes that stay."""
    if a.dtype.kind in "fc":
        last = _last_nan(lines)
        result = np.where(np.isnan(last), last, result)[()]
    return np.reshape(result, kept) if keepdims else result


def _quantile(a, q, axis, keepdims):
    lines, kept = _lines(a, axis)
    lines = np.sort(lines, axis=-1)
    last = lines.shape[-1] - 1
    place = last * q
    if q.dtype.kind in "biu":  # the first or the last element itself
        result = np.take(lines, place, axis=-1)
        if q.ndim == 1:
            result = np.moveaxis(result, -1, 0)
        return _finished(a, lines, result, q.shape + kept, keepdims)
    below = np.clip(np.floor(place).astype(np.int64), 0, last)
    above = np.minimum(below + 1, last)
    part = place - np.floor(place)
    low = np.moveaxis(np.take(lines, below, axis=-1), -1, 0) if q.ndim == 1 else np.take(lines, below, axis=-1)
    high = np.moveaxis(np.take(lines, above, axis=-1), -1, 0) if q.ndim == 1 else np.take(lines, above, axis=-1)
    if q.ndim == 1:
        part = part.reshape((q.shape[0],) + (1,) * (lines.ndim - 1))
    step = high - low
    result = np.where(part >= 0.5, high - step * (1 - part), low + step * part)[()]
    return _finished(a, lines, result, q.shape + kept, keepdims)


def _fraction(a, q):
    """q as NumPy takes it: a Python number has the dtype of a floating array."""
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    if isinstance(q, (int, float)) and a.dtype.kind == "f":
        return np.asarray(q, dtype=a.dtype)
    q = np.asarray(q)
    if q.ndim > 1:
        raise NotImplementedError("quantiles with q of more than one axis cannot be compiled")
    return q


@implements(np.quantile)
def quantile(a, q, axis=None, *, keepdims=False):
    a = np.asarray(a)
    q = _fraction(a, q)
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return _quantile(a, q, axis, keepdims)


@implements(np.percentile)
def percentile(a, q, axis=None, *, keepdims=False):
    a = np.asarray(a)
    q = np.asarray(_fraction(a, q) / (a.dtype.type(100) if a.dtype.kind == "f" else 100))
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return _quantile(a, q, axis, keepdims)


def _firsts(s):
    """True where a sorted line differs from the element before; all NaN are one."""
    first = np.ones(s.shape, dtype=bool)
    if s.dtype.kind in "fc":
        first[1:] = (s[1:] != s[:-1]) & ~(np.isnan(s[1:]) & np.isnan(s[:-1]))
    else:
        first[1:] = s[1:] != s[:-1]
    return first


@implements(np.unique)
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    ar = np.asarray(ar)
    if axis is not None:
        raise NotImplementedError("numpy.unique along an axis cannot be compiled")
    if not equal_nan:
        raise NotImplementedError("numpy.unique of NaN that are not equal cannot be compiled")
    line = np.ravel(ar)
    if not return_index and not return_inverse:
        s = np.sort(line)
        first = _firsts(s)
        if return_counts:
            return s[first], _counts(first)
        return s[first]
    order = np.argsort(line, kind="stable")
    s = line[order]
    first = _firsts(s)
    results = (s[first],)
    if return_index:
        results = results + (order[first],)
    if return_inverse:
        inverse = np.empty(line.shape, dtype=np.int64)
        inverse[order] = np.cumsum(first) - 1
        results = results + (inverse.reshape(ar.shape),)
    if return_counts:
        results = results + (_counts(first),)
    return results


def _counts(first):
    starts = np.flatnonzero(first)
    ends = np.empty(starts.shape, dtype=np.int64)
    ends[:-1] = starts[1:]
    ends[-1:] = first.size
    return ends - starts


def _among(x, tests, dtype):
    """Which elements are among `tests`, by a search in `dtype`, which holds the elements of both."""
    found = np.zeros(x.shape, dtype=bool)
    if tests.size > 0:
        line = np.sort(tests.astype(dtype))
        at = np.searchsorted(line, x.astype(dtype))
        found = line[np.minimum(at, line.size - 1)] == x.astype(dtype)
    return found


def _among_mixed(x, tests):
    """Signed and unsigned integers of 64 bits, which no dtype holds both."""
    if x.dtype == np.int64:
        return _among(x, tests, np.uint64) & (x >= 0)
    return _among(x, tests, np.uint64) & (x < 2**63)


def _among_rounded(x, tests):
    """As NumPy has it where converting `x` to the common dtype makes different integers one: few tests are compared
    one by one, many are sorted beside the elements, of which each then meets its equal neighbour."""
    mixed = tests.dtype.kind in "iu"
    few = tests.size < 10 * x.size ** 0.145
    exact = few
    if mixed and tests.size > 0:
        width = np.max(tests).astype(np.uint64) - np.min(tests).astype(np.uint64)
        exact = few or (width <= np.uint64(6 * (x.size + tests.size)) and width < np.uint64(2**63))
    if exact:
        found = np.zeros(x.shape, dtype=bool)
        if mixed:
            found = found | _among_mixed(x, tests)
        else:
            found = found | _among(x, tests, np.result_type(x.dtype, tests.dtype))
        return found
    own, back = unique(x, return_inverse=True)
    both = np.concatenate((own, unique(tests)))
    order = np.argsort(both, kind="stable")
    line = both[order]
    equal = np.zeros(line.shape, dtype=bool)
    equal[:-1] = line[1:] == line[:-1]
    found = np.empty(line.shape, dtype=bool)
    found[order] = equal
    return found[back]


def _is_among(x, tests):
    dtype = np.result_type(x.dtype, tests.dtype)
    if x.dtype in (np.int64, np.uint64) and dtype.kind in "fc":
        return _among_rounded(x, tests)
    return _among(x, tests, dtype)


@implements(np.isin)
def isin(element, test_elements, assume_unique=False, invert=False):
    element = np.asarray(element)
    found = _is_among(np.ravel(element), np.ravel(np.asarray(test_elements))).reshape(element.shape)
    if invert:
        found = ~found
    return np.asarray(found)


@implements(np.union1d)
def union1d(ar1, ar2):
    return unique(np.concatenate((ar1, ar2), axis=None))


@implements(np.intersect1d)
def intersect1d(ar1, ar2, assume_unique=False):
    ar1 = np.ravel(ar1) if assume_unique else unique(ar1)
    ar2 = np.ravel(ar2) if assume_unique else unique(ar2)
    both = np.sort(np.concatenate((ar1, ar2)))
    return both[:-1][both[1:] == both[:-1]]


@implements(np.setdiff1d)
def setdiff1d(ar1, ar2, assume_unique=False):
    ar1 = np.ravel(np.asarray(ar1)) if assume_unique else unique(ar1)
    ar2 = np.ravel(np.asarray(ar2)) if assume_unique else unique(ar2)
    return ar1[~_is_among(ar1, ar2)]


@implements(np.setxor1d)
def setxor1d(ar1, ar2, assume_unique=False):
    ar1 = np.ravel(ar1) if assume_unique else unique(ar1)
    ar2 = np.ravel(ar2) if assume_unique else unique(ar2)
    both = np.sort(np.concatenate((ar1, ar2)))
    differs = np.ones((both.size + 1,), dtype=bool)
    differs[1:-1] = both[1:] != both[:-1]
    return both[differs[1:] & differs[:-1]]


@implements(np.lexsort)
def lexsort(keys, axis=-1):
    if not isinstance(axis, int):
        raise TypeError("integer argument expected")
    first = np.asarray(keys[0])
    if first.ndim != 1:
        raise NotImplementedError("numpy.lexsort of keys of several axes cannot be compiled")
    axis_tuple(axis, first.ndim)
    order = np.argsort(first, kind="stable")
    for key in tuple(keys)[1:]:
        order = order[np.argsort(np.asarray(key)[order], kind="stable")]
    return order


# Any order is right that has the kth element in its place, the lesser ones before and the greater ones behind.
@implements(np.partition)
def partition(a, kth, axis=-1):
    return np.sort(a, axis=axis)


@implements(np.argpartition)
def argpartition(a, kth, axis=-1):
    return np.argsort(a, axis=axis, kind="stable")
