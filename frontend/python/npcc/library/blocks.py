"""Arrays put together as lists of lists or as subscripts say: numpy.block, numpy.r_ and numpy.c_."""

import numpy as np

from . import implements
from .joining import concatenate


def _depth(arrays, place="arrays"):
    """How deep the lists are, with NumPy's errors for those that are not alike."""
    if isinstance(arrays, tuple):
        raise TypeError(f"{place} is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit conversion from "
                        "tuple to ndarray.")
    if not isinstance(arrays, list):
        return 0
    if len(arrays) == 0:
        return 1
    depth = _depth(arrays[0], f"{place}[0]")
    for k in tuple(range(1, len(arrays))):
        other = _depth(arrays[k], f"{place}[{k}]")
        if other != depth:
            first = f"{place}[{k}]" + "[0]" * other
            raise ValueError("List depths are mismatched. First element was at depth "
                             f"{place.count('[') + depth + 1}, but there is an element at depth {place.count('[') + other + 1} ({first})")
    return depth + 1


def _last_empty(arrays, place="arrays"):
    """Where the last list is that holds nothing; None if there is none."""
    if not isinstance(arrays, list):
        return None
    found = place if len(arrays) == 0 else None
    for k in tuple(range(len(arrays))):
        inside = _last_empty(arrays[k], f"{place}[{k}]")
        found = found if inside is None else inside
    return found


def _most_axes(arrays):
    if not isinstance(arrays, list):
        return np.ndim(arrays)
    most = 0
    for one in arrays:
        most = max(most, _most_axes(one))
    return most


def _widened(a, ndim):
    a = np.asarray(a)
    return a.reshape((1,) * (ndim - a.ndim) + a.shape)


def _joined(arrays, depth, ndim):
    if depth == 0:
        return _widened(arrays, ndim)
    return concatenate([_joined(one, depth - 1, ndim) for one in arrays], -depth)


@implements(np.block)
def block(arrays):
    depth = _depth(arrays)
    empty = _last_empty(arrays)
    if empty is not None:
        raise ValueError(f"List at {empty} cannot be empty")
    joined = _joined(arrays, depth, max(depth, _most_axes(arrays)))
    return np.array(joined) if depth == 0 else joined


def _line(key):
    """The numbers that a slice in a subscript stands for."""
    start = 0 if key.start is None else key.start
    step = 1 if key.step is None else key.step
    if isinstance(step, complex):
        return np.linspace(start, key.stop, num=int(abs(step)))
    return np.arange(start, key.stop, step)


def _directive(text, axis, ndmin, place):
    """'axis', 'axis,ndmin' or 'axis,ndmin,place' before the arrays."""
    if text in ("r", "c"):
        raise NotImplementedError("numpy.matrix cannot be compiled")
    numbers = [int(part) for part in text.split(",")]
    return (numbers + [ndmin, place][len(numbers) - 1:])[:3]


def _with_axes(a, ndmin, place):
    """With axes of extent 1 up to `ndmin`, before or behind its own as `place` says where those begin."""
    more = ndmin - a.ndim
    if more <= 0:
        return a
    before = place if place >= 0 else place + more + 1
    return a.reshape((1,) * before + a.shape + (1,) * (more - before))


def _concatenated(key, axis, ndmin, place):
    items = key if isinstance(key, tuple) else (key,)
    if len(items) > 0 and isinstance(items[0], str):
        axis, ndmin, place = _directive(items[0], axis, ndmin, place)
        items = items[1:]
    parts = ()
    kinds = ()
    for item in items:
        if isinstance(item, str):
            raise ValueError("special directives must be the first entry.")
        if isinstance(item, slice):
            line = _line(item)
            parts = parts + (_with_axes(line, ndmin, place),)
            kinds = kinds + (line.dtype,)
        elif isinstance(item, (int, float, complex, np.generic)):
            parts = parts + (np.asarray(item).reshape((1,) * ndmin),)
            kinds = kinds + (item,)
        else:
            a = np.asarray(item)
            parts = parts + (_with_axes(a, ndmin, place),)
            kinds = kinds + (a.dtype,)
    if len(parts) == 0:
        raise ValueError("need at least one array to concatenate")
    dtype = np.result_type(*kinds)
    return concatenate(tuple([part.astype(dtype) for part in parts]), axis)


@implements(np.r_)
def r_(key):
    return _concatenated(key, 0, 1, -1)


@implements(np.c_)
def c_(key):
    return _concatenated(key, -1, 2, 0)
