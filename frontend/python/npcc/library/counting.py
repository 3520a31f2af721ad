"""Counting and searching. What meets a position more than once is a loop over elements: its order is NumPy's."""

import numpy as np

from . import implements
from .axes import stored
from .routines import search


@implements(np.bincount)
def bincount(x, /, weights=None, minlength=0):
    isList = isinstance(x, (list, tuple))
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("object too deep for desired array" if x.ndim > 1 else "object of too small depth for desired array")
    if x.dtype.kind not in ("biuf" if isList else "biu"):
        raise TypeError(f"Cannot cast array data from dtype('{x.dtype}') to dtype('int64') according to the rule 'safe'")
    if x.dtype != np.int64:
        x = x.astype(np.int64)
    if minlength is None:
        raise TypeError("use 0 instead of None for minlength")
    if isinstance(minlength, (float, np.floating)):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if weights is not None and np.asarray(weights).dtype.kind == "c":
        raise TypeError(f"Cannot cast array data from {np.asarray(weights).dtype!r} to dtype('float64') according to the rule 'safe'")
    n = x.shape[0]
    # Both in one walk, and once for all that is counted by the same positions.
    least = np.min(x, initial=0)
    largest = int(np.max(x, initial=-1))
    if least < 0:
        raise ValueError("'list' argument must have no negative elements")
    count = max(largest + 1, minlength)
    if weights is None:
        out = np.zeros(count, np.int64)
        for i in range(n):
            out[x[i]] += 1
        return out
    w = np.asarray(weights).astype(np.float64)
    if n > 0 and w.shape[0] != n:
        raise ValueError("The weights and list don't have the same length.")
    sums = np.zeros(count, np.float64)
    for i in range(n):
        sums[x[i]] += w[i]
    return sums


@implements(np.searchsorted)
def searchsorted(a, v, side="left", sorter=None):
    if side != "left" and side != "right":
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    a = np.asarray(a)
    if a.ndim != 1:
        raise ValueError("object too deep for desired array" if a.ndim > 1 else "object of too small depth for desired array")
    if sorter is not None:
        a = _in_order(a, np.asarray(sorter))
    v = np.asarray(v)
    kind = np.result_type(a.dtype, v.dtype)
    a = a.astype(kind)
    return search(a, v.astype(kind), side)


def _in_order(a, sorter):
    if sorter.ndim != 1:
        raise TypeError("could not parse sorter argument")
    if sorter.dtype.kind not in "biu":
        raise TypeError("sorter must only contain integers")
    if sorter.shape[0] != a.shape[0]:
        raise ValueError("sorter.size must equal a.size")
    if np.any((sorter < 0) | (sorter >= a.shape[0])):
        raise ValueError("Sorter index out of range.")
    return a[sorter.astype(np.int64)]


@implements(np.digitize)
def digitize(x, bins, right=False):
    x = np.asarray(x)
    bins = np.asarray(bins)
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if bins.ndim == 0:
        raise ValueError("object of too small depth for desired array")
    if bins.ndim > 1:
        raise ValueError("object too deep for desired array")
    if bins.dtype.kind == "c":
        raise TypeError(f"Cannot cast array data from dtype('{bins.dtype.name}') to dtype('float64') according to the rule 'safe'")
    side = "left" if right else "right"
    order = bins.astype(np.float64)  # in which NumPy finds out the direction, of integers too
    # Comparisons with NaN say nothing; what begins with it falls.
    falls = np.any(order[1:] < order[:-1]) | np.any(np.isnan(order[:1]))
    if falls and np.any(order[1:] > order[:-1]):
        raise ValueError("bins must be monotonically increasing or decreasing")
    if falls:
        return bins.shape[0] - searchsorted(bins[::-1], x, side)
    return searchsorted(bins, x, side)


@implements(np.interp)
def interp(x, xp, fp, left=None, right=None, period=None):
    x = np.asarray(x)
    fp = np.asarray(fp)
    if period is not None:
        x, xp, fp = _repeated(x.astype(np.float64), np.asarray(xp).astype(np.float64), fp, period)
        left = None
        right = None
    if x.dtype.kind == "c":
        raise TypeError(f"Cannot cast array data from dtype('{x.dtype.name}') to dtype('float64') according to the rule 'safe'")
    x = x.astype(np.float64)
    xp = np.asarray(xp).astype(np.float64)
    fp = fp.astype(np.complex128 if fp.dtype.kind == "c" else np.float64)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("object too deep for desired array")
    if xp.shape[0] != fp.shape[0]:
        raise ValueError("fp and xp are not of the same length.")
    if xp.shape[0] == 0:
        raise ValueError("array of sample points is empty")
    if fp.dtype.kind != "c":
        return _on_lines(x, xp, fp, fp[0] if left is None else left, fp[-1] if right is None else right)
    # The real and the imaginary parts are two lines: an infinity in one leaves the other alone.
    left = fp[0] if left is None else np.asarray(left).astype(fp.dtype)
    right = fp[-1] if right is None else np.asarray(right).astype(fp.dtype)
    y = np.empty(x.shape, fp.dtype)
    y.real = _on_lines(x, xp, fp.real, left.real, right.real)
    y.imag = np.where(np.isnan(x), 0.0, _on_lines(x, xp, fp.imag, left.imag, right.imag))
    if x.ndim == 0:
        return y[()]
    return y


def _repeated(x, xp, fp, period):
    """Points of one period, in order, with one more on either side."""
    if period == 0:
        raise ValueError("period must be a non-zero value")
    period = abs(period)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if xp.shape[0] != fp.shape[0]:
        raise ValueError("fp and xp are not of the same length")
    xp = xp % period
    order = np.argsort(xp)
    xp = xp[order]
    fp = fp[order]
    return x % period, np.concatenate((xp[-1:] - period, xp, xp[:1] + period)), np.concatenate((fp[-1:], fp, fp[:1]))


def _on_lines(x, xp, fp, left, right):
    """Between the points (xp, fp), which are real."""
    n = xp.shape[0]
    low = np.clip(searchsorted(xp, x, "right") - 1, 0, max(n - 2, 0))
    high = np.minimum(low + 1, n - 1)
    x0 = xp[low]
    f0 = fp[low]
    slope = np.where(high > low, (fp[high] - f0) / np.where(high > low, xp[high] - x0, 1.0), 0.0)
    y = slope * (x - x0) + f0
    # Infinite slopes are followed from the other side.
    y = np.where(np.isnan(y), slope * (x - xp[high]) + fp[high], y)
    y = np.where(np.isnan(y) & (f0 == fp[high]), f0, y)
    y = np.where(x == x0, f0, y)
    y = np.where(x == xp[high], fp[high], y)
    y = np.where(x < xp[0], left, y)
    y = np.where(x > xp[n - 1], right, y)
    y = np.where(np.isnan(x) & (n > 1), x, y)  # a single point is found for NaN too
    if x.ndim == 0:
        return y[()]
    return y
