"""Histograms of several axes."""

import builtins

import numpy as np

from . import implements
from .counting import bincount, searchsorted
from .histograms import limits_of
from .shapes import product_of


def _columns(sample, bins, limits):
    """The coordinates, a line for each axis. How many there are must be known: of an array, the bins or the range say it."""
    if isinstance(sample, (tuple, list)) and len(sample) > 0 and np.ndim(sample[0]) > 0:
        dtype = np.result_type(*[np.asarray(line).dtype for line in sample])  # they are one array in NumPy
        return tuple([np.asarray(line).astype(dtype) for line in sample])
    sample = np.asarray(sample)
    if sample.ndim < 2:
        return (sample.reshape(-1),)
    if sample.ndim > 2:
        raise ValueError("too many values to unpack (expected 2)")
    count = len(bins) if isinstance(bins, (tuple, list)) else len(limits)
    if sample.shape[1] != count:
        if isinstance(bins, (tuple, list)):
            raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
        raise ValueError("range argument must have one entry per dimension")
    return tuple([sample[:, axis] for axis in tuple(range(count))])


def _for_each(bins, ndim):
    if isinstance(bins, (tuple, list)):
        return tuple(bins)
    if np.ndim(bins) == 0:
        return (bins,) * ndim
    if bins.shape[0] != ndim:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    return tuple([bins[axis] for axis in tuple(range(ndim))])


def _edges_of(line, bins, limits, axis):
    if np.ndim(bins) > 1:
        raise ValueError(f"`bins[{axis}]` must be a scalar or 1d array")
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError(f"`bins[{axis}]` must be monotonically increasing, when an array")
        return edges
    if bins < 1:
        raise ValueError(f"`bins[{axis}]` must be positive, when an integer")
    if np.asarray(bins).dtype.kind not in "iub":
        raise TypeError(f"`bins[{axis}]` must be an integer, when a scalar")
    low, high = limits_of(line, limits)
    return np.linspace(low, high, bins + 1)


@implements(np.histogramdd)
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if _says_no_count(sample, bins, range):
        points = np.asarray(sample)
        # The result has as many axes as the points have coordinates: it is a value of several types where their number is known at run time only.
        if points.shape[1] == 0:
            raise ValueError("object of too small depth for desired array")
        for count in (1, 2, 3, 4, 5):
            if points.shape[1] == count:
                return _histogram_of_lines(points, (bins,) * count, range, density, weights)
        raise NotImplementedError("numpy.histogramdd of points with more than 5 coordinates needs bins or a range for each of them in compiled code")
    return _histogram_of_lines(sample, bins, range, density, weights)


def _says_no_count(sample, bins, limits):
    """Whether neither the points, nor the bins, nor the range say how many coordinates there are."""
    if isinstance(bins, (tuple, list)) or np.ndim(bins) > 0 or limits is not None:
        return False
    if isinstance(sample, (tuple, list)) and len(sample) > 0 and np.ndim(sample[0]) > 0:
        return False
    return np.ndim(sample) == 2


def _histogram_of_lines(sample, bins, range, density, weights):
    lines = _columns(sample, bins, range)
    ndim = len(lines)
    every = _for_each(bins, ndim)
    if len(every) != ndim:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    limits = (None,) * ndim if range is None else tuple(range)
    if len(limits) != ndim:
        raise ValueError("range argument must have one entry per dimension")
    edges = ()
    shape = ()
    flat = np.int64(0)
    for axis in tuple(builtins.range(ndim)):
        own = _edges_of(lines[axis], every[axis], limits[axis], axis)
        count = own.shape[0]
        # Bin 0 and the last one are for what is outside; the last edge belongs to the bin before it.
        at = searchsorted(own, lines[axis], "right")
        at = np.where(lines[axis] == own[count - 1], at - 1, at)
        edges = edges + (own,)
        shape = shape + (count + 1,)
        flat = flat * (count + 1) + at
    counts = bincount(flat, weights, product_of(shape)).reshape(shape).astype(np.float64)
    inside = counts[(slice(1, -1),) * ndim]
    if density:
        total = np.sum(inside)
        for axis in tuple(builtins.range(ndim)):
            widths = np.diff(edges[axis])
            inside = inside / widths.reshape((1,) * axis + (-1,) + (1,) * (ndim - axis - 1))
        inside = inside / total
    else:
        inside = inside.copy()
    return inside, list(edges)


@implements(np.histogram2d)
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    x = np.asarray(x)
    y = np.asarray(y)
    if x.shape[0] != y.shape[0]:
        raise ValueError("x and y must have the same length.")
    if isinstance(bins, (tuple, list)):
        both = tuple(bins) if len(bins) == 2 else (np.asarray(bins),) * 2
    else:
        both = (bins,) * 2
    counts, edges = histogramdd((x, y), both, range, density, weights)
    return counts, edges[0], edges[1]
