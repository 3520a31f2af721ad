"""Differences, gradients and integrals along axes."""

import numpy as np

from . import implements
from .axes import along, axis_index, axis_tuple
from .routines import is_known


def _shaped(values, ndim, axis):
    """A 1-D array along one axis."""
    return values.reshape((1,) * axis + (values.shape[0],) + (1,) * (ndim - axis - 1))


def _derivative(f, axis, spacing, edge_order):
    """Second-order differences inside; one-sided ones of `edge_order` at the ends."""
    n = f.ndim
    if f.shape[axis] < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    before = f[along(n, axis, slice(None, -2))]
    middle = f[along(n, axis, slice(1, -1))]
    after = f[along(n, axis, slice(2, None))]
    first = f[along(n, axis, 0)]
    second = f[along(n, axis, 1)]
    last = f[along(n, axis, -1)]
    previous = f[along(n, axis, -2)]
    out = np.empty_like(f)
    inside = along(n, axis, slice(1, -1))
    uniform = np.ndim(spacing) == 0
    if uniform:
        out[inside] = (after - before) / (2.0 * spacing)
        left = spacing
        right = spacing
    else:
        dx1 = spacing[:-1]
        dx2 = spacing[1:]
        a = -dx2 / (dx1 * (dx1 + dx2))
        b = (dx2 - dx1) / (dx1 * dx2)
        c = dx1 / (dx2 * (dx1 + dx2))
        out[inside] = _shaped(a, n, axis) * before + _shaped(b, n, axis) * middle + _shaped(c, n, axis) * after
        left = spacing[0]
        right = spacing[-1]
    if edge_order == 1:
        out[along(n, axis, 0)] = (second - first) / left
        out[along(n, axis, -1)] = (last - previous) / right
        return out
    third = f[along(n, axis, 2)]
    earlier = f[along(n, axis, -3)]
    if uniform:
        out[along(n, axis, 0)] = -1.5 / spacing * first + 2.0 / spacing * second + -0.5 / spacing * third
        out[along(n, axis, -1)] = 0.5 / spacing * earlier + -2.0 / spacing * previous + 1.5 / spacing * last
        return out
    next_left = spacing[1]
    next_right = spacing[-2]
    a = -(2.0 * left + next_left) / (left * (left + next_left))
    b = (left + next_left) / (left * next_left)
    c = -left / (next_left * (left + next_left))
    out[along(n, axis, 0)] = a * first + b * second + c * third
    a = right / (next_right * (next_right + right))
    b = -(right + next_right) / (next_right * right)
    c = (2.0 * right + next_right) / (right * (next_right + right))
    out[along(n, axis, -1)] = a * earlier + b * previous + c * last
    return out


@implements(np.gradient)
def gradient(f, *varargs, axis=None, edge_order=1):
    f = np.asarray(f)
    if f.dtype.kind in "iu":
        f = f.astype(np.float64)
    axes = axis_tuple(axis, f.ndim)
    spacings = ()
    if len(varargs) == 0:
        spacings = (1.0,) * len(axes)
    elif len(varargs) == 1 and np.ndim(varargs[0]) == 0:
        spacings = (varargs[0],) * len(axes)
    elif len(varargs) == len(axes):
        for k in tuple(range(len(axes))):
            if np.ndim(varargs[k]) == 0:
                spacings = spacings + (varargs[k],)
            else:
                distances = np.asarray(varargs[k])
                if distances.ndim != 1:
                    raise ValueError("distances must be either scalars or 1d")
                if distances.shape[0] != f.shape[axes[k]]:
                    raise ValueError("when 1d, distances must match the length of the corresponding dimension")
                if distances.dtype.kind in "iu":
                    distances = distances.astype(np.float64)
                spacings = spacings + (distances[1:] - distances[:-1],)
    else:
        raise TypeError("invalid number of arguments")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    results = ()
    for k in tuple(range(len(axes))):
        results = results + (_derivative(f, axes[k], spacings[k], edge_order),)
    if len(results) == 1:
        return results[0]
    return results


@implements(np.diff)
def diff(a, n=1, axis=-1, prepend=None, append=None):
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    a = np.asarray(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    at = axis_index(axis, a.ndim)
    if prepend is not None or append is not None:
        parts = (a,)
        if prepend is not None:
            parts = (_border(prepend, a, at),) + parts
        if append is not None:
            parts = parts + (_border(append, a, at),)
        a = np.concatenate(parts, axis=at)
    for _ in (None,) * n if is_known(n) else range(n):
        upper = a[along(a.ndim, at, slice(1, None))]
        lower = a[along(a.ndim, at, slice(None, -1))]
        if a.dtype == np.bool_:
            a = upper != lower
        else:
            a = upper - lower
    return a


def _border(values, a, axis):
    values = np.asarray(values)
    if values.ndim == 0:
        return np.broadcast_to(values, a.shape[:axis] + (1,) + a.shape[axis + 1:])
    return values


@implements(np.ediff1d)
def ediff1d(ary, to_end=None, to_begin=None):
    a = np.asarray(ary).ravel()
    first = _end(to_begin, a.dtype, "to_begin")
    last = _end(to_end, a.dtype, "to_end")
    inner = np.subtract(a[1:], a[:-1])
    if to_begin is None and to_end is None:
        return inner
    return np.concatenate((first, inner, last)).astype(a.dtype)


def _end(values, dtype, name):
    """What goes before or after differences."""
    if values is None:
        return np.zeros(0, dtype)
    ends = np.asarray(values)
    if not np.can_cast(ends.dtype, dtype, casting="same_kind"):
        raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
    return ends.ravel().astype(dtype)


@implements(np.trapezoid, "trapz")
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.asarray(y)
    n = y.ndim
    if n == 0 and (x is None or np.ndim(x) == 1):
        raise IndexError("list assignment index out of range")
    if x is None:
        d = dx
    else:
        x = np.asarray(x)
        if x.ndim == 1:
            d = diff(x)
            d = _shaped(d, n, axis_index(axis, n))
        else:
            d = diff(x, axis=axis)
    if axis is None or isinstance(axis, (float, tuple)):
        raise TypeError(f"list indices must be integers or slices, not {type(axis).__name__}")
    if axis < -n or axis >= n:
        raise IndexError("list assignment index out of range")
    at = axis_index(axis, n)
    pairs = y[along(n, at, slice(1, None))] + y[along(n, at, slice(None, -1))]
    return np.sum(d * pairs / 2.0, axis=at)
