"""Histograms of one axis."""

import builtins

import numpy as np

from . import implements
from .bin_widths import ESTIMATORS
from .counting import searchsorted


@implements(np.histogram)
def histogram(a, bins=10, range=None, density=None, weights=None):
    if weights is not None and np.shape(weights) != np.shape(a):
        raise ValueError("weights should have the same shape as a.")
    a = np.asarray(a).ravel()
    if isinstance(bins, str) or np.ndim(bins) == 0:
        count = _count(a, bins, range, weights)
        edges = _edges(a, count, range)
        total = _uniform(a, edges, count, weights, range is None or edges.dtype == np.float64)
    else:
        edges = _given_edges(bins)
        total = _given(a, edges, weights)
    if density:
        widths = (edges[1:] - edges[:-1]).astype(np.float64)
        return total / widths / np.sum(total), edges
    return total, edges


def _given(a, edges, weights):
    counts = edges.shape[0] - 1
    w = np.ones((), np.int64) if weights is None else np.asarray(weights).ravel()
    total = np.zeros(max(counts, 0), w.dtype)
    if counts > 0:
        at = np.clip(searchsorted(edges, a, "right") - 1, 0, counts - 1)
        share = np.where(np.logical_and(a >= edges[0], a <= edges[counts]), w, np.zeros((), w.dtype))
        for i in builtins.range(a.shape[0]):
            total[at[i]] += share[i]
    return total


@implements(np.histogram_bin_edges)
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    if weights is not None and np.shape(weights) != np.shape(a):
        raise ValueError("weights should have the same shape as a.")
    if isinstance(bins, str) or np.ndim(bins) == 0:
        a = np.asarray(a).ravel()
        return _edges(a, _count(a, bins, range, weights), range)
    return _given_edges(bins)


def _given_edges(bins):
    edges = np.asarray(bins)
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    if np.any(edges[:-1] > edges[1:]):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def _count(a, bins, limits, weights):
    """How many bins of equal width: as given, or what an estimator says."""
    if not isinstance(bins, str):
        if np.asarray(bins).dtype.kind not in "iub":
            raise TypeError("`bins` must be an integer, a string, or an array")
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        return int(bins)
    if bins not in ESTIMATORS:
        raise ValueError(f"{bins!r} is not a valid estimator for `bins`")
    if weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    low, high = limits_of(a, limits)
    if limits is not None:
        a = a[(a >= low) & (a <= high)]
    width = 0.0
    if a.shape[0] > 0:
        width = float(ESTIMATORS[bins](a))
    if a.dtype.kind in "biu" and width > 0:
        width = max(width, 1.0)
    return int(np.ceil((high - low) / width)) if width != 0 else 1


def _uniform(a, edges, counts, weights, are_computed):
    """are_computed: the edges are the limits and multiples of a step, in their own dtype."""
    first = edges[0]
    last = edges[counts]
    i = 0
    n = a.shape[0]
    are_computed = are_computed and edges.dtype.kind == "f" and edges.dtype.itemsize >= 4
    if weights is None:
        total = np.zeros(counts, np.int64)
        if are_computed:
            for i in builtins.range(n):
                if (a[i] >= first) & (a[i] <= last):
                    total[_bin_by_arithmetic(a[i], first, last, counts, edges.dtype.type)] += 1
            return total
        while i < n:
            if a[i] >= first and a[i] <= last:
                total[_bin(a[i], edges, first, last, counts)] += 1
            i += 1
        return total
    w = np.asarray(weights).ravel()
    # What is outside goes into one more bin.
    if are_computed:
        at = np.empty(n, np.int64)
        for i in builtins.range(n):
            is_inside = (a[i] >= first) & (a[i] <= last)
            k = _bin_by_arithmetic(a[i] if is_inside else first, first, last, counts, edges.dtype.type)
            at[i] = k if is_inside else counts
    else:
        at = np.full(n, counts)
        while i < n:
            if a[i] >= first and a[i] <= last:
                at[i] = _bin(a[i], edges, first, last, counts)
            i += 1
    total = np.zeros(counts + 1, w.dtype if w.dtype.kind == "c" else np.float64)
    i = 0
    while i < n:
        total[at[i]] += w[i]
        i += 1
    return total[:counts].astype(w.dtype)


def _bin_by_arithmetic(x, first, last, counts, number):
    """_bin without branches and reads of edges, so that it is computed for several elements at a time. number: the dtype of the edges."""
    step = (last - first) / number(counts)
    k = min(np.int64((x - first) / (last - first) * counts), counts - 1)
    k = k - (x < (last if k == counts else number(k) * step + first))
    return k + ((k < counts - 1) & (x >= (last if k + 1 == counts else number(k + 1) * step + first)))


def _bin(x, edges, first, last, counts):
    at = min(np.int64((x - first) / (last - first) * counts), counts - 1)
    # Rounding may have put the element beside its bin.
    if x < edges[at]:
        at -= 1
    if at < counts - 1 and x >= edges[at + 1]:
        at += 1
    return at


def limits_of(a, limits):
    """The first and the last edge."""
    if limits is not None:
        low = limits[0] * 1.0
        high = limits[1] * 1.0
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ValueError(f"supplied range of [{limits[0]}, {limits[1]}] is not finite")
    elif a.shape[0] == 0:
        low = 0.0
        high = 1.0
    else:
        low = np.min(a) * 1.0
        high = np.max(a) * 1.0
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    if low == high:
        low = low - 0.5
        high = high + 0.5
    return low, high


def _edges(a, count, limits):
    low, high = limits_of(a, limits)
    edges = np.linspace(low, high, count + 1, dtype=a.dtype if a.dtype.kind == "f" else np.float64)
    if np.any(edges[:-1] >= edges[1:]):
        raise ValueError(f"Too many bins for data range. Cannot create {count} finite-sized bins.")
    return edges
