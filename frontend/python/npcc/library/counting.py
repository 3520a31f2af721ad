"""Counting and searching. What meets a position more than once is a loop over elements: its order is NumPy's."""

import numpy as np

from . import implements
from .axes import stored


@implements(np.bincount)
def bincount(x, /, weights=None, minlength=0):
    isList = isinstance(x, (list, tuple))
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("object too deep for desired array" if x.ndim > 1 else "object of too small depth for desired array")
    if x.dtype.kind not in ("biuf" if isList else "biu"):
        raise TypeError(f"Cannot cast array data from dtype('{x.dtype}') to dtype('int64') according to the rule 'safe'")
    if x.dtype.kind == "f" or x.dtype == np.uint64:
        x = x.astype(np.int64)
    if minlength is None:
        raise TypeError("use 0 instead of None for minlength")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    n = x.shape[0]
    largest = -1
    if n > 0:
        if np.min(x) < 0:
            raise ValueError("'list' argument must have no negative elements")
        largest = int(np.max(x))
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


def _before(a, b):
    """a < b as NumPy sorts: NaN comes last. Complex numbers are in the order of their real parts and then of their
    imaginary ones, and behind them come those whose imaginary part is NaN, whose real part is, and of which both are."""
    if b.dtype.kind == "c":
        of_a = 2 * np.isnan(a.real) + np.isnan(a.imag)
        of_b = 2 * np.isnan(b.real) + np.isnan(b.imag)
        tie = (a.real == b.real) | (of_a >= 2)
        return (of_a < of_b) | ((of_a == of_b) & ((a.real < b.real) | (tie & (a.imag < b.imag))))
    if b.dtype.kind == "f":
        return (a < b) | (np.isnan(b) & (a == a))
    return a < b


@implements(np.searchsorted)
def searchsorted(a, v, side="left", sorter=None):
    if side != "left" and side != "right":
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    if sorter is not None:
        raise NotImplementedError("numpy.searchsorted with a sorter cannot be compiled")
    a = np.asarray(a)
    v = np.asarray(v)
    kind = np.result_type(a.dtype, v.dtype)
    a = a.astype(kind)
    values = v.ravel().astype(kind)
    n = a.shape[0]
    # A binary search of all values at once: each pass halves all intervals.
    low = np.zeros(values.shape[0], np.int64)
    high = np.full(values.shape[0], n)
    width = n
    while width > 0:
        middle = (low + high) // 2
        probe = a[np.minimum(middle, n - 1)]
        if side == "left":
            above = _before(probe, values)
        else:
            above = np.logical_not(_before(values, probe))
        above = np.logical_and(above, low < high)
        below = np.logical_and(np.logical_not(above), low < high)
        low = np.where(above, middle + 1, low)
        high = np.where(below, middle, high)
        width = width // 2
    if v.ndim == 0:
        return low[0]
    return low.reshape(v.shape)


@implements(np.digitize)
def digitize(x, bins, right=False):
    x = np.asarray(x)
    bins = np.asarray(bins)
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if bins.ndim == 0:
        raise ValueError("object of too small depth for desired array")
    if bins.dtype.kind == "c":
        raise TypeError(f"Cannot cast array data from dtype('{bins.dtype.name}') to dtype('float64') according to the rule 'safe'")
    side = "left" if right else "right"
    order = bins.astype(np.float64)  # in which NumPy finds out the direction, of integers too
    if not np.all(order[1:] >= order[:-1]) and not np.all(order[1:] <= order[:-1]):
        raise ValueError("bins must be monotonically increasing or decreasing")
    if order.shape[0] > 1 and order[0] > order[-1]:
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
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'")
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
    y = np.where(np.isnan(x), x, y)
    if x.ndim == 0:
        return y[()]
    return y


@implements(np.histogram)
def histogram(a, bins=10, range=None, density=None, weights=None):
    if weights is not None and np.shape(weights) != np.shape(a):
        raise ValueError("weights should have the same shape as a.")
    a = np.asarray(a).ravel()
    n = a.shape[0]
    if np.ndim(bins) == 0:
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        edges = _edges(a, bins, range)
        total = _uniform(a, edges, bins, weights)
    else:
        edges = np.asarray(bins)
        counts = edges.shape[0] - 1
        at = np.clip(searchsorted(edges, a, "right") - 1, 0, counts - 1)
        inside = np.logical_and(a >= edges[0], a <= edges[counts])
        if weights is None:
            share = inside.astype(np.int64)
        else:
            w = np.asarray(weights).ravel()
            share = np.where(inside, w, np.zeros((), w.dtype))
        total = np.zeros(counts, share.dtype)
        i = 0
        while i < n:
            total[at[i]] += share[i]
            i += 1
    if density:
        widths = (edges[1:] - edges[:-1]).astype(np.float64)
        return total / widths / np.sum(total), edges
    return total, edges


