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
    result = np.logical_or(np.logical_and(np.less_equal(np.abs(a - b), atol + rtol * np.abs(b)), np.isfinite(b)), np.equal(a, b))
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


def _numbers(x, nan, posinf, neginf):
    high = np.finfo(x.dtype).max if posinf is None else posinf
    low = np.finfo(x.dtype).min if neginf is None else neginf
    y = np.where(np.isnan(x), nan, x)
    y = np.where(x == np.inf, high, y)
    return np.where(x == -np.inf, low, y).astype(x.dtype)


@implements(np.nan_to_num)
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    x = np.asarray(x)
    if x.dtype.kind == "f" and np.asarray(nan).dtype.kind == "c":
        held = np.asarray(nan).dtype if not isinstance(nan, complex) else np.result_type(1j, x.dtype)
        raise TypeError(f"Cannot cast scalar from dtype('{held.name}') to dtype('{x.dtype.name}') according to the rule 'same_kind'")
    if x.dtype.kind not in "fc":
        result = x.copy()
    elif x.dtype.kind == "c":
        # Both parts are finite now: times 1j makes no NaN of them.
        result = (_numbers(x.real, nan, posinf, neginf) + _numbers(x.imag, nan, posinf, neginf) * 1j).astype(x.dtype)
    else:
        result = _numbers(x, nan, posinf, neginf)
    if not copy:
        x[...] = result
        return x
    if x.ndim == 0:
        return result[()]
    return result
