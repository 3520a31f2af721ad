"""Convolution: a sum of shifted products, with no array of all of them."""

import numpy as np

from . import implements


def _slide(a, v, mode):
    """sum(a[n + k] * v[k]) over k, for each n of the mode."""
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError("object too deep for desired array")
    kind = np.result_type(a.dtype, v.dtype)
    n = a.shape[0]
    m = v.shape[0]
    if mode == "full":
        before = m - 1
        count = n + m - 1
    elif mode == "same":
        before = m // 2
        count = max(n, m)
    elif mode == "valid":
        before = 0
        count = max(n, m) - min(n, m) + 1
    else:
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    padded = np.zeros(count + m - 1, kind)
    padded[before:before + n] = a
    out = np.zeros(count, kind)
    for k in range(m):
        out += padded[k:k + count] * v[k]
    return out


@implements(np.convolve)
def convolve(a, v, mode="full"):
    a = np.atleast_1d(a)
    v = np.atleast_1d(v)
    if a.shape[0] == 0:
        raise ValueError("a cannot be empty")
    if v.shape[0] == 0:
        raise ValueError("v cannot be empty")
    if a.shape[0] < v.shape[0]:
        return _slide(v, a[::-1], mode)
    return _slide(a, v[::-1], mode)


@implements(np.interp)
def interp(x, xp, fp, left=None, right=None):
    x = np.asarray(x).astype(np.float64)
    xp = np.asarray(xp).astype(np.float64)
    fp = np.asarray(fp).astype(np.float64)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("object too deep for desired array")
    if xp.shape[0] != fp.shape[0]:
        raise ValueError("fp and xp are not of the same length.")
    if xp.shape[0] == 0:
        raise ValueError("array of sample points is empty")
    n = xp.shape[0]
    # How many sample points are not above x, less one: the interval's left end.
    j = np.sum(x.reshape(x.shape + (1,)) >= xp, axis=-1) - 1
    low = np.clip(j, 0, max(n - 2, 0))
    high = np.minimum(low + 1, n - 1)
    x0 = xp[low]
    f0 = fp[low]
    slope = np.where(high > low, (fp[high] - f0) / np.where(high > low, xp[high] - x0, 1.0), 0.0)
    y = np.where(x == xp[high], fp[high], slope * (x - x0) + f0)
    y = np.where(x < xp[0], fp[0] if left is None else left, y)
    y = np.where(x > xp[n - 1], fp[n - 1] if right is None else right, y)
    return np.where(np.isnan(x), x, y)
