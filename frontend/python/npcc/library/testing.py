"""Comparisons of whole arrays."""

import numpy as np

from . import implements


@implements(np.isclose)
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a = np.asarray(a)
    b = np.asarray(b)
    near = np.logical_and(np.abs(a - b) <= atol + rtol * np.abs(b), np.isfinite(b))
    result = np.logical_or(near, a == b)
    if equal_nan:
        result = np.logical_or(result, np.logical_and(np.isnan(a), np.isnan(b)))
    return result


@implements(np.allclose)
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


@implements(np.nan_to_num)
def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    x = np.asarray(x)
    if x.dtype.kind != "f":
        return x.copy()
    high = np.finfo(x.dtype).max if posinf is None else posinf
    low = np.finfo(x.dtype).min if neginf is None else neginf
    y = np.where(np.isnan(x), nan, x)
    y = np.where(y == np.inf, high, y)
    return np.where(y == -np.inf, low, y)
