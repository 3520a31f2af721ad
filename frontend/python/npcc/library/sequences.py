"""Along a line: running sums with a first term, phases without jumps, and what lies between the outer zeros."""

import numpy as np

from . import implements
from .axes import along, axis_index, axis_tuple, stored


def _cumulative(x, function, neutral, axis, dtype, out, include_initial):
    x = np.atleast_1d(x)
    if x.ndim == 0:
        return x
    if axis is None:
        if x.ndim >= 2:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    if isinstance(axis, tuple):
        for one in axis:
            axis_index(one, x.ndim)
        if len(axis) != 1:
            raise ValueError("accumulate does not allow multiple axes")
        if include_initial:
            raise TypeError("list indices must be integers or slices, not tuple")
        axis = axis[0]
    at = axis_index(axis, x.ndim)
    sums = function(x, axis=at, dtype=dtype)
    if not include_initial:
        return stored(sums, out)
    wide = np.full(x.shape[:at] + (x.shape[at] + 1,) + x.shape[at + 1:], neutral, sums.dtype)
    wide[along(x.ndim, at, slice(1, None))] = sums
    return stored(wide, out)


@implements("cumulative_sum")
def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(x, np.cumsum, 0, axis, dtype, out, include_initial)


@implements("cumulative_prod")
def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(x, np.cumprod, 1, axis, dtype, out, include_initial)


@implements(np.unwrap)
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    p = np.asarray(p)
    if p.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    at = axis_index(axis, p.ndim)
    dd = np.diff(p, axis=at)
    if discont is None:
        discont = period / 2
    dtype = np.result_type(dd.dtype, period)
    if dtype.kind in "iu":
        interval_high = period // 2
        is_ambiguous = period % 2 == 0
    else:
        interval_high = period / 2
        is_ambiguous = True
    interval_low = -interval_high
    within = np.mod(dd - interval_low, period) + interval_low
    if is_ambiguous:
        within = np.where((within == interval_low) & (dd > 0), interval_high, within).astype(within.dtype)
    change = within - dd
    change = np.where(np.abs(dd) < discont, 0, change).astype(change.dtype)
    up = p.astype(dtype)
    rest = along(p.ndim, at, slice(1, None))
    up[rest] = p[rest] + np.cumsum(change, axis=at)
    return up


@implements(np.trim_zeros)
def trim_zeros(filt, trim="fb", axis=None):
    a = np.asarray(filt)
    how = trim.lower()
    if how not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {how!r}")
    axes = axis_tuple(axis, a.ndim, "axis")
    if len(axes) == 0:
        return filt
    nonzero = a != 0
    index = ()
    for k in tuple(range(a.ndim)):
        if k in axes:
            lines = np.any(nonzero, axis=tuple(range(k)) + tuple(range(k + 1, a.ndim)))
            count = lines.shape[0]
            first = 0
            last = 0
            if np.any(lines):
                first = int(np.argmax(lines)) if "f" in how else 0
                last = count - int(np.argmax(lines[::-1])) if "b" in how else count
            index = index + (slice(first, last),)
        else:
            index = index + (slice(None),)
    found = a[index]
    return found.tolist() if isinstance(filt, (list, tuple)) and a.ndim == 1 else found
