"""Grids of coordinates: objects that are subscripted with slices, which are their arguments here."""

import math

import numpy as np

from . import implements


def bounds(key):
    """Start, number of points and step of one slice; a complex step counts the points, both ends included."""
    start = 0 if key.start is None else key.start
    step = 1 if key.step is None else key.step
    if isinstance(step, complex):
        count = int(abs(step))
        return start, count, (key.stop - start) / float(count - 1) if count != 1 else 1
    return start, math.ceil((key.stop - start) / step), step


def coordinates(key, dtype):
    start, count, step = bounds(key)
    return np.arange(count, dtype=dtype) * step + start


def common_dtype(key):
    kinds = (0,)
    for one in key:
        start = 0 if one.start is None else one.start
        step = 1 if one.step is None else one.step
        kinds = kinds + (start, one.stop, abs(step) if isinstance(step, complex) else step)
    return np.result_type(*kinds)


@implements(np.ogrid)
def ogrid(key):
    if isinstance(key, slice):
        if isinstance(key.step, complex):
            return coordinates(key, float)
        return np.arange(0 if key.start is None else key.start, key.stop, 1 if key.step is None else key.step)
    dtype = common_dtype(key)
    grids = ()
    for axis in tuple(range(len(key))):
        line = coordinates(key[axis], dtype)
        grids = grids + (line.reshape((1,) * axis + line.shape + (1,) * (len(key) - axis - 1)),)
    return grids


@implements(np.mgrid)
def mgrid(key):
    if isinstance(key, slice):
        return ogrid(key)
    dtype = common_dtype(key)
    shape = ()
    for one in key:
        shape = shape + (bounds(one)[1],)
    out = np.empty((len(key),) + shape, dtype)
    for axis in tuple(range(len(key))):
        out[axis] = coordinates(key[axis], dtype).reshape((shape[axis],) + (1,) * (len(key) - axis - 1))
    return out
