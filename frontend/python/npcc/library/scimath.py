"""numpy.emath: functions that are complex where an element needs it, so that the values say the dtype of the result."""

import numpy as np

from . import implements


def _complex_of(x):
    x = np.asarray(x)
    narrow = x.dtype == np.float32 or (x.dtype.kind in "iu" and x.dtype.itemsize <= 2)
    return x.astype(np.complex64 if narrow else np.complex128)[()]


def _negative(x):
    """Whether any element of a real array is less than zero."""
    if isinstance(x, (int, float)):
        return x < 0
    x = np.asarray(x)
    return bool(np.any(x < 0)) if x.dtype.kind in "iuf" else False


def _outside(x):
    if isinstance(x, (int, float)):
        return x < -1 or x > 1
    x = np.asarray(x)
    return bool(np.any(np.abs(x) > 1)) if x.dtype.kind in "iuf" else False


@implements(np.emath.sqrt)
def sqrt(x):
    if _negative(x):
        return np.sqrt(_complex_of(x))
    return np.sqrt(x)


@implements(np.emath.log)
def log(x):
    if _negative(x):
        return np.log(_complex_of(x))
    return np.log(x)


@implements(np.emath.log10)
def log10(x):
    if _negative(x):
        return np.log10(_complex_of(x))
    return np.log10(x)


@implements(np.emath.log2)
def log2(x):
    if _negative(x):
        return np.log2(_complex_of(x))
    return np.log2(x)


@implements(np.emath.logn)
def logn(n, x):
    return log(x) / log(n)


@implements(np.emath.power)
def power(x, p):
    # Negative integers are floats as exponents; a number has the dtype of an array of it.
    if _negative(p):
        return _power(x, np.asarray(p) * 1.0)
    return _power(x, np.asarray(p))


def _power(x, p):
    if _negative(x):
        return np.power(_complex_of(x), p)
    return np.power(np.asarray(x), p)


@implements(np.emath.arccos)
def arccos(x):
    if _outside(x):
        return np.arccos(_complex_of(x))
    return np.arccos(x)


@implements(np.emath.arcsin)
def arcsin(x):
    if _outside(x):
        return np.arcsin(_complex_of(x))
    return np.arcsin(x)


@implements(np.emath.arctanh)
def arctanh(x):
    if _outside(x):
        return np.arctanh(_complex_of(x))
    return np.arctanh(x)
