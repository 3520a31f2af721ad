"""Elements in other places."""

import numpy as np

from . import implements
from .axes import along, axis_index, check_integer
from .routines import check_operands, check_writable, is_known, stored_as_ufunc
from .shapes import broadcast_shapes, spelled


@implements(np.roll)
def roll(a, shift, axis=None):
    a = np.asarray(a)
    if axis is None and a.ndim != 1:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    if axis is None:
        axis = 0
    if isinstance(shift, np.ndarray) and shift.ndim > 0:
        return _roll_by_items(a, shift, axis if isinstance(axis, (tuple, list)) else (axis,))
    if isinstance(axis, (tuple, list)):
        for one in axis:
            axis_index(one, a.ndim)
        shifts = shift if isinstance(shift, (tuple, list)) else (shift,) * len(axis)
        if len(shifts) == 1:
            shifts = shifts * len(axis)
        if len(axis) == 1:
            axis = axis * len(shifts)
        broadcast_shapes((len(shifts),), (len(axis),))
        for k in tuple(range(len(axis))):
            a = _roll_axis(a, shifts[k], axis_index(axis[k], a.ndim))
        return a
    if isinstance(shift, (tuple, list)):
        for one in shift:
            a = _roll_axis(a, one, axis_index(axis, a.ndim))
        return a
    return _roll_axis(a, shift, axis_index(axis, a.ndim))


def _roll_by_items(a, shift, axes):
    """By the items of an array, which may be one for all axes, or any number for one axis."""
    if shift.ndim > 1:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    for one in axes:
        axis_index(one, a.ndim)
    if len(axes) == 1:
        return _roll_axis(a, int(shift.astype(np.intp).sum()), axis_index(axes[0], a.ndim))
    broadcast_shapes((len(shift),), (len(axes),))
    for k in tuple(range(len(axes))):
        a = _roll_axis(a, int(shift[min(k, len(shift) - 1)]), axis_index(axes[k], a.ndim))
    return a


def _roll_axis(a, shift, axis):
    n = a.shape[axis]
    by = shift % max(n, 1)
    out = np.empty_like(a)
    out[along(a.ndim, axis, slice(by, None))] = a[along(a.ndim, axis, slice(None, n - by))]
    out[along(a.ndim, axis, slice(None, by))] = a[along(a.ndim, axis, slice(n - by, None))]
    return out


@implements(np.tile)
def tile(A, reps):
    a = np.asarray(A)
    counts = tuple(reps) if isinstance(reps, (tuple, list)) else (reps,)
    if len(counts) < a.ndim:
        counts = (1,) * (a.ndim - len(counts)) + counts
    shape = (1,) * (len(counts) - a.ndim) + a.shape
    between = ()
    wide = ()
    final = ()
    for count in counts:
        if count < 0:
            raise ValueError("negative dimensions are not allowed")
    for k in tuple(range(len(counts))):
        between = between + (1, shape[k])
        wide = wide + (counts[k], shape[k])
        final = final + (counts[k] * shape[k],)
    return np.array(np.broadcast_to(a.reshape(between), wide)).reshape(final)


@implements(np.repeat)
def repeat(a, repeats, axis=None):
    a = np.asarray(a)
    if axis is None or a.ndim == 0:
        a = a.ravel()
    at = axis_index(0 if axis is None else axis, a.ndim)
    shape = a.shape
    if np.ndim(repeats) > 0:
        return np.take(a, _repeated(np.asarray(repeats), shape[at]), axis=at)
    if isinstance(repeats, (np.ndarray, np.generic)) and repeats.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast scalar from {repeats.dtype!r} to dtype('int64') according to the rule 'safe'")
    if isinstance(repeats, float):  # NumPy makes an int of a number that is no array
        repeats = int(repeats)
    if repeats < 0:
        raise ValueError("negative dimensions are not allowed")
    wide = shape[:at + 1] + (repeats,) + shape[at + 1:]
    narrow = shape[:at + 1] + (1,) + shape[at + 1:]
    return np.array(np.broadcast_to(a.reshape(narrow), wide)).reshape(shape[:at] + (shape[at] * repeats,) + shape[at + 1:])


