"""numpy.pad: arrays with elements around them, one axis after the other."""

import numpy as np

from . import implements
from .axes import along

# What each mode takes beside the widths.
_ARGUMENTS = {
    "empty": "",
    "edge": "",
    "wrap": "",
    "constant": "constant_values",
    "linear_ramp": "end_values",
    "maximum": "stat_length",
    "mean": "stat_length",
    "median": "stat_length",
    "minimum": "stat_length",
    "reflect": "reflect_type",
    "symmetric": "reflect_type",
}


def _pairs(x, ndim):
    """(before, after) for each axis."""
    if isinstance(x, np.ndarray):
        every = np.broadcast_to(x, (ndim, 2))
        pairs = ()
        for k in tuple(range(ndim)):
            pairs = pairs + ((every[k, 0], every[k, 1]),)
        return pairs
    if not isinstance(x, (tuple, list)):
        return ((x, x),) * ndim
    if isinstance(x[0], (tuple, list)):
        pairs = ()
        for pair in x:
            if len(pair) > 2 or isinstance(pair[0], (tuple, list)):
                np.broadcast_to(np.asarray(x), (ndim, 2))  # for its error
                return ()
            pairs = pairs + ((pair[0], pair[0] if len(pair) == 1 else pair[1]),)
        if len(pairs) == 1:
            return pairs * ndim
    elif len(x) == 1:
        return ((x[0], x[0]),) * ndim
    elif len(x) == 2:
        return ((x[0], x[1]),) * ndim
    else:
        pairs = x
    if len(pairs) != ndim or not isinstance(x[0], (tuple, list)):
        np.broadcast_to(np.asarray(x), (ndim, 2))  # for its error
    return pairs


def _lengths(x, ndim):
    """`_pairs`, of numbers of elements."""
    pairs = _pairs(x, ndim)
    if ndim == 0 and np.any(np.asarray(x) < 0):
        raise ValueError("index can't contain negative values")
    for before, after in pairs:
        if before is not None and before < 0 or after is not None and after < 0:
            raise ValueError("index can't contain negative values")
    return pairs


def _constant(a, widths, constant_values):
    shape = ()
    inside = ()
    for k in tuple(range(a.ndim)):
        before, after = widths[k]
        shape = shape + (before + a.shape[k] + after,)
        inside = inside + (slice(before, before + a.shape[k]),)
    constant = np.asarray(constant_values)
    if a.ndim == 0:
        np.broadcast_to(constant, (0, 2))  # for its error
        return a.copy()
    if constant.ndim == 0:
        held = np.empty(1, a.dtype)
        held[0] = constant[()]  # with the errors of an item that is assigned
        out = np.full(shape, held[0])
    elif (constant.dtype.kind == "c" and a.dtype.kind != "c") or (constant.ndim > 1 and a.dtype.kind == "u"):
        raise NotImplementedError(f"numpy.pad of {a.dtype.name} with {constant.dtype.name} arrays cannot be compiled")
    else:  # one before and one after, for each axis
        pairs = np.broadcast_to(constant, (a.ndim, 2))
        out = np.empty(shape, a.dtype)
        for k in tuple(range(a.ndim)):
            before, after = widths[k]
            out[along(a.ndim, k, slice(None, before))] = pairs[k, 0]
            out[along(a.ndim, k, slice(shape[k] - after, None))] = pairs[k, 1]
    out[inside] = a
    return out


def _positions(mode, n, before, after):
    """Which element each place along an axis repeats."""
    at = np.arange(before + n + after) - before
    if mode == "edge":
        return np.clip(at, 0, n - 1)
    if mode == "wrap":
        return at % n
    if mode == "reflect":
        return np.abs((at + (n - 1)) % max(2 * (n - 1), 1) - (n - 1))
    at = at % (2 * n)
    return np.minimum(at, 2 * n - 1 - at)


