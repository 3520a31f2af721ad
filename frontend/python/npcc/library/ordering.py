"""What is made of sorted arrays: sets and orders."""

import numpy as np

from . import implements
from .axes import axis_index, axis_tuple
from .distinct import unique
from .routines import is_contiguous, is_known, planned_if_known, routine
from .stacks import count_of


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
    if dtype.kind in "iu" and dtype != np.uint64 and tests.size > 0:
        least = np.min(tests).astype(np.int64)
        most = np.max(tests).astype(np.int64)
        width = most - least  # below 0 where 64 bits do not hold it
        if (width >= 0) & (width <= 6 * (x.size + tests.size)):
            return _among_few(x, tests, least, most)
    return _among(x, tests, dtype)


def _among_few(x, tests, least, most):
    """The same by a table of all integers between."""
    table = np.zeros(int(most - least) + 1, dtype=bool)
    table[tests.astype(np.int64) - least] = True
    wide = x.astype(np.int64)
    inside = (wide >= least) & (wide <= most)
    return inside & table[np.where(inside, wide - least, 0)]


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


@implements("in1d")
def in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None):
    return isin(np.ravel(ar1), ar2, assume_unique, invert, kind=kind)


@implements(np.union1d)
def union1d(ar1, ar2):
    return unique(np.concatenate((ar1, ar2), axis=None))


@implements(np.intersect1d)
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    ar1 = np.ravel(np.asarray(ar1))
    ar2 = np.ravel(np.asarray(ar2))
    if return_indices:
        return _intersection_with_positions(ar1, ar2, assume_unique)
    if not assume_unique:
        ar1 = unique(ar1)
        ar2 = unique(ar2)
    both = np.sort(np.concatenate((ar1, ar2)))
    return both[:-1][both[1:] == both[:-1]]


def _intersection_with_positions(ar1, ar2, assume_unique):
    """The common elements and where they stand in both, first."""
    n = ar1.shape[0]
    first = np.arange(n)
    second = np.arange(ar2.shape[0])
    if not assume_unique:
        ar1, first = unique(ar1, return_index=True)
        ar2, second = unique(ar2, return_index=True)
    count = ar1.shape[0]
    both = np.concatenate((ar1, ar2))
    order = np.argsort(both, kind="stable")
    both = both[order]
    is_common = both[1:] == both[:-1]
    return both[:-1][is_common], first[order[:-1][is_common]], second[order[1:][is_common] - count]


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
    if not isinstance(keys, (tuple, list)):
        keys = np.asarray(keys)
        if keys.ndim == 0:
            raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    first = np.asarray(keys[0])
    at = 0 if first.ndim == 0 and axis in (0, -1) else axis_tuple(axis, first.ndim)[0]
    order = np.argsort(first, axis=at, kind="stable") if first.ndim > 0 else np.zeros((), np.int64)
    if isinstance(keys, np.ndarray):
        for k in range(1, keys.shape[0]):
            order = _ordered_by(keys[k], order, at)
    else:
        for key in tuple(keys)[1:]:
            order = _ordered_by(np.asarray(key), order, at)
    return order[()] if order.ndim == 0 else order


def _ordered_by(key, order, axis):
    """The order that `key` says, of equal ones the order so far."""
    if key.ndim != order.ndim:
        raise ValueError("all keys need to be the same shape")
    for k in tuple(range(key.ndim)):
        if key.shape[k] != order.shape[k]:
            raise ValueError("all keys need to be the same shape")
    if key.ndim == 0:
        return order
    if key.ndim == 1:
        return order[np.argsort(key[order], kind="stable")]
    found = np.argsort(np.take_along_axis(key, order, axis), axis=axis, kind="stable")
    return np.take_along_axis(order, found, axis)


@implements(np.sort_complex)
def sort_complex(a):
    b = np.sort(np.asarray(a))
    if b.dtype.kind == "c":
        return b
    return b.astype(np.complex64 if b.dtype.kind in "iu" and b.dtype.itemsize <= 2 else np.complex128)


# Any order is right that has the kth element in its place, the lesser ones before and the greater ones behind.
def _check_places(a, kth, axis, kind, order):
    if not isinstance(kind, str):
        raise TypeError(f"select kind must be str, not {type(kind).__name__}")
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got '{kind}')")
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    a = np.asarray(a)
    n = a.size if axis is None else a.shape[axis_index(axis, a.ndim)]
    places = np.asarray(kth)
    if places.dtype.kind not in "biu":
        raise TypeError("Partition index must be integer")
    if places.ndim > 1:
        raise ValueError("object too deep for desired array")
    places = places.astype(np.int64).ravel()
    outside = (places >= n) | (places < -n)
    if a.size > 0 and np.any(outside):
        place = places[np.argmax(outside)]
        raise ValueError(f"kth(={int(place) if place >= 0 else int(place + n)}) out of bounds ({n})")


