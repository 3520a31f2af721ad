"""Arrays of positions: of diagonals and triangles, and between one position in all elements and one for each axis."""

import numpy as np

from . import implements
from .routines import check_operands
from .shapes import extents_of


@implements(np.diag_indices)
def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


@implements(np.diag_indices_from)
def diag_indices_from(arr):
    if not arr.ndim >= 2:
        raise ValueError("input array must be at least 2-d")
    for k in tuple(range(1, arr.ndim)):
        if arr.shape[k] != arr.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


@implements(np.tril_indices)
def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tri(n, m, k, bool))


@implements(np.triu_indices)
def triu_indices(n, k=0, m=None):
    return np.nonzero(~np.tri(n, m, k - 1, bool))


@implements(np.tril_indices_from)
def tril_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


@implements(np.triu_indices_from)
def triu_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


@implements(np.mask_indices)
def mask_indices(n, mask_func, k=0):
    return np.nonzero(mask_func(np.ones((n, n), int), k) != 0)


MOST = 2**63 - 1  # elements of an array


def _integers(places, words, kinds="iu"):
    """As integers of 64 bits."""
    if isinstance(places, (list, tuple)) and len(places) == 0:
        raise TypeError("indices must be integral: the provided empty sequence was inferred as float. Wrap it with 'np.array(indices, dtype=np.intp)'")
    if isinstance(places, slice):
        raise TypeError(words)
    found = np.asarray(places)
    if found.dtype.kind not in kinds:
        raise TypeError(words)
    return found.astype(np.int64)


def check_order(order):
    if order is not None and order != "C" and order != "F":
        if order in ("A", "K"):
            raise ValueError("only 'C' or 'F' order is permitted")
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")


@implements(np.unravel_index)
def unravel_index(indices, shape, order="C"):
    check_order(order)
    extents = extents_of(shape)
    rest = _integers(indices, "only int indices permitted")
    size = 1
    for extent in extents:
        size = size * extent
    if size > MOST:
        raise ValueError("dimensions are too large; arrays and shapes with a total size greater than 'intp' are not supported.")
    outside = (rest < 0) | (rest >= size)
    if np.any(outside):
        first = np.ravel(rest)[np.argmax(outside)]
        raise ValueError(f"index {int(first)} is out of bounds for array with size {size}")
    if len(extents) == 0 and rest.ndim > 0:
        raise ValueError("multiple indices are not supported for 0d arrays")
    places = ()
    for extent in extents if order == "F" else extents[::-1]:
        place = rest % max(extent, 1)
        rest = rest // max(extent, 1)
        places = places + (place,) if order == "F" else (place,) + places
    return places


def _mode_of(mode, axis):
    one = mode[axis] if isinstance(mode, (tuple, list)) else mode
    if one != "raise" and one != "wrap" and one != "clip":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{one}')")
    return one


@implements(np.ravel_multi_index)
def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    check_order(order)
    extents = extents_of(dims)
    count = len(extents)
    if len(multi_index) != count:
        raise ValueError(f"parameter multi_index must be a sequence of length {count}")
    size = 1
    for extent in extents:
        size = size * extent
    if size > MOST:
        raise ValueError("invalid dims: array size defined by dims is larger than the maximum possible size.")
    places = ()
    for axis in tuple(range(count)):
        places = places + (_integers(multi_index[axis], "only int indices permitted", "biu"),)
    check_operands(places, np.int64, None, "ravel_multi_index", "safe")
    total = np.int64(0)
    step = 1
    for number in tuple(range(count)):
        axis = number if order == "F" else count - 1 - number
        extent = extents[axis]
        place = places[axis]
        how = _mode_of(mode, axis)
        if size == 0 and place.size > 0:
            raise ValueError("cannot unravel if shape has zero entries (is empty).")
        if how == "raise":
            if np.any((place < 0) | (place >= extent)):
                raise ValueError("invalid entry in coordinates array")
        elif how == "wrap":
            place = place % extent
        else:
            place = np.clip(place, 0, extent - 1)
        total = total + place * step
        step = step * extent
    return total
