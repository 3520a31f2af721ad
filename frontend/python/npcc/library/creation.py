"""Ranges and grids."""

import numpy as np

from . import implements
from .axes import axis_index, check_integer
from .routines import stretched

# What numpy.meshgrid gives without copies where each array has one axis that is not 1.
IS_LIST_OF_VIEWS = np.lib.NumpyVersion(np.__version__) < "2.5.0"


@implements(np.linspace)
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    if isinstance(num, (float, np.floating)):
        raise TypeError(f"'{'numpy.' if isinstance(num, np.generic) else ''}{type(num).__name__}' object cannot be interpreted as an integer")
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    intervals = num - 1 if endpoint else num
    if isinstance(start, (list, tuple)):
        start = np.asarray(start)
    if isinstance(stop, (list, tuple)):
        stop = np.asarray(stop)
    kind = np.result_type(start, stop)
    if kind.kind in "biu":
        kind = np.dtype(np.float64)
    span = np.subtract(stop, start, dtype=kind)
    step = span / max(intervals, 1)
    position = np.arange(num).reshape((num,) + (1,) * span.ndim)
    y = position.astype(span.dtype) * step + start
    if endpoint:
        # Rounding leaves the last element beside `stop`. A single one is `start`.
        y = np.where(position == max(intervals, 1), stop, y)
    if dtype is None:
        y = y.astype(span.dtype)
    elif np.issubdtype(dtype, np.integer):
        y = np.floor(y).astype(dtype)
    else:
        y = y.astype(dtype)
    if axis != 0:
        y = np.moveaxis(y, 0, axis)
    if retstep:
        return y, np.where(intervals > 0, step, np.nan)[()]
    return y


@implements(np.logspace)
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    y = np.power(base, linspace(start, stop, num, endpoint, axis=axis))
    if dtype is not None:
        return y.astype(dtype)
    return y


@implements(np.geomspace)
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    start = np.asarray(start)
    stop = np.asarray(stop)
    if np.any(start == 0) or np.any(stop == 0):
        raise ValueError("Geometric sequence cannot include zero")
    kind = np.result_type(start.dtype, stop.dtype, np.float64 if dtype is None else dtype, 1.0)
    # Turned to where `start` is positive: that way negative numbers have logarithms, and complex ones none of noise.
    sign = np.sign(start.astype(kind))
    first = start.astype(kind) / sign
    last = stop.astype(kind) / sign
    y = logspace(np.log10(first), np.log10(last), num, endpoint, dtype=kind)
    position = np.arange(num).reshape((num,) + (1,) * (y.ndim - 1))
    # Logarithms and powers leave the ends beside what they are.
    y = np.where(position == 0, first, y)
    if endpoint:
        y = np.where(position == max(num - 1, 1), last, y)
    y = (y * sign).astype(kind if dtype is None else dtype)
    return y if axis == 0 else np.moveaxis(y, 0, axis)


@implements(np.meshgrid)
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    if indexing != "xy" and indexing != "ij":
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    n = len(xi)
    swapped = indexing == "xy" and n > 1
    parts = ()
    shape = ()
    for x in xi:
        part = np.asarray(x)
        if part.ndim != 1:
            part = part.ravel()
        parts = parts + (part,)
        shape = shape + (part.size,)
    if swapped:
        shape = (shape[1], shape[0]) + shape[2:]
    grids = ()
    for k in tuple(range(n)):
        at = 1 - k if swapped and k < 2 else k
        grid = parts[k][(None,) * at + (slice(None),) + (None,) * (n - at - 1)]
        if not sparse:
            grid = np.broadcast_to(grid, shape) if copy else stretched(grid, shape)
        grids = grids + (grid.copy() if copy else grid,)
    return list(grids) if sparse and not copy and IS_LIST_OF_VIEWS else grids


@implements(np.indices)
def indices(dimensions, dtype=int, sparse=False):
    n = len(dimensions)
    if sparse:
        grids = ()
        for k in tuple(range(n)):
            grids = grids + (np.arange(dimensions[k], dtype=dtype).reshape((1,) * k + (dimensions[k],) + (1,) * (n - k - 1)),)
        return grids
    out = np.empty((n,) + tuple(dimensions), dtype)
    for k in tuple(range(n)):
        out[k] = np.arange(dimensions[k], dtype=dtype).reshape((dimensions[k],) + (1,) * (n - k - 1))
    return out


@implements(np.fromfunction)
def fromfunction(function, shape, *, dtype=float, **kwargs):
    if isinstance(shape, str):
        raise TypeError("'str' object cannot be interpreted as an integer")
    if isinstance(shape, (int, float, complex, np.number)) or shape is None:
        raise TypeError(f"'{type(shape).__name__}' object is not iterable")
    n = len(shape)
    for extent in shape:
        if extent < 0:
            raise ValueError("negative dimensions are not allowed")
    grids = ()
    for k in tuple(range(n)):
        line = np.arange(shape[k]).astype(dtype) if np.dtype(dtype).kind == "c" else np.arange(shape[k], dtype=dtype)
        grid = line.reshape((shape[k],) + (1,) * (n - k - 1))
        grids = grids + (np.broadcast_to(grid, shape),)
    return function(*grids, **kwargs)


@implements(np.tri)
def tri(N, M=None, k=0, dtype=float):
    check_integer(k, "k")
    columns = N if M is None else M
    return (np.arange(columns) <= np.arange(N)[:, None] + k).astype(dtype)


@implements(np.vander)
def vander(x, N=None, increasing=False):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    n = x.shape[0] if N is None else N
    out = np.ones((x.shape[0], n), np.result_type(x.dtype, np.int64))
    columns = out if increasing else out[:, ::-1]
    if n > 1:
        line = x.astype(out.dtype).reshape((x.shape[0], 1))
        columns[:, 1:] = np.multiply.accumulate(np.broadcast_to(line, (x.shape[0], n - 1)), axis=1)
    return out