def _repeated(repeats, n):
    """Each position as often as `repeats` says."""
    if repeats.ndim > 1:
        raise ValueError("object too deep for desired array")
    if repeats.dtype.kind not in "biu" or repeats.dtype == np.uint64:
        raise TypeError(f"Cannot cast array data from dtype('{repeats.dtype.name}') to dtype('int64') according to the rule 'safe'")
    if repeats.shape[0] != 1 and repeats.shape[0] != n:
        raise ValueError(f"operands could not be broadcast together with shape ({n},) ({repeats.shape[0]},)")
    if np.any(repeats < 0):
        if repeats.shape[0] == 1:
            raise ValueError("negative dimensions are not allowed")
        raise ValueError("repeats may not contain negative values.")
    ends = np.cumsum(np.broadcast_to(repeats.astype(np.int64), (n,)))
    count = int(ends[n - 1]) if n > 0 else 0
    return np.searchsorted(ends, np.arange(count), "right")


@implements(np.rot90)
def rot90(m, k=1, axes=(0, 1)):
    m = np.asarray(m)
    if isinstance(axes, int):
        raise TypeError("'int' object is not iterable")
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    if axes[0] == axes[1] or abs(axes[0] - axes[1]) == m.ndim:
        raise ValueError("Axes must be different.")
    if not (-m.ndim <= axes[0] < m.ndim and -m.ndim <= axes[1] < m.ndim):
        raise ValueError(f"Axes={tuple(axes)} out of range for array of ndim={m.ndim}.")
    first = axis_index(axes[0], m.ndim)
    second = axis_index(axes[1], m.ndim)
    check_integer(k, "k")  # what a fraction of a turn gives is not the same in all versions of NumPy
    turns = k % 4
    if turns == 0:
        return m[:]
    if turns == 2:
        return np.flip(np.flip(m, first), second)
    if turns == 1:
        return np.swapaxes(np.flip(m, second), first, second)
    return np.flip(np.swapaxes(m, first, second), second)


def _larger(number, bound):
    return max(number, bound)


def _smaller(number, bound):
    return min(number, bound)


def _without(bound, is_idle):
    return None if is_idle else bound


@implements(np.clip)
def clip(a, a_min=np._NoValue, a_max=np._NoValue, out=None, *, min=np._NoValue, max=np._NoValue, dtype=None, casting="same_kind",
         where=True):
    if where is not True and out is None:
        raise NotImplementedError("numpy.clip() with 'where' and without 'out' leaves elements undefined: give out=")
    if a_min is np._NoValue and a_max is np._NoValue:
        low = None if min is np._NoValue else min
        high = None if max is np._NoValue else max
    elif a_min is np._NoValue or a_max is np._NoValue:
        missing = "a_min" if a_min is np._NoValue else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: '{missing}'")
    elif min is not np._NoValue or max is not np._NoValue:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    else:
        low = a_min
        high = a_max
    if isinstance(low, (list, tuple)):
        low = np.asarray(low)
    if isinstance(high, (list, tuple)):
        high = np.asarray(high)
    result = np.asarray(a)
    if result.dtype.kind in "iu":
        # A Python int beyond the dtype's bounds is no bound.
        least, most = np.iinfo(result.dtype).min, np.iinfo(result.dtype).max
        if type(low) is int:
            low = _larger(low, least)
        if type(high) is int and result.dtype != np.uint64:
            high = _smaller(high, most)
        # NumPy leaves out a bound that every element keeps, and its errors name the operands that remain.
        if type(low) is int and is_known(low):
            low = _without(low, low <= least)
        if type(high) is int and is_known(high):
            high = _without(high, high >= most)
    if low is None and high is None:
        return np.positive(result, out=out, dtype=dtype, casting=casting, where=where)
    operands = (result,) + (() if low is None else (low,)) + (() if high is None else (high,))
    name = "clip" if len(operands) == 3 else "minimum" if low is None else "maximum"
    kind = np.result_type(*operands) if dtype is None else np.dtype(dtype)
    check_operands(operands, kind, out, name, casting)
    if len(operands) == 3:
        if not np.can_cast(result.dtype, kind, casting):
            raise TypeError(f"Cannot cast ufunc 'clip' input 0 from {result.dtype!r} to {kind!r} with casting rule '{casting}'")
        result = result.astype(kind)
    if low is not None:
        result = np.maximum(result, low, dtype=dtype, casting=casting)
    if high is not None:
        result = np.minimum(result, high, dtype=dtype, casting=casting)
    if where is not True:
        return np.positive(result, out=out, where=where)
    return result if out is None else stored_as_ufunc(result, out, name)


def _positions(m, k):
    """The mask of the elements on and below diagonal `k` of the last two axes."""
    if m.ndim == 0:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    check_integer(k, "k")
    rows = m.shape[0] if m.ndim == 1 else m.shape[-2]
    return np.arange(m.shape[-1]) <= np.arange(rows).reshape((rows, 1)) + k


