"""Arrays put together: each is an empty array and stores into its parts."""

import numpy as np

from . import implements


def _part(ndim, axis, start, stop):
    return (slice(None),) * axis + (slice(start, stop),) + (slice(None),) * (ndim - axis - 1)


@implements(np.concatenate)
def concatenate(arrays, axis=0, dtype=None):
    parts = ()
    for array in arrays:
        a = np.asarray(array)
        if axis is None:
            a = a.ravel()
        parts = parts + (a,)
    at = 0 if axis is None else axis
    first = parts[0]
    at = at if at >= 0 else at + first.ndim
    total = 0
    for part in parts:
        total = total + part.shape[at]
    kind = np.result_type(*parts) if dtype is None else dtype
    out = np.empty(first.shape[:at] + (total,) + first.shape[at + 1:], kind)
    start = 0
    for part in parts:
        out[_part(first.ndim, at, start, start + part.shape[at])] = part
        start = start + part.shape[at]
    return out


@implements(np.stack)
def stack(arrays, axis=0):
    parts = ()
    for array in arrays:
        a = np.asarray(array)
        at = axis if axis >= 0 else axis + a.ndim + 1
        parts = parts + (a.reshape(a.shape[:at] + (1,) + a.shape[at:]),)
    first = parts[0]
    return concatenate(parts, axis if axis >= 0 else axis + first.ndim)


def _rows(a):
    a = np.asarray(a)
    if a.ndim == 0:
        return a.reshape((1, 1))
    if a.ndim == 1:
        return a.reshape((1, a.shape[0]))
    return a


@implements(np.vstack)
def vstack(tup):
    parts = ()
    for array in tup:
        parts = parts + (_rows(array),)
    return concatenate(parts, 0)


@implements(np.hstack)
def hstack(tup):
    parts = ()
    for array in tup:
        a = np.asarray(array)
        if a.ndim == 0:
            a = a.reshape((1,))
        parts = parts + (a,)
    if parts[0].ndim == 1:
        return concatenate(parts, 0)
    return concatenate(parts, 1)


@implements(np.column_stack)
def column_stack(tup):
    parts = ()
    for array in tup:
        a = np.asarray(array)
        if a.ndim == 1:
            a = a.reshape((a.shape[0], 1))
        parts = parts + (a,)
    return concatenate(parts, 1)


@implements(np.append)
def append(arr, values, axis=None):
    return concatenate((arr, values), axis)
