"""Arrays with elements in or out of them; arrays in parts."""

import numpy as np

from . import implements
from .axes import along, axis_index
from .routines import is_known


@implements(np.delete)
def delete(arr, obj, axis=None):
    a = np.asarray(arr)
    if axis is None:
        a = a.ravel()
    at = axis_index(-1 if axis is None else axis, a.ndim)
    n = a.shape[at]
    if isinstance(obj, slice):
        return _without(a, obj, at)
    if isinstance(obj, (list, tuple)) and len(obj) == 0:
        return a.copy()
    if np.asarray(obj).dtype.kind == "b":
        mask = np.asarray(obj)
        if mask.ndim != 1 or mask.shape[0] != n:
            raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}")
        return _without(a, mask, at)
    if np.ndim(obj) != 0:
        return _without(a, np.asarray(obj), at)
    if obj < -n or obj >= n:
        raise IndexError(f"index {obj} is out of bounds for axis {at} with size {n}")
    position = obj if obj >= 0 else obj + n
    out = np.empty(a.shape[:at] + (n - 1,) + a.shape[at + 1:], a.dtype)
    out[along(a.ndim, at, slice(None, position))] = a[along(a.ndim, at, slice(None, position))]
    out[along(a.ndim, at, slice(position, None))] = a[along(a.ndim, at, slice(position + 1, None))]
    return out


def _without(a, positions, axis):
    keep = np.ones(a.shape[axis], bool)
    keep[positions] = False
    return np.compress(keep, a, axis)


def _check_insertion(position, obj, n, axis):
    if position < -n or position > n:
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {n}")


@implements(np.insert)
def insert(arr, obj, values, axis=None):
    a = np.asarray(arr)
    if axis is None:
        a = a.ravel()
    at = axis_index(-1 if axis is None else axis, a.ndim)
    n = a.shape[at]
    if isinstance(obj, slice):
        return _inserted(a, np.arange(n)[obj], values, at)
    if np.ndim(obj) != 0:
        positions = np.zeros(0, np.int64) if isinstance(obj, (list, tuple)) and len(obj) == 0 else np.asarray(obj)
        if positions.ndim > 1:
            raise ValueError("index array argument obj to insert must be one dimensional or scalar")
        if positions.dtype.kind == "b":
            positions = np.flatnonzero(positions)
        return _inserted(a, positions.astype(np.int64), values, at)
    _check_insertion(obj, obj, n, at)
    position = obj if obj >= 0 else obj + n
    v = np.asarray(values).astype(a.dtype)
    v = np.moveaxis(v.reshape((1,) * (a.ndim - v.ndim) + v.shape), 0, at)
    stop = position + v.shape[at]
    out = np.empty(a.shape[:at] + (n + v.shape[at],) + a.shape[at + 1:], a.dtype)
    out[along(a.ndim, at, slice(None, position))] = a[along(a.ndim, at, slice(None, position))]
    out[along(a.ndim, at, slice(position, stop))] = v
    out[along(a.ndim, at, slice(stop, None))] = a[along(a.ndim, at, slice(position, None))]
    return out


def _inserted(a, positions, values, axis):
    """One element before each position. A single position takes all that is given."""
    n = a.shape[axis]
    if positions.shape[0] == 1:
        _check_insertion(positions[0], f"[{positions[0]}]", n, axis)
    positions = np.where(positions < 0, positions + n, positions)
    v = np.asarray(values).astype(a.dtype)
    if v.ndim > 0 and positions.shape[0] == 1:
        count = v.shape[axis - a.ndim] if v.ndim >= a.ndim - axis else 1
        positions = np.repeat(positions, count)
    more = positions.shape[0]
    order = np.argsort(positions, kind="stable")
    places = np.empty(more, np.int64)
    places[order] = positions[order] + np.arange(more)
    out = np.empty(a.shape[:axis] + (n + more,) + a.shape[axis + 1:], a.dtype)
    is_old = np.ones(n + more, bool)
    is_old[places] = False
    out[along(a.ndim, axis, places)] = v
    out[along(a.ndim, axis, np.flatnonzero(is_old))] = a
    return out


def _axis_of_parts(axis, ndim):
    """NumPy asks the shape for it."""
    if axis < -ndim or axis >= ndim:
        raise IndexError("tuple index out of range")
    return axis if axis >= 0 else axis + ndim


@implements(np.array_split)
def array_split(ary, indices_or_sections, axis=0):
    a = np.asarray(ary)
    at = _axis_of_parts(axis, a.ndim)
    n = a.shape[at]
    parts = ()
    start = 0
    if np.ndim(indices_or_sections) > 0 and not is_known(len(indices_or_sections)):
        found = []
        for stop in indices_or_sections:
            found.append(a[along(a.ndim, at, slice(start, stop))])
            start = stop
        found.append(a[along(a.ndim, at, slice(start, n))])
        return found
    if np.ndim(indices_or_sections) > 0:
        for stop in tuple(indices_or_sections) + (n,):
            parts = parts + (a[along(a.ndim, at, slice(start, stop))],)
            start = stop
        return list(parts)
    sections = indices_or_sections
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    # The first n % sections parts have one element more.
    if not is_known(sections):
        found = []
        for k in range(sections):
            stop = start + n // sections + (1 if k < n % sections else 0)
            found.append(a[along(a.ndim, at, slice(start, stop))])
            start = stop
        return found
    for k in tuple(range(sections)):
        stop = start + n // sections + (1 if k < n % sections else 0)
        parts = parts + (a[along(a.ndim, at, slice(start, stop))],)
        start = stop
    return list(parts)


@implements(np.split)
def split(ary, indices_or_sections, axis=0):
    if np.ndim(indices_or_sections) == 0:
        a = np.asarray(ary)
        if a.shape[_axis_of_parts(axis, a.ndim)] % indices_or_sections != 0:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


@implements(np.vsplit)
def vsplit(ary, indices_or_sections):
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@implements(np.hsplit)
def hsplit(ary, indices_or_sections):
    if np.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if np.ndim(ary) > 1 else 0)


@implements(np.dsplit)
def dsplit(ary, indices_or_sections):
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@implements(np.ix_)
def ix_(*args):
    out = ()
    for k in tuple(range(len(args))):
        positions = np.zeros(0, np.int64) if isinstance(args[k], (list, tuple, range)) and len(args[k]) == 0 else np.asarray(args[k])
        if positions.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if positions.dtype.kind == "b":
            positions = np.flatnonzero(positions)
        out = out + (positions.reshape((1,) * k + (positions.shape[0],) + (1,) * (len(args) - k - 1)),)
    return out
