"""Arrays put together: each is an empty array and stores into its parts."""

import numpy as np

from . import implements
from .axes import along, axis_index
from .routines import check_writable, dtype_of_items, is_known, keeps_arrays


def _check_sequence(arrays):
    if isinstance(arrays, (int, float, complex)):
        raise TypeError('arrays to stack must be passed as a "sequence" type such as list or tuple.')


def _check_parts(parts, axis):
    """NumPy's errors for arrays that do not fit together."""
    ndim = parts[0].ndim
    for k in tuple(range(1, len(parts))):
        if parts[k].ndim != ndim:
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has "
                             f"{ndim} dimension(s) and the array at index {k} has {parts[k].ndim} dimension(s)")
        for d in tuple(range(ndim)):
            if d != axis:
                if parts[k].shape[d] != parts[0].shape[d]:
                    raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but along "
                                     f"dimension {d}, the array at index 0 has size {parts[0].shape[d]} and the array at index {k} "
                                     f"has size {parts[k].shape[d]}")


def _common_dtype(parts):
    dtype = parts[0].dtype
    for part in parts:
        dtype = np.result_type(dtype, part.dtype)
    return dtype


def _weak_dtype(arrays):
    """As numpy.concatenate(axis=None) has it, where Python's numbers take the others' dtype."""
    numbers = ()
    for array in arrays:
        if type(array) in (int, float, complex):
            numbers = numbers + (type(array)(1),)
        else:
            numbers = numbers + (np.asarray(array).dtype,)
    return np.result_type(*numbers)


def _joined_arrays(arrays, axis):
    """numpy.concatenate of a list of any number of arrays, of any extents along the axis."""
    first = arrays[0]
    total = 0
    if axis is None:
        for part in arrays:
            total += part.size
        result = np.empty(total, dtype_of_items(arrays))
        start = 0
        for part in arrays:
            result[start:start + part.size] = part.ravel()
            start += part.size
        return result
    if first.ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    at = axis_index(axis, first.ndim)
    for k in range(len(arrays)):
        part = arrays[k]
        for d in tuple(range(first.ndim)):
            if d != at:
                if part.shape[d] != first.shape[d]:
                    raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but along "
                                     f"dimension {d}, the array at index 0 has size {first.shape[d]} and the array at index {k} "
                                     f"has size {part.shape[d]}")
        total += part.shape[at]
    result = np.empty(first.shape[:at] + (total,) + first.shape[at + 1:], dtype_of_items(arrays))
    start = 0
    for part in arrays:
        stop = start + part.shape[at]
        result[along(first.ndim, at, slice(start, stop))] = part
        start = stop
    return result


def _joined_items(arrays, axis):
    """numpy.concatenate of a list or array whose length is known at run time only: its items have one shape, or they are lists of any length."""
    if len(arrays) == 0:
        raise ValueError("need at least one array to concatenate")
    if keeps_arrays(arrays):
        return _joined_arrays(arrays, axis)
    if isinstance(arrays[0], list):
        if axis is not None:
            axis_index(axis, 1)
        items = []
        for part in arrays:
            items.extend(part)
        return np.array(items)
    whole = np.array(arrays)
    if axis is None:
        return whole.ravel()
    if whole.ndim == 1:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    at = axis_index(axis, whole.ndim - 1)
    shape = whole.shape[1:]
    return np.moveaxis(whole, 0, at).reshape(shape[:at] + (whole.shape[0] * shape[at],) + shape[at + 1:])


