"""What arrays and their dtypes are: tests of elements, of kinds, and of layouts."""

import numpy as np

from . import implements


@implements(np.iscomplex)
def iscomplex(x):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        return x.imag != 0
    return np.zeros(x.shape, bool)[()]


@implements(np.isreal)
def isreal(x):
    return np.imag(x) == 0


def _infinite(x, out, name, wanted):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise TypeError(f"This operation is not supported for {x.dtype} values because it would be ambiguous.")
    # NumPy's errors of an output name two operands of this shape.
    return np.logical_and(np.isinf(x), x > 0 if wanted > 0 else x < 0, out=out)


@implements(np.isposinf)
def isposinf(x, out=None):
    return _infinite(x, out, "isposinf", np.inf)


@implements(np.isneginf)
def isneginf(x, out=None):
    return _infinite(x, out, "isneginf", -np.inf)


@implements(np.iterable)
def iterable(y):
    if isinstance(y, (tuple, list, str, dict)):
        return True
    if isinstance(y, np.ndarray):
        return y.ndim > 0
    return False


@implements(np.common_type)
def common_type(*arrays):
    dtype = np.float16
    for a in arrays:
        kind = a.dtype.kind
        if kind == "b":
            raise TypeError("can't get common type for non-numeric array")
        dtype = np.result_type(dtype, np.float64 if kind in "iu" else a.dtype)
    return dtype.type if isinstance(dtype, np.dtype) else dtype


@implements(np.array_equiv)
def array_equiv(a1, a2):
    a = np.asarray(a1)
    b = np.asarray(a2)
    for k in tuple(range(1, min(a.ndim, b.ndim) + 1)):
        if a.shape[-k] != b.shape[-k] and a.shape[-k] != 1 and b.shape[-k] != 1:
            return False
    return bool(np.all(a == b))


@implements(np.asarray_chkfinite)
def asarray_chkfinite(a, dtype=None, order=None):
    a = np.asarray(a, dtype=dtype, order=order)
    if a.dtype.kind in "fc":
        if not np.all(np.isfinite(a)):
            raise ValueError("array must not contain infs or NaNs")
    return a