@implements(np.partition)
def partition(a, kth, axis=-1, kind="introselect", order=None):
    _check_places(a, kth, axis, kind, order)
    a = np.asarray(a)
    at = 0 if axis is None else axis_index(axis, a.ndim)
    if axis is None:
        a = a.ravel()
    last = np.moveaxis(a, at, -1)
    lines = partitioned(np.array(last, order="C"), np.asarray(kth)).reshape(last.shape)
    return lines if at == a.ndim - 1 else np.array(np.moveaxis(lines, -1, at), order="C")


@implements(np.argpartition)
def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    a = np.asarray(a)
    if a.ndim == 0:
        a = a.reshape((1,))
    _check_places(a, kth, axis, kind, order)
    at = 0 if axis is None else axis_index(axis, a.ndim)
    if axis is None:
        a = a.ravel()
    last = np.moveaxis(a, at, -1)
    lines = _as_ordered(np.array(last, order="C").reshape((count_of(last.shape[:-1]), last.shape[-1])))
    positions = np.empty(lines.shape, np.int64)
    routine("argpartition", (np.asarray(kth).astype(np.int64).ravel(), lines), (positions,))
    positions = positions.reshape(last.shape)
    return positions if at == a.ndim - 1 else np.array(np.moveaxis(positions, -1, at), order="C")


_SHORT = 32  # items


def partitioned(lines, places):
    """Lines along the last axis of a new array that is in C order, each with the elements of the places where sorting would bring them.

    Short lines are sorted whole, which compiled code does without a library where few of their places are asked for."""
    if planned_if_known(lines.shape[-1] <= _SHORT, "short lines"):
        return np.sort(lines, axis=-1)
    stack = _as_ordered(lines.reshape((count_of(lines.shape[:-1]), lines.shape[-1])))
    routine("partition", (places.astype(np.int64).ravel(),), (stack,))
    selected = stack.reshape(lines.shape)
    return selected.astype(lines.dtype) if lines.dtype.name == "bfloat16" else selected


def selected(lines, places):
    """The elements that sorting would bring to each of the places: of lines along the last axis, with an axis for the places instead."""
    if planned_if_known(lines.shape[-1] <= _SHORT, "short lines"):
        return np.take(np.sort(lines, axis=-1), places, axis=-1)
    outer = lines.shape[:-1]
    # Whether they lie one behind the other must be known, because a branch on it would keep such calls of a loop from being one.
    if not (is_known(is_contiguous(lines, "C")) and is_contiguous(lines, "C")):
        lines = np.array(lines, order="C")
    stack = _as_ordered(lines.reshape((count_of(outer), lines.shape[-1])))
    elements = np.empty((count_of(outer), len(places)), stack.dtype)
    routine("select", (places.astype(np.int64), stack), (elements,))
    elements = elements.reshape(outer + (len(places),))
    return elements.astype(lines.dtype) if lines.dtype.name == "bfloat16" else elements


def selected_each(lines, places):
    """The same for places that are a tuple, as an array for each, or a number of one line: of short lines, minima and maxima of elements."""
    if planned_if_known(lines.shape[-1] <= _SHORT, "short lines"):
        ordered = np.sort(lines, axis=-1)
        return tuple([ordered[..., place][()] for place in places])
    elements = selected(lines, np.array(places))
    return tuple([elements[..., k][()] for k in tuple(range(len(places)))])


def _as_ordered(lines):
    """Of bfloat16, which no library selects from, float32 has all numbers in the same order."""
    return lines.astype(np.float32) if lines.dtype.name == "bfloat16" else lines


def position_of_extremum(a, axis, is_greatest, keepdims):
    """numpy.argmax or numpy.argmin of complex numbers: by the real parts, and by the imaginary parts where those are equal; the first NaN, if there is one."""
    extremum = np.max if is_greatest else np.min
    real, imag = a.real, a.imag
    is_among = real == extremum(real, axis=axis, keepdims=True)
    rest = np.where(is_among, imag, -np.inf if is_greatest else np.inf)
    is_extremum = is_among & (imag == extremum(rest, axis=axis, keepdims=True))
    is_nan = np.isnan(a)
    return np.argmax(np.where(np.any(is_nan, axis=axis, keepdims=True), is_nan, is_extremum), axis=axis, keepdims=keepdims)
