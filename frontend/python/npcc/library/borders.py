"""Arrays with elements in or out of them; arrays in parts."""

import numpy as np

from . import implements
from .axes import along, axis_index


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


@implements(np.insert)
def insert(arr, obj, values, axis=None):
    a = np.asarray(arr)
    if axis is None:
        a = a.ravel()
    at = axis_index(-1 if axis is None else axis, a.ndim)
    if np.ndim(obj) != 0:
        raise NotImplementedError("numpy.insert takes one position in compiled code")
    n = a.shape[at]
    if obj < -n or obj > n:
        raise IndexError(f"index {obj} is out of bounds for axis {at} with size {n}")
    position = obj if obj >= 0 else obj + n
    v = np.asarray(values).astype(a.dtype)
    v = np.moveaxis(v.reshape((1,) * (a.ndim - v.ndim) + v.shape), 0, at)
    stop = position + v.shape[at]
    out = np.empty(a.shape[:at] + (n + v.shape[at],) + a.shape[at + 1:], a.dtype)
    out[along(a.ndim, at, slice(None, position))] = a[along(a.ndim, at, slice(None, position))]
    out[along(a.ndim, at, slice(position, stop))] = v
    out[along(a.ndim, at, slice(stop, None))] = a[along(a.ndim, at, slice(position, None))]
    return out


@implements(np.array_split)
def array_split(ary, indices_or_sections, axis=0):
    a = np.asarray(ary)
    at = axis_index(axis, a.ndim)
    n = a.shape[at]
    parts = ()
    start = 0
    if isinstance(indices_or_sections, (tuple, list)):
        for stop in tuple(indices_or_sections) + (n,):
            parts = parts + (a[along(a.ndim, at, slice(start, stop))],)
            start = stop
        return list(parts)
    sections = indices_or_sections
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    for k in tuple(range(sections)):
        # The first n % sections parts have one element more.
        stop = start + n // sections + (1 if k < n % sections else 0)
        parts = parts + (a[along(a.ndim, at, slice(start, stop))],)
        start = stop
    return list(parts)


@implements(np.split)
def split(ary, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, (tuple, list)):
        a = np.asarray(ary)
        if a.shape[axis_index(axis, a.ndim)] % indices_or_sections != 0:
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


@implements(np.ix_)
def ix_(*args):
    out = ()
    for k in tuple(range(len(args))):
        positions = np.asarray(args[k])
        if positions.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if positions.dtype.kind == "b":
            raise NotImplementedError("numpy.ix_ of masks cannot be compiled")
        out = out + (positions.reshape((1,) * k + (positions.shape[0],) + (1,) * (len(args) - k - 1)),)
    return out
