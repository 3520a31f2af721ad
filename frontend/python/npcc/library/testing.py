"""Comparisons of whole arrays, and replacing what is not a number."""

import numpy as np

from . import implements


@implements(np.isclose)
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    # An inexact type: the absolute value of the least integer is none.
    if isinstance(b, (bool, int, float, complex)):
        b = b * 1.0
    else:
        b = np.asarray(b)
        b = b.astype(np.result_type(b.dtype, 1.0))
    result = np.logical_or(np.logical_and(np.less_equal(np.abs(a - b), atol + rtol * abs(b)), np.isfinite(b)), np.equal(a, b))
    if equal_nan:
        result = np.logical_or(result, np.logical_and(np.isnan(a), np.isnan(b)))
    return result


@implements(np.allclose)
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


@implements(np.array_equal)
def array_equal(a1, a2, equal_nan=False):
    a = np.asarray(a1)
    b = np.asarray(a2)
    if a.ndim != b.ndim:
        return False
    for k in tuple(range(a.ndim)):
        if a.shape[k] != b.shape[k]:
            return False
    same = np.equal(a, b)
    if equal_nan and a.dtype.kind in "fc" and b.dtype.kind in "fc":
        same = np.logical_or(same, np.logical_and(np.isnan(a), np.isnan(b)))
    return bool(np.all(same))


def _replace(x, nan, posinf, neginf):
    """In place, each number cast as numpy.copyto() casts it."""
    is_nan = np.isnan(x)
    above = x == np.inf
    below = x == -np.inf
    np.copyto(x, nan, where=is_nan)
    np.copyto(x, np.finfo(x.dtype).max if posinf is None else posinf, where=above)
    np.copyto(x, np.finfo(x.dtype).min if neginf is None else neginf, where=below)


@implements(np.nan_to_num)
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    y = np.array(x) if copy else np.asarray(x)
    if y.dtype.kind == "f":
        _replace(y, nan, posinf, neginf)
    if y.dtype.kind == "c":
        _replace(y.real, nan, posinf, neginf)
        _replace(y.imag, nan, posinf, neginf)
    if y.ndim == 0:
        return y[()]
    return y