@implements(np.tril)
def tril(m, k=0):
    m = np.asarray(m)
    return np.where(_positions(m, k), m, np.zeros((), m.dtype))


@implements(np.triu)
def triu(m, k=0):
    m = np.asarray(m)
    return np.where(_positions(m, k - 1), np.zeros((), m.dtype), m)


@implements(np.diag)
def diag(v, k=0):
    v = np.asarray(v)
    if isinstance(k, (float, np.floating)):
        raise TypeError(f"'{type(k).__name__}' object cannot be interpreted as an integer")
    if v.ndim == 2:
        return np.diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    n = v.shape[0] + abs(k)
    rows = np.arange(n).reshape((n, 1))
    columns = np.arange(n)
    # Along a row only one column is on the diagonal: the element belongs to the row (k >= 0) or to the column.
    spread = np.zeros(n, v.dtype)
    if k >= 0:
        spread[:n - k] = v
        return np.where(columns == rows + k, spread.reshape((n, 1)), np.zeros((), v.dtype))
    spread[:n + k] = v
    return np.where(columns == rows + k, spread, np.zeros((), v.dtype))


@implements(np.diagflat)
def diagflat(v, k=0):
    return diag(np.asarray(v).ravel(), k)


@implements(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(x, /):
    x = np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return np.swapaxes(x, -1, -2)


@implements(np.rollaxis)
def rollaxis(a, axis, start=0):
    a = np.asarray(a)
    at = axis_index(axis, a.ndim)
    target = start if start >= 0 else start + a.ndim
    if target < 0 or target > a.ndim:
        raise np.exceptions.AxisError(f"'start' arg requires {-a.ndim} <= start < {a.ndim + 1}, but {target} was passed in")
    if at < target:
        target = target - 1
    return np.moveaxis(a, at, target)


def _check_stored(held, array, what):
    """The error of an assignment to all of an array."""
    fits = held.ndim <= array.ndim
    for back in tuple(range(1, 1 + min(held.ndim, array.ndim))):
        fits = fits and (held.shape[-back] == 1 or held.shape[-back] == array.shape[-back])
    if not fits:
        raise ValueError(f"could not broadcast {what} from shape {spelled(held.shape)} into shape {spelled(array.shape)}")


@implements(np.copyto)
def copyto(dst, src, casting="same_kind", where=True):
    if not isinstance(dst, np.ndarray):
        raise TypeError(f"copyto() argument 1 must be a numpy.ndarray, not {'numpy.' + dst.dtype.name if isinstance(dst, np.generic) else type(dst).__name__}")
    check_writable(dst, "assignment destination is read-only")
    held = np.asarray(src)
    kind = held.dtype
    if type(src) in (int, float, complex):  # a Python number takes the dtype of its kind that the array has
        kind = np.result_type(type(src)(1), dst.dtype)
    if not np.can_cast(kind, dst.dtype, casting):
        what = "array data" if held.ndim else "scalar"
        raise TypeError(f"Cannot cast {what} from dtype('{kind.name}') to dtype('{dst.dtype.name}') according to the rule '{casting}'")
    if held.ndim > 0 and dst.ndim == 0:
        if held.size != 1:
            raise ValueError(f"could not broadcast input array from shape {held.shape} into shape ()")
        held = held.ravel()[0]
        src = held
    if isinstance(where, np.ndarray) and where.dtype != np.bool_:
        what = "array data" if where.ndim else "scalar"
        raise TypeError(f"Cannot cast {what} from dtype('{where.dtype.name}') to dtype('bool') according to the rule 'safe'")
    if where is not True and held.ndim > 0:
        _check_stored(held, dst, "input array")  # what is stored meets the array first, and the mask then
    if where is not True and np.ndim(where) > 0:
        _check_stored(np.asarray(where), dst, "where mask")
    if where is True:
        dst[...] = held.astype(dst.dtype) if isinstance(src, np.generic) else src  # cast, where an assignment asks int()
    elif dst.dtype.kind == "b":
        np.logical_or(src, False, out=dst, where=where)
    else:
        np.positive(np.asarray(src, dst.dtype) if type(src) in (int, float, complex) else held.astype(dst.dtype), out=dst, where=where)


@implements(np.compress)
def compress(condition, a, axis=None, out=None):
    if np.ndim(condition) != 1:
        raise ValueError("condition must be a 1-d array")
    return np.take(np.asarray(a), np.flatnonzero(condition), axis=axis, out=out)


@implements(np.extract)
def extract(condition, arr):
    return np.take(np.ravel(arr), np.flatnonzero(condition))