@implements(np.concatenate)
def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
        raise ValueError(f"casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '{casting}')")
    if not isinstance(axis, tuple) and np.ndim(0 if axis is None else axis) > 0:  # concatenate(a, b), say
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    if not is_known(len(arrays)):
        return concatenate((_joined_items(arrays, axis),), 0, out, dtype=dtype, casting=casting)
    parts = ()
    for array in arrays:
        a = np.asarray(array)
        if axis is None:
            a = a.ravel()
        if a.ndim == 0 and len(parts) == 0:
            raise ValueError("zero-dimensional arrays cannot be concatenated")
        parts = parts + (a,)
    if len(parts) == 0:
        raise ValueError("need at least one array to concatenate")
    first = parts[0]
    at = axis_index(0 if axis is None else axis, first.ndim)
    _check_parts(parts, at)
    total = 0
    for part in parts:
        total = total + part.shape[at]
    if out is None:
        dtype_of_result = dtype
        if dtype is None:
            dtype_of_result = _weak_dtype(arrays) if axis is None else _common_dtype(parts)
        result = np.empty(first.shape[:at] + (total,) + first.shape[at + 1:], dtype_of_result)
    else:
        if dtype is not None:
            raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
        if out.ndim != first.ndim:
            raise ValueError("Output array must be 1D" if axis is None else "Output array has wrong dimensionality")
        for d in tuple(range(first.ndim)):
            if out.shape[d] != (total if d == at else first.shape[d]):
                raise ValueError("Output array is the wrong size" if axis is None else "Output array is the wrong shape")
        if axis is not None:
            check_writable(out, "assignment destination is read-only")
        result = out
    start = 0
    for part in parts:  # what stands before one that does not fit is stored
        if (out is not None or dtype is not None or casting != "same_kind") and not np.can_cast(part.dtype, result.dtype, casting):
            raise TypeError(f"Cannot cast array data from dtype('{part.dtype}') to dtype('{result.dtype}') according to the rule '{casting}'")
        if out is not None and axis is None:
            check_writable(out, "destination array is read-only")
        stop = start + part.shape[at]
        result[along(first.ndim, at, slice(start, stop))] = part
        start = stop
    return result


@implements(np.stack)
def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    _check_sequence(arrays)
    if not is_known(len(arrays)):  # all of one shape: the items of an array
        if len(arrays) == 0:
            raise ValueError("need at least one array to stack")
        if keeps_arrays(arrays):
            for array in arrays:
                if array.shape != arrays[0].shape:
                    raise ValueError("all input arrays must have the same shape")
        whole = np.array(arrays)
        return concatenate((np.moveaxis(whole, 0, axis_index(axis, whole.ndim)),), 0, out, dtype=dtype, casting=casting)
    parts = ()
    for array in arrays:
        parts = parts + (np.asarray(array),)
    if len(parts) == 0:
        raise ValueError("need at least one array to stack")
    first = parts[0]
    for part in parts:
        if part.ndim != first.ndim:
            raise ValueError("all input arrays must have the same shape")
        for d in tuple(range(first.ndim)):
            if part.shape[d] != first.shape[d]:
                raise ValueError("all input arrays must have the same shape")
    at = axis_index(axis, first.ndim + 1)
    wide = ()
    for part in parts:
        wide = wide + (np.expand_dims(part, at),)
    return concatenate(wide, at, out, dtype=dtype, casting=casting)


@implements(np.vstack)
def vstack(tup, *, dtype=None, casting="same_kind"):
    _check_sequence(tup)
    if not is_known(len(tup)):
        return stack(tup, 0, dtype=dtype, casting=casting) if np.ndim(tup[0]) == 1 else concatenate(tup, 0, dtype=dtype, casting=casting)
    parts = ()
    for array in tup:
        parts = parts + (np.atleast_2d(array),)
    return concatenate(parts, 0, dtype=dtype, casting=casting)


@implements("row_stack")
def row_stack(tup, *, dtype=None, casting="same_kind"):
    return vstack(tup, dtype=dtype, casting=casting)


@implements(np.hstack)
def hstack(tup, *, dtype=None, casting="same_kind"):
    _check_sequence(tup)
    if not is_known(len(tup)):
        return concatenate(tup, min(np.ndim(tup[0]), 2) - 1, dtype=dtype, casting=casting)
    parts = ()
    for array in tup:
        parts = parts + (np.atleast_1d(array),)
    if parts[0].ndim == 1:
        return concatenate(parts, 0, dtype=dtype, casting=casting)
    return concatenate(parts, 1, dtype=dtype, casting=casting)


@implements(np.dstack)
def dstack(tup):
    _check_sequence(tup)
    parts = ()
    for array in tup:
        parts = parts + (np.atleast_3d(array),)
    return concatenate(parts, 2)


@implements(np.column_stack)
def column_stack(tup):
    _check_sequence(tup)
    if not is_known(len(tup)):
        return stack(tup, 1) if np.ndim(tup[0]) == 1 else concatenate(tup, 1)
    parts = ()
    for array in tup:
        a = np.asarray(array)
        if a.ndim < 2:
            a = np.atleast_2d(a).T
        parts = parts + (a,)
    return concatenate(parts, 1)


@implements(np.append)
def append(arr, values, axis=None):
    if axis is None:
        return concatenate((np.ravel(arr), np.ravel(values)))
    return concatenate((arr, values), axis)
