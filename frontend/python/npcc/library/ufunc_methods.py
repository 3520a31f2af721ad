"""reduce, accumulate, reduceat, outer and at of the ufuncs for which the compiler has no reduction or scan of its own."""

import numpy as np

from .axes import axis_index, axis_tuple, count_along, stored, stored_reduction
from .routines import check_reduceat
from .updating import update_at

# What may be combined in any order: halves with halves.
ASSOCIATIVE = (np.gcd, np.lcm, np.logaddexp, np.logaddexp2, np.hypot, np.fmax, np.fmin, np.maximum, np.minimum, np.logical_xor)
# For these an element that is combined twice counts once.
IDEMPOTENT = (np.gcd, np.lcm, np.fmax, np.fmin, np.maximum, np.minimum)
# These take numbers for whether they are zero; comparisons take bools alone.
_OF_INTEGERS = (np.gcd, np.lcm)
_LOGICAL = (np.logical_and, np.logical_or, np.logical_xor)
# Where several axes may be reduced at once, besides.
REORDERABLE = ASSOCIATIVE + (np.add, np.multiply, np.logical_and, np.logical_or, np.bitwise_and, np.bitwise_or, np.bitwise_xor)


def is_associative(ufunc):
    """Own ufuncs say it themselves."""
    return ufunc.reorderable if hasattr(ufunc, "reorderable") else ufunc in ASSOCIATIVE


def _first_axis(a, axis):
    """The array with the axes that are reduced as its first one."""
    order = axis
    shape = (count_along(a, axis),)
    for k in tuple(range(a.ndim)):
        if k not in axis:
            order = order + (k,)
            shape = shape + (a.shape[k],)
    moved = np.transpose(a, order)
    return moved if len(axis) == 1 else moved.reshape(shape)


def _computed_in(ufunc, a, dtype):
    """The array in the dtype in which the ufunc combines its elements."""
    one = np.ones((1,), a.dtype if dtype is None else dtype)
    if dtype is not None and hasattr(ufunc, "resolve_dtypes"):
        ufunc.resolve_dtypes((a.dtype, a.dtype, None), signature=(one.dtype, None, one.dtype), casting="unsafe")  # for its error
    if ufunc in _OF_INTEGERS and one.dtype.kind not in "iu":
        raise TypeError(f"ufunc '{ufunc.__name__}' did not contain a loop with signature matching types (None, {type(one.dtype)}) -> None")
    found = ufunc(one, one).dtype
    if found != one.dtype and (dtype is not None or found.kind == "b" and ufunc not in _LOGICAL):
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {ufunc.__name__}")
    return a != 0 if found.kind == "b" else a.astype(found)


