"""Elements stored at positions that are given, and where those are."""

import numpy as np

from . import implements
from .axes import stored
from .routines import check_writable
from .shapes import broadcast_shapes


@implements(np.argwhere)
def argwhere(a):
    a = np.asarray(a)
    if a.ndim == 0:
        return np.stack(np.nonzero(np.atleast_1d(a)), axis=-1)[:, :0]
    return np.stack(np.nonzero(a), axis=-1)


@implements(np.put)
def put(a, ind, v, mode="raise"):
    if mode != "raise" and mode != "wrap" and mode != "clip":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    check_writable(a, "put: output array is read-only")
    isList = isinstance(ind, (list, tuple))
    ind = np.asarray(ind).ravel()
    if ind.dtype.kind not in ("biuf" if isList else "biu") or ind.dtype == np.uint64:
        raise TypeError(f"Cannot cast array data from dtype('{ind.dtype.name}') to dtype('int64') according to the rule 'safe'")
    ind = ind.astype(np.int64)
    if ind.size > 0 and a.size == 0:
        raise IndexError("cannot replace elements of an empty array")
    v = np.asarray(v).ravel()
    if v.size == 0 or ind.size == 0:
        return
    n = a.size
    if mode == "wrap":
        ind = ind % n
    elif mode == "clip":
        ind = np.clip(ind, 0, n - 1)
    values = v[np.arange(ind.shape[0]) % v.shape[0]].astype(a.dtype)
    if a.ndim == 1:
        a[ind] = values
        return
    outside = (ind < -n) | (ind >= n)
    if np.any(outside):
        raise IndexError(f"index {ind[np.argmax(outside)]} is out of bounds for axis 0 with size {n}")
    if a.ndim == 0:
        a[...] = v[(ind.shape[0] - 1) % v.shape[0]]
        return
    rest = np.where(ind < 0, ind + n, ind)
    places = ()
    stride = n
    for k in tuple(range(a.ndim)):
        stride = stride // max(a.shape[k], 1)
        places = places + (rest // max(stride, 1),)
        rest = rest % max(stride, 1)
    a[places] = values


def values_held(values, dtype):
    """A line of the values as an array of this dtype holds them. Numbers and lists are converted, but an array must have a dtype
    that it holds all numbers of."""
    if isinstance(values, np.ndarray) and not np.can_cast(values.dtype, dtype, "safe"):
        what = "scalar" if values.ndim == 0 else "array data"
        raise TypeError(f"Cannot cast {what} from {values.dtype!r} to {dtype!r} according to the rule 'safe'")
    return np.asarray(values).astype(dtype).ravel()


@implements(np.place)
def place(arr, mask, vals):
    if not isinstance(arr, np.ndarray):
        raise TypeError("argument 1 must be numpy.ndarray")
    mask = np.asarray(mask).astype(bool)
    check_writable(arr, "WRITEBACKIFCOPY base is read-only")
    if arr.size != mask.size:
        raise ValueError("place: mask and data must be the same size")
    values = values_held(vals, arr.dtype)
    chosen = mask.ravel()
    if np.any(chosen):
        if values.shape[0] == 0:
            raise ValueError("Cannot insert from an empty array!")
        turn = (np.cumsum(chosen) - 1).reshape(arr.shape)
        np.copyto(arr, values[np.maximum(turn, 0) % values.shape[0]], where=chosen.reshape(arr.shape))


@implements(np.putmask)
def putmask(a, mask, values):
    mask = np.asarray(mask).astype(bool)
    if a.size != mask.size:
        raise ValueError("putmask: mask and data must be the same size")
    check_writable(a, "putmask: output array is read-only")
    held = values_held(values, a.dtype)
    if held.shape[0] > 0:
        np.copyto(a, held[np.arange(a.size).reshape(a.shape) % held.shape[0]], where=mask.reshape(a.shape))


def check_choices(shape, shapes):
    """The shape of the result; the error of choices that do not meet counts them from 0, and what chooses is behind the last one."""
    return broadcast_shapes(*shapes, shape)


def check_positions(positions, extent, axis):
    outside = (positions < -extent) | (positions >= extent)
    if outside.any():
        position = positions[outside][0]
        raise IndexError(f"index {position} is out of bounds for axis {axis} with size {extent}")


@implements(np.choose)
def choose(a, choices, out=None, mode="raise"):
    mode = "raise" if mode is None else mode
    if isinstance(choices, (bool, int, float, complex, np.generic)) or choices is None:
        raise TypeError(f"'{type(choices).__name__}' object is not iterable")
    if isinstance(mode, int):
        raise ValueError("integer clipmode must be RAISE, WRAP, or CLIP from 'numpy._core.multiarray'")
    if mode != "raise" and mode != "wrap" and mode != "clip":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    a = np.asarray(a)
    if a.dtype.kind not in "biu" or a.dtype == np.uint64:
        raise TypeError(f"Cannot cast array data from dtype('{a.dtype.name}') to dtype('int64') according to the rule 'safe'")
    a = a.astype(np.int64)
    count = len(choices)
    if count == 0:
        raise ValueError("0-length sequence.")
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError("output must be an array")
    if isinstance(choices, (tuple, list)):
        shape = check_choices(a.shape, [np.shape(choice) for choice in choices])
        if out is not None and np.shape(out) != shape:
            raise TypeError("choose: invalid shape for output array.")
    if mode == "raise":
        if np.any((a < 0) | (a >= count)):
            raise ValueError("invalid entry in choice array")
    elif mode == "wrap":
        a = a % count
    else:
        a = np.clip(a, 0, count - 1)
    if not isinstance(choices, (tuple, list)):
        return stored(_chosen_rows(a, np.asarray(choices)), out)
    arrays = tuple([np.asarray(choice) for choice in choices])
    # Numbers of Python's take the dtype that the others have.
    dtype = np.result_type(*[choice if type(choice) in (bool, int, float, complex) else np.asarray(choice).dtype for choice in choices])
    result = arrays[-1].astype(dtype)
    for k in tuple(range(count - 2, -1, -1)):
        result = np.where(a == k, arrays[k].astype(dtype), result)
    if count == 1:
        result = np.broadcast_to(result, np.broadcast_shapes(a.shape, result.shape)).copy()
    return stored(result[()] if result.ndim == 0 else result, out)


def _chosen_rows(a, choices):
    """Of an array of choices, each with its position."""
    if choices.ndim == 1:
        return choices[a]
    shape = np.broadcast_shapes(a.shape, choices.shape[1:])
    index = (np.broadcast_to(a, shape),)
    rows = np.broadcast_to(choices.reshape(choices.shape[:1] + (1,) * (len(shape) + 1 - choices.ndim) + choices.shape[1:]), choices.shape[:1] + shape)
    for k in tuple(range(len(shape))):
        index = index + (np.arange(shape[k]).reshape((-1,) + (1,) * (len(shape) - k - 1)),)
    return rows[index]


@implements(np.fill_diagonal)
def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    check_writable(a, "underlying array is read-only")
    n = a.shape[0]
    for k in tuple(range(1, a.ndim)):
        if a.ndim > 2 and a.shape[k] != a.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
        n = min(n, a.shape[k])
    if np.size(val) == 0:
        return
    if wrap and a.ndim == 2:
        _fill_wrapped(a, val)
        return
    i = np.arange(n)
    if np.ndim(val) == 0:
        a[(i,) * a.ndim] = val
    else:  # as a.flat takes it: from the start again where it ends
        values = np.ravel(val)
        a[(i,) * a.ndim] = values[i % values.shape[0]].astype(a.dtype)


def _fill_wrapped(a, val):
    """The diagonal of a tall matrix starts again, a row below each end."""
    step = a.shape[1] + 1
    at = np.arange(0, a.size, step)
    held = np.ravel(val)
    a[at // max(a.shape[1], 1), at % max(a.shape[1], 1)] = held[np.arange(at.shape[0]) % held.shape[0]].astype(a.dtype)
