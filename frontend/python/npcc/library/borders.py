"""Arrays with elements around, in, or out of them; arrays in parts."""

import numpy as np

from . import implements
from .axes import along, axis_index


def _widths(pad_width, ndim):
    """(before, after) for each axis."""
    if not isinstance(pad_width, (tuple, list)):
        return ((pad_width, pad_width),) * ndim
    if isinstance(pad_width[0], (tuple, list)):
        if len(pad_width) == 1:
            return (tuple(pad_width[0]),) * ndim
        return tuple(pad_width)
    if len(pad_width) == 1:
        return ((pad_width[0], pad_width[0]),) * ndim
    return (tuple(pad_width),) * ndim


@implements(np.pad)
def pad(array, pad_width, mode="constant", *, constant_values=0):
    a = np.asarray(array)
    widths = _widths(pad_width, a.ndim)
    if mode == "constant":
        shape = ()
        inside = ()
        for k in tuple(range(a.ndim)):
            before, after = widths[k]
            if before < 0 or after < 0:
                raise ValueError("index can't contain negative values")
            shape = shape + (before + a.shape[k] + after,)
            inside = inside + (slice(before, before + a.shape[k]),)
        constant = np.asarray(constant_values)
        if a.ndim == 0:
            np.broadcast_to(constant, (0, 2))  # for its error
            return a.copy()
        if constant.ndim == 0:
            held = np.empty(1, a.dtype)
            held[0] = constant[()]  # with the errors of an item that is assigned
            out = np.full(shape, held[0])
        elif (constant.dtype.kind == "c" and a.dtype.kind != "c") or (constant.ndim > 1 and a.dtype.kind == "u"):
            raise NotImplementedError(f"numpy.pad of {a.dtype.name} with {constant.dtype.name} arrays cannot be compiled")
        else:  # one before and one after, for each axis
            pairs = np.broadcast_to(constant, (a.ndim, 2))
            out = np.empty(shape, a.dtype)
            for k in tuple(range(a.ndim)):
                before, after = widths[k]
                out[along(a.ndim, k, slice(None, before))] = pairs[k, 0]
                out[along(a.ndim, k, slice(shape[k] - after, None))] = pairs[k, 1]
        out[inside] = a
        return out
    for k in tuple(range(a.ndim)):
        before, after = widths[k]
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")
        n = a.shape[k]
        at = np.arange(before + n + after) - before
        if mode == "edge":
            at = np.clip(at, 0, n - 1)
        elif mode == "wrap":
            at = at % n
        elif mode == "reflect":
            at = np.abs((at + (n - 1)) % max(2 * (n - 1), 1) - (n - 1))
        elif mode == "symmetric":
            at = at % (2 * n)
            at = np.minimum(at, 2 * n - 1 - at)
        else:
            raise NotImplementedError(f"numpy.pad with mode '{mode}' cannot be compiled")
        a = np.take(a, at, axis=k)
    return a


@implements(np.delete)
def delete(arr, obj, axis=None):
    a = np.asarray(arr)
    if axis is None:
        a = a.ravel()
    at = axis_index(-1 if axis is None else axis, a.ndim)
    if np.ndim(obj) != 0:
        raise NotImplementedError("numpy.delete takes one position in compiled code")
    n = a.shape[at]
    if obj < -n or obj >= n:
        raise IndexError(f"index {obj} is out of bounds for axis {at} with size {n}")
    position = obj if obj >= 0 else obj + n
    out = np.empty(a.shape[:at] + (n - 1,) + a.shape[at + 1:], a.dtype)
    out[along(a.ndim, at, slice(None, position))] = a[along(a.ndim, at, slice(None, position))]
    out[along(a.ndim, at, slice(position, None))] = a[along(a.ndim, at, slice(position + 1, None))]
    return out


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
