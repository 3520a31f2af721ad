"""What is made of sorted arrays: distinct elements, sets, orders."""

import numpy as np

from . import implements
from .axes import axis_tuple


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
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    # `kind` says how to search, not what is found.
    if kind is not None and kind != "sort" and kind != "table":
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    if kind == "table" and (np.asarray(element).dtype.kind not in "biu" or np.asarray(test_elements).dtype.kind not in "biu"):
        raise ValueError(
            "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for kind."
        )
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
def _check_place(a, kth, axis):
    a = np.asarray(a)
    n = a.size if axis is None else a.shape[axis_tuple(axis, a.ndim)[0]]
    if isinstance(kth, int) and (kth >= n or kth < -n):
        raise ValueError(f"kth(={kth if kth >= 0 else kth + n}) out of bounds ({n})")


@implements(np.partition)
def partition(a, kth, axis=-1):
    _check_place(a, kth, axis)
    return np.sort(a, axis=axis)


@implements(np.argpartition)
def argpartition(a, kth, axis=-1):
    _check_place(a, kth, axis)
    return np.argsort(a, axis=axis, kind="stable")
