"""Elements by positions along one axis."""

import numpy as np

from . import implements
from .axes import axis_index
from .routines import is_contiguous


def _index_along(arr, indices, axis):
    """An index that takes `indices` along `axis`, and each position with itself along the others."""
    at = axis_index(axis, arr.ndim)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if indices.ndim != arr.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    index = ()
    for k in tuple(range(arr.ndim)):
        if k == at:
            index = index + (indices,)
        else:
            index = index + (np.arange(arr.shape[k]).reshape((1,) * k + (-1,) + (1,) * (arr.ndim - k - 1)),)
    return index


@implements(np.take_along_axis)
def take_along_axis(arr, indices, axis=-1):
    arr = np.asarray(arr)
    indices = np.asarray(indices)
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        return arr.ravel()[indices]
    return arr[_index_along(arr, indices, axis)]


@implements(np.put_along_axis)
def put_along_axis(arr, indices, values, axis):
    indices = np.asarray(indices)
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        # NumPy stores into np.array(arr.flat): the array itself, or a copy without gaps that nothing may be stored into.
        if not is_contiguous(arr, "C"):
            raise ValueError("assignment destination is read-only")
        arr.flat[indices] = values
    else:
        arr[_index_along(arr, indices, axis)] = values
