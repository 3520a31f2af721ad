"""Ranges and grids."""

import numpy as np

from . import implements


@implements(np.linspace)
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    intervals = num - 1 if endpoint else num
    span = stop - start
    step = span / max(intervals, 1)
    i = np.arange(num).astype(np.float64)
    y = i * step + start
    if endpoint and num > 1:
        y[-1] = stop
    if dtype is not None:
        y = y.astype(dtype)
    if retstep:
        return y, step
    return y


@implements(np.logspace)
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None):
    y = np.power(base, linspace(start, stop, num, endpoint))
    if dtype is not None:
        return y.astype(dtype)
    return y


@implements(np.meshgrid)
def meshgrid(*xi, indexing="xy"):
    n = len(xi)
    shape = ()
    for x in xi:
        shape = shape + (np.asarray(x).size,)
    if indexing == "xy" and n > 1:
        shape = (shape[1], shape[0]) + shape[2:]
    grids = ()
    for k in range(n):
        at = k
        if indexing == "xy" and n > 1 and k < 2:
            at = 1 - k
        x = np.asarray(xi[k])
        grids = grids + (np.broadcast_to(x.reshape((1,) * at + (x.size,) + (1,) * (n - at - 1)), shape).copy(),)
    return grids


@implements(np.tri)
def tri(N, M=None, k=0, dtype=float):
    columns = N if M is None else M
    return (np.arange(columns) <= np.arange(N).reshape((N, 1)) + k).astype(dtype)
