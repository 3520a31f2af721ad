"""Convolution: a sum of shifted products, with no array of all of them."""

import numpy as np

from . import implements


def _slide(a, v, mode):
    """sum(a[n + k] * v[k]) over k, for each n of the mode; v is not longer than a."""
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError("object too deep for desired array")
    kind = np.result_type(a.dtype, v.dtype)
    n = a.shape[0]
    m = v.shape[0]
    if isinstance(mode, int) and 0 <= mode <= 2:
        mode = ("valid", "same", "full")[mode]
    if mode == "valid":
        return _add(np.lib.stride_tricks.sliding_window_view(a, m) * v, kind)
    if mode != "full" and mode != "same":
        if isinstance(mode, int):
            raise ValueError("integer convolve/correlate mode must be 0, 1, or 2")
        if not isinstance(mode, str):
            raise TypeError("convolve/correlate mode not understood")
        if mode[:1].lower() in ("v", "s", "f"):
            raise ValueError("Use one of 'valid', 'same', or 'full' for convolve/correlate mode")
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    full = np.empty(n + m - 1, kind)
    full[m - 1:n] = _add(np.lib.stride_tricks.sliding_window_view(a, m) * v, kind)
    for k in range(m - 1):  # where the window hangs over the ends
        full[k] = _add(a[:k + 1] * v[m - 1 - k:], kind)
        full[n + k] = _add(a[n - m + 1 + k:] * v[:m - 1 - k], kind)
    if mode == "full":
        return full
    first = m - 1 - m // 2
    return full[first:first + n].copy()


def _add(terms, kind):
    if kind.kind == "b":
        return terms.any(axis=-1)
    return terms.sum(axis=-1, dtype=kind)


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


@implements(np.correlate)
def correlate(a, v, mode="valid"):
    a = np.asarray(a)
    v = np.asarray(v)
    if a.ndim == 0 or v.ndim == 0:
        raise ValueError("object of too small depth for desired array")
    if a.shape[0] == 0:
        raise ValueError("first array argument cannot be empty")
    if v.shape[0] == 0:
        raise ValueError("second array argument cannot be empty")
    if v.dtype.kind == "c":
        v = np.conjugate(v)
    if a.shape[0] < v.shape[0]:
        # Exchanging the two turns the result around.
        return _slide(v, a, mode)[::-1].copy()
    return _slide(a, v, mode)