def reduce(ufunc, array, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    a = np.asarray(array)
    name = ufunc.__name__
    if ufunc.nin != 2:
        raise ValueError("reduce only supported for binary functions")
    if ufunc.nout != 1:
        raise ValueError("reduce only supported for functions returning a single value")
    axes = axis_tuple(axis, a.ndim) if a.ndim > 0 or axis is None or isinstance(axis, tuple) else ()
    if len(axes) > 1 and ufunc not in REORDERABLE and not is_associative(ufunc):
        raise ValueError(f"reduction operation '{name}' is not reorderable, so at most one axis may be specified")
    if isinstance(out, tuple):
        out = out[0]
    start = ufunc.identity if initial is np._NoValue else initial
    if initial is None:
        initial = np._NoValue
    a = _computed_in(ufunc, a, dtype)
    if where is not True:
        if start is None:
            raise ValueError(f"reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'")
        if ufunc in (IDEMPOTENT if initial is not np._NoValue else ASSOCIATIVE):
            a = np.where(where, a, np.asarray(start).astype(a.dtype))
            where = True
    kept = ()
    for k in tuple(range(a.ndim)):
        kept = kept + (1 if k in axes else a.shape[k],)
    if len(axes) == 0:
        total = a if initial is np._NoValue else ufunc(np.asarray(initial).astype(a.dtype), a)
        if where is not True:
            total = np.where(where, total, np.asarray(start).astype(total.dtype))
    elif where is True:
        total = _combined(ufunc, _first_axis(a, axes), initial, start)
    else:
        total = _combined_where(ufunc, _first_axis(a, axes), _first_axis(np.broadcast_to(where, a.shape), axes), start)
    total = np.reshape(total, kept)[()] if keepdims else total[()]
    return stored_reduction(total, out, name, keepdims)


def _combined(ufunc, rows, initial, start):
    n = rows.shape[0]
    if start is None:
        if n == 0:
            raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has no identity")
    if is_associative(ufunc):
        rest = rows.copy()
        while n > 1:
            half = n // 2
            rest[:half] = ufunc(rest[:half], rest[n - half:n])
            n = n - half
        if start is None:
            return rest[0]
        total = np.full(rows.shape[1:], start, rows.dtype)
        if n > 0:
            total[...] = ufunc(np.asarray(start).astype(rows.dtype), rest[0])  # of one element too: gcd gives no negative number
        return total
    if initial is not np._NoValue:
        total = np.full(rows.shape[1:], initial, rows.dtype)
        for k in range(n):
            total[...] = ufunc(total, rows[k])
        return total
    total = np.empty(rows.shape[1:], rows.dtype)
    if start is not None:
        total[...] = start
    if n > 0:
        total[...] = rows[0]
    for k in range(1, n):
        total[...] = ufunc(total, rows[k])
    return total


def _combined_where(ufunc, rows, mask, start):
    """One row after the other, of each the elements where the mask is true."""
    total = np.full(rows.shape[1:], start, rows.dtype)
    for k in range(rows.shape[0]):
        total[...] = np.where(mask[k], ufunc(total, rows[k]), total)
    return total


def _checked_axis(ufunc, a, axis, method):
    """The axis along which accumulate() and reduceat() go, from the front."""
    if ufunc.nin != 2:
        raise ValueError(f"{method} only supported for binary functions")
    if axis is None or isinstance(axis, tuple) and len(axis) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    if isinstance(axis, tuple):
        axis = axis[0]
    if a.ndim == 0:
        axis_index(axis, 1 if axis in (0, -1) else 0)  # for its error
        raise TypeError(f"cannot {method} on a scalar")
    return axis_index(axis, a.ndim)


def accumulate(ufunc, array, axis=0, dtype=None, out=None):
    a = np.asarray(array)
    at = _checked_axis(ufunc, a, axis, "accumulate")
    if isinstance(out, tuple):
        out = out[0]
    rows = np.moveaxis(_computed_in(ufunc, a, dtype), at, 0)
    totals = np.empty(rows.shape, rows.dtype)
    n = rows.shape[0]
    if n > 0:
        totals[0] = rows[0]
    for k in range(1, n):
        totals[k] = ufunc(totals[k - 1], rows[k])
    return stored_reduction(np.moveaxis(totals, 0, at), out, ufunc.__name__)


def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    a = np.asarray(array)
    at = _checked_axis(ufunc, a, axis, "reduceat")
    if ufunc.nout != 1:
        raise ValueError("reduceat only supported for functions returning a single value")
    starts = np.asarray(indices)
    if isinstance(indices, (list, tuple)):
        if starts.ndim > 1:
            raise ValueError("setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 1.")
        starts = starts.astype(np.int64)
    if starts.dtype.kind not in "biu" or starts.dtype == np.uint64:
        raise TypeError(f"Cannot cast array data from dtype('{starts.dtype.name}') to dtype('int64') according to the rule 'safe'")
    if starts.ndim != 1:
        raise ValueError("object too deep for desired array" if starts.ndim > 1 else "object of too small depth for desired array")
    starts = starts.astype(np.int64)
    count = starts.shape[0]
    rows = np.moveaxis(a, at, 0)
    n = rows.shape[0]
    outside = (starts < 0) | (starts >= n)
    if np.any(outside):
        raise IndexError(f"index {starts[np.argmax(outside)]} out-of-bounds in {ufunc.__name__}.reduceat [0, {n})")
    if isinstance(out, tuple):
        out = out[0]
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    check_reduceat(a, starts, at, out)
    kind = ufunc.reduce(rows[:1], axis=0, dtype=dtype).dtype
    rows = rows.astype(kind)
    stops = np.full(count, n)
    stops[:-1] = starts[1:]
    stops = np.maximum(stops, starts + 1)  # where the next one is not behind, the element alone
    totals = np.empty((count,) + rows.shape[1:], kind)
    for k in range(count):
        if ufunc in ASSOCIATIVE:
            totals[k] = ufunc.reduce(rows[starts[k]:stops[k]], axis=0, initial=None)  # an element alone stays as it is
        else:
            totals[k] = ufunc.reduce(rows[starts[k]:stops[k]], axis=0)
    return stored(np.moveaxis(totals, 0, at), out)


def outer(ufunc, /, *args, **kwargs):
    if ufunc.nin != 2:
        raise ValueError("outer product only supported for binary functions")
    if len(args) != 2:
        raise TypeError("exactly two arguments expected")
    a = np.asarray(args[0])
    b = np.asarray(args[1])
    return ufunc(a.reshape(a.shape + (1,) * b.ndim), b, **kwargs)


def at(ufunc, a, indices, b=None, /):
    if ufunc.nout != 1:
        raise ValueError("Only single output ufuncs supported at this time")
    if ufunc.nin == 2 and b is None:
        raise ValueError("second operand needed for ufunc")
    if ufunc.nin == 1 and b is not None:
        raise ValueError("second operand provided when ufunc is unary")
    update_at(ufunc, a, indices, b)