def _uniform(a, edges, counts, weights):
    first = edges[0]
    last = edges[counts]
    i = 0
    n = a.shape[0]
    if weights is None:
        total = np.zeros(counts, np.int64)
        while i < n:
            if a[i] >= first and a[i] <= last:
                total[_bin(a[i], edges, first, last, counts)] += 1
            i += 1
        return total
    w = np.asarray(weights).ravel()
    # What is outside goes into one more bin.
    at = np.full(n, counts)
    while i < n:
        if a[i] >= first and a[i] <= last:
            at[i] = _bin(a[i], edges, first, last, counts)
        i += 1
    total = np.zeros(counts + 1, np.float64 if w.dtype.kind == "f" else w.dtype)
    i = 0
    while i < n:
        total[at[i]] += w[i]
        i += 1
    return total[:counts].astype(w.dtype)


def _bin(x, edges, first, last, counts):
    at = min(np.int64((x - first) / (last - first) * counts), counts - 1)
    # Rounding may have put the element beside its bin.
    if x < edges[at]:
        at -= 1
    if at < counts - 1 and x >= edges[at + 1]:
        at += 1
    return at


def _edges(a, bins, limits):
    if limits is None:
        if a.shape[0] == 0:
            low = 0.0
            high = 1.0
        else:
            low = np.min(a) * 1.0
            high = np.max(a) * 1.0
    else:
        low = limits[0] * 1.0
        high = limits[1] * 1.0
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
    if low == high:
        low = low - 0.5
        high = high + 0.5
    kind = a.dtype if a.dtype.kind == "f" else np.float64
    return np.linspace(low, high, bins + 1, dtype=kind)


def _at(operation, a, indices, b):
    """a[i] = operation(a[i], b) for one index after the other, those of several axes in C order."""
    if isinstance(indices, tuple):
        places = indices
    else:
        places = (indices,)
    where = ()
    for place in places:
        where = where + (np.asarray(place),)
    if where[0].dtype.kind == "b":
        raise NotImplementedError("ufunc.at takes integer indices in compiled code")
    if where[0].ndim == 1:
        _at_line(operation, a, where, b)
    else:
        together = where[0]
        for place in where[1:]:
            together = together + place
        shape = together.shape
        lines = tuple([np.array(np.broadcast_to(place, shape)).reshape(-1) for place in where])
        if b is None or np.ndim(b) == 0:
            _at_line(operation, a, lines, b)
        else:
            rest = a.shape[len(where):]
            _at_line(operation, a, lines, np.array(np.broadcast_to(b, shape + rest)).reshape((-1,) + rest))


def _at_line(operation, a, where, b):
    if b is None:
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at])
    elif np.ndim(b) == 0:
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at], b)
    else:
        values = np.asarray(b)
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at], values[i])


@implements(np.add.at)
def add_at(a, indices, b=None, /):
    _at(np.add, a, indices, b)


@implements(np.subtract.at)
def subtract_at(a, indices, b=None, /):
    _at(np.subtract, a, indices, b)


@implements(np.multiply.at)
def multiply_at(a, indices, b=None, /):
    _at(np.multiply, a, indices, b)


@implements(np.maximum.at)
def maximum_at(a, indices, b=None, /):
    _at(np.maximum, a, indices, b)


@implements(np.minimum.at)
def minimum_at(a, indices, b=None, /):
    _at(np.minimum, a, indices, b)


@implements(np.argwhere)
def argwhere(a):
    a = np.asarray(a)
    if a.ndim == 0:
        raise NotImplementedError("numpy.argwhere of a scalar cannot be compiled")
    return np.stack(np.nonzero(a), axis=-1)


@implements(np.put)
def put(a, ind, v, mode="raise"):
    if mode != "raise" and mode != "wrap" and mode != "clip":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    isList = isinstance(ind, (list, tuple))
    ind = np.asarray(ind).ravel()
    if ind.dtype.kind not in ("biuf" if isList else "biu") or ind.dtype == np.uint64:
        raise TypeError(f"Cannot cast array data from dtype('{ind.dtype.name}') to dtype('int64') according to the rule 'safe'")
    ind = ind.astype(np.int64)
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
    rest = np.where(ind < 0, ind + n, ind)
    places = ()
    stride = n
    for k in tuple(range(a.ndim)):
        stride = stride // max(a.shape[k], 1)
        places = places + (rest // max(stride, 1),)
        rest = rest % max(stride, 1)
    a[places] = values


@implements(np.fill_diagonal)
def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if wrap:
        raise NotImplementedError("numpy.fill_diagonal with wrap cannot be compiled")
    n = a.shape[0]
    for k in tuple(range(1, a.ndim)):
        if a.ndim > 2 and a.shape[k] != a.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
        n = min(n, a.shape[k])
    i = np.arange(n)
    if np.ndim(val) == 0:
        a[(i,) * a.ndim] = val
    else:  # as a.flat takes it: from the start again where it ends
        values = np.ravel(val)
        if values.shape[0] == 0:
            raise ValueError("Error setting single item of array.")
        a[(i,) * a.ndim] = values[i % values.shape[0]].astype(a.dtype)