def _repeated(a, axis, mode, before, after):
    """With elements of its own. Runs of them are stored as slices, which are cheap enough to be computed again wherever one is read."""
    n = a.shape[axis]

    def part(first, last):
        return a[along(a.ndim, axis, slice(first, last))]

    if mode == "edge":
        return _between(a, axis, before, after, part(0, 1), part(n - 1, n))
    skipped = 1 if mode == "reflect" else 0
    out = _longer(a, axis, before, after)
    if max(before, after) + skipped > n:  # more than once
        out[...] = np.take(a, _positions(mode, n, before, after), axis=axis)
    elif mode == "wrap":
        _put_between(out, a, axis, before, part(n - before, n), part(0, after))
    else:
        first = np.flip(part(skipped, before + skipped), axis)
        _put_between(out, a, axis, before, first, np.flip(part(n - skipped - after, n - skipped), axis))
    return out


def _mirrored(a, axis, mode, before, after):
    """reflect_type='odd': what is behind an edge lies on the other side of the edge's element too."""
    n = a.shape[axis]
    at = np.arange(before + n + after) - before
    if n == 1:
        return np.take(a, np.zeros_like(at), axis=axis)
    reach = n - 1 if mode == "reflect" else n
    first = np.take(a, [0], axis=axis)
    last = np.take(a, [n - 1], axis=axis)
    found = np.take(a, _positions(mode, n, before, after), axis=axis)
    along_axis = (-1,) + (1,) * (a.ndim - axis - 1)
    at = at.reshape(along_axis)
    near = np.where(at < 0, 2 * first - found, np.where(at >= n, 2 * last - found, found))
    # Over each further period the elements rise by twice what the last one is above the first. (Only there: infinite ends make NaN of it.)
    turns = at // (2 * reach)
    far = np.where(at % (2 * reach) >= n, 2 * last - found, found) + turns * (2 * last - 2 * first)
    return np.where((at >= -reach) & (at < n + reach), near, far).astype(a.dtype)


def _of_axes(widths, ndim):
    """The widths of a dict of axes."""
    pairs = ()
    for axis in tuple(range(ndim)):
        own = (0, 0)
        for key in (axis, axis - ndim):
            if key in widths:
                own = widths[key]
        pairs = pairs + (tuple(own) if isinstance(own, (tuple, list)) else (own, own),)
    return pairs


def _empty(a, widths):
    """With whatever is around the array."""
    return _around(a, widths, np.empty)


def _filled(a, widths, function, keywords):
    """With what a function stores into each line, one axis after the other."""
    out = _around(a, widths, np.zeros)
    for axis in tuple(range(a.ndim)):
        lines = np.moveaxis(out, axis, -1)
        for index in np.ndindex(lines.shape[:-1]):
            function(lines[index], widths[axis], axis, keywords)
    return out


def _around(a, widths, make):
    inside = ()
    shape = ()
    for k in tuple(range(a.ndim)):
        inside = inside + (slice(widths[k][0], widths[k][0] + a.shape[k]),)
        shape = shape + (widths[k][0] + a.shape[k] + widths[k][1],)
    out = make(shape, a.dtype)
    out[inside] = a
    return out


def _statistic(mode, part, axis, dtype):
    # Lines of no elements get none.
    if mode == "maximum":
        return np.max(part, axis=axis, keepdims=True, initial=_extreme(dtype, "min"))
    if mode == "minimum":
        return np.min(part, axis=axis, keepdims=True, initial=_extreme(dtype, "max"))
    found = np.mean(part, axis=axis, keepdims=True) if mode == "mean" else np.median(part, axis=axis, keepdims=True)
    return np.round(found) if dtype.kind in "iu" else found


def _extreme(dtype, which):
    """The least or the largest number of a dtype."""
    if dtype.kind == "b":
        return which == "max"
    if dtype.kind in "iu":
        return np.iinfo(dtype).max if which == "max" else np.iinfo(dtype).min
    return np.inf if which == "max" else -np.inf


