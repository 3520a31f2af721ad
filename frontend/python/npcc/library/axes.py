"""Axis arguments, as every function that takes one checks them. Axes are known at compile time, so nothing of this is left at run time."""

import numpy as np

from .routines import check_reduced, check_writable


def axis_index(axis, ndim, name=None):
    """`axis` counted from the first one; `name` is what errors call it."""
    if axis is None or isinstance(axis, (float, np.floating, str, tuple)):
        raise TypeError(f"'{type(axis).__name__}' object cannot be interpreted as an integer")
    if axis < -ndim or axis >= ndim:
        if name is not None:
            raise np.exceptions.AxisError(f"{name}: axis {axis} is out of bounds for array of dimension {ndim}")
        raise np.exceptions.AxisError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return axis if axis >= 0 else axis + ndim


def axis_tuple(axis, ndim, name=None):
    """The axes that `axis` means: None is all of them, an integer is one; `name` is what errors call it."""
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, (float, np.floating)):
        raise TypeError(f"'{type(axis).__name__}' object is not iterable")
    if not isinstance(axis, (tuple, list)):
        return (axis_index(axis, ndim, name),)
    axes = ()
    for one in axis:
        at = axis_index(one, ndim, name)
        if at in axes:
            raise ValueError("duplicate value in 'axis'")
        axes = axes + (at,)
    return axes


def check_integer(number, name):
    """NumPy goes on with numbers that are no integers, in the ways of its own arithmetic."""
    if np.asarray(number).dtype.kind not in "biu":
        raise NotImplementedError(f"{name} must be an integer in compiled code")


def along(ndim, axis, index):
    """An index that is `index` along `axis` and whole elsewhere."""
    return (slice(None),) * axis + (index,) + (slice(None),) * (ndim - axis - 1)


def count_along(a, axis):
    """How many elements a reduction over `axis` combines."""
    count = 1
    for at in axis_tuple(axis, a.ndim):
        count = count * a.shape[at]
    return count


def stored(result, out):
    """What a function with `out` gives."""
    if out is None:
        return result
    check_writable(out, "output array is read-only")
    out[...] = result
    return out


def stored_reduction(result, out, name, keepdims=False, operand=None, axis=None):
    """`stored`, of the reduction of ufunc `name`: no axis is added to it. `operand` is what was reduced along `axis`."""
    if out is not None and np.ndim(out) != np.ndim(result):
        kept = " (must match the operand's when keepdims=True)" if keepdims else ""
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong number of dimensions: "
            f"Found {np.ndim(out)} but expected {np.ndim(result)}{kept}"
        )
    if out is not None and operand is not None and operand.ndim > 0:
        check_reduced(operand, axis, keepdims, result, out)
    return stored(result, out)
