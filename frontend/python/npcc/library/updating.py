"""ufunc.at: updates at positions, one after the other in NumPy's order."""

import numpy as np

from .placing import check_positions
from .routines import check_writable, is_caught


def update_at(operation, a, indices, b):
    """a[i] = operation(a[i], b) for one index after the other, those of several axes in C order."""
    if b is not None and hasattr(operation, "resolve_dtypes"):
        operation.resolve_dtypes((a.dtype, np.asarray(b).dtype, None))  # for its error
    if isinstance(b, int) and a.dtype.kind == "u" and a.dtype.itemsize == 8:
        b = np.asarray(b)  # the two meet in float64
    check_writable(a, "operand array with iterator write flag set is read-only")
    places = indices if isinstance(indices, tuple) else (indices,)
    arrays = tuple([place for place in places if not _is_basic(place)])
    for place in arrays:
        if not isinstance(place, list) and np.ndim(place) > 0 and np.asarray(place).dtype.kind not in "biu":
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if len(arrays) == 0 and not _are_numbers(places):
        part = a[places]
        if b is None:
            part[...] = operation(part)
        else:
            part[...] = operation(part, _broadcast(b, part.shape))
        return
    if len(arrays) > 0 and not _are_of_first_axes(places):
        positions = np.arange(a.size).reshape(a.shape)[places]
        values = b if b is None or np.ndim(b) == 0 else np.array(_broadcast(b, positions.shape)).reshape(-1)
        _at_lines(operation, a, np.unravel_index(positions.reshape(-1), a.shape), values)
        return
    where = tuple([np.asarray(place) for place in places])
    if where[0].dtype.kind == "b":
        where = np.nonzero(where[0])
    if is_caught("IndexError"):  # before the first update
        for k in tuple(range(len(where))):
            check_positions(where[k], a.shape[k], k)
    together = where[0]
    for place in where[1:]:
        together = together + place
    shape = together.shape
    if b is not None and np.ndim(b) > 0:
        b = _broadcast(b, shape + a.shape[len(where):])
    if where[0].ndim == 1 and together.ndim == 1:
        lines = tuple([np.broadcast_to(place, shape) for place in where])
    else:
        lines = tuple([np.array(np.broadcast_to(place, shape)).reshape(-1) for place in where])
        if b is not None and np.ndim(b) > 0:
            b = np.array(b).reshape((together.size,) + a.shape[len(where):])
    _at_lines(operation, a, lines, b)


def _is_basic(place):
    return place is None or place is Ellipsis or isinstance(place, (slice, int))


def _are_numbers(places):
    """Whether no place is anything but a number."""
    for place in places:
        if place is None or place is Ellipsis or isinstance(place, slice):
            return False
    return True


def _are_of_first_axes(places):
    """Whether they are positions of the first axes, or one mask."""
    for place in places:
        if place is None or place is Ellipsis or isinstance(place, slice):
            return False
        if len(places) > 1 and np.asarray(place).dtype.kind == "b":
            return False
    return True


def _broadcast(b, shape):
    """As numpy.broadcast_to, with the words of ufunc.at."""
    b = np.asarray(b)
    if b.ndim > len(shape):
        raise ValueError("array is not broadcastable to correct shape")
    for k in tuple(range(1, b.ndim + 1)):
        if b.shape[-k] != 1 and b.shape[-k] != shape[-k]:
            raise ValueError("array is not broadcastable to correct shape")
    return np.broadcast_to(b, shape)


def _at_lines(operation, a, where, b):
    """The same, of one axis of positions; of `b` there is a number, or a part for each position."""
    if b is None:
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at])
    elif np.ndim(b) == 0:
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at], b)
    else:
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at], b[i])