def _chunk(n, length, mode):
    if length is None:
        return n
    if length == 0 and (mode == "maximum" or mode == "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    return min(length, n)


def _longer(a, axis, before, after):
    return np.empty(a.shape[:axis] + (before + a.shape[axis] + after,) + a.shape[axis + 1:], a.dtype)


def _put_between(out, a, axis, before, first, last):
    n = a.shape[axis]
    out[along(a.ndim, axis, slice(None, before))] = first
    out[along(a.ndim, axis, slice(before, before + n))] = a
    out[along(a.ndim, axis, slice(before + n, None))] = last


def _between(a, axis, before, after, first, last):
    """The array with what goes before and after it along an axis."""
    out = _longer(a, axis, before, after)
    _put_between(out, a, axis, before, first, last)
    return out


def _edge(a, axis, place):
    """The one element of each line at a place, or zero where lines have none."""
    return np.sum(a[along(a.ndim, axis, place)], axis=axis, dtype=a.dtype)


def _ramp(a, axis, width, end, edge):
    return np.linspace(end, edge, num=width, endpoint=False, dtype=a.dtype, axis=axis)


def _given(mode, name, value):
    if value is not np._NoValue and _ARGUMENTS[mode] != name:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {{'{name}'}}")


@implements(np.pad)
def pad(
    array, pad_width, mode="constant", *, constant_values=np._NoValue, end_values=np._NoValue, stat_length=np._NoValue, reflect_type=np._NoValue, **kwargs
):
    a = np.asarray(array)
    if isinstance(pad_width, dict):
        pad_width = _of_axes(pad_width, a.ndim)
    if np.asarray(pad_width).dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    widths = _lengths(pad_width, a.ndim)
    if not isinstance(mode, str):
        return _filled(a, widths, mode, kwargs)
    if mode not in _ARGUMENTS:
        raise ValueError(f"mode '{mode}' is not supported")
    _given(mode, "constant_values", constant_values)
    _given(mode, "end_values", end_values)
    _given(mode, "stat_length", stat_length)
    _given(mode, "reflect_type", reflect_type)
    if mode == "constant":
        return _constant(a, widths, 0 if constant_values is np._NoValue else constant_values)
    if mode == "empty":
        return _empty(a, widths)
    if a.ndim == 0:  # without axes nothing is added
        return a.copy()
    for k in tuple(range(a.ndim)):
        before, after = widths[k]
        if a.shape[k] == 0 and before + after > 0:
            raise ValueError(f"can't extend empty axis {k} using modes other than 'constant' or 'empty'")
    ends = _pairs(0 if end_values is np._NoValue else end_values, a.ndim)
    lengths = _lengths(None if stat_length is np._NoValue else stat_length, a.ndim)
    for k in tuple(range(a.ndim)):
        before, after = widths[k]
        n = a.shape[k]
        if mode == "linear_ramp":
            first = _ramp(a, k, before, ends[k][0], _edge(a, k, slice(None, 1)))
            last = _ramp(a, k, after, ends[k][1], _edge(a, k, slice(n - 1, None)))
            a = _between(a, k, before, after, first, np.flip(last, k))
        elif _ARGUMENTS[mode] == "stat_length":
            left = _chunk(n, lengths[k][0], mode)
            right = _chunk(n, lengths[k][1], mode)
            first = _statistic(mode, a[along(a.ndim, k, slice(None, left))], k, a.dtype)
            last = _statistic(mode, a[along(a.ndim, k, slice(n - right, None))], k, a.dtype)
            a = _between(a, k, before, after, first.astype(a.dtype), last.astype(a.dtype))
        elif reflect_type is not np._NoValue and reflect_type == "odd":
            a = _mirrored(a, k, mode, before, after)
        else:
            a = _repeated(a, k, mode, before, after)
    return a
