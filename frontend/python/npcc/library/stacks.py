"""Matrices as the routines of linear algebra take them: stacks, each matrix column by column, and NumPy's checks of them."""

import numpy as np


def check_supported(a):
    if a.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")


def check_stacked(a):
    if a.ndim < 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")


def check_squares(a):
    check_stacked(a)
    if a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def check_matrix(a):
    if a.ndim != 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")


def result_dtype(a):
    """The dtype that NumPy gives: integers are float64."""
    check_supported(a)
    return a.dtype if a.dtype.kind in "fc" else np.dtype(np.float64)


def real_dtype(dtype):
    if dtype == np.complex64:
        return np.dtype(np.float32)
    return np.dtype(np.float64) if dtype == np.complex128 else dtype


def computed_dtype(dtype):
    """The dtype that NumPy computes in: double precision always."""
    return np.dtype(np.complex128) if dtype.kind == "c" else np.dtype(np.float64)


def count_of(shape):
    count = 1
    for extent in shape:
        count = count * extent
    return count


def stacked(a, dtype=None):
    """A new array: the matrices one after the other, each column by column."""
    columns = np.swapaxes(a, -1, -2)
    if a.ndim != 3:  # else it is a stack as it is
        columns = columns.reshape((count_of(a.shape[:-2]), a.shape[-1], a.shape[-2]))
    return np.array(columns, a.dtype if dtype is None else dtype, order="C")


def as_rows(a):
    """The same row by row, which may be the array itself."""
    if a.ndim == 3:
        return np.ascontiguousarray(a)
    return np.ascontiguousarray(a).reshape((count_of(a.shape[:-2]), a.shape[-2], a.shape[-1]))


def opened(a):
    """The dtype of the result, and a stack of the matrices in the dtype that NumPy computes in, for a routine to overwrite."""
    check_stacked(a)
    dtype = result_dtype(a)
    return dtype, stacked(a, computed_dtype(dtype))


def unstacked(stack, shape):
    """The stack as matrices of the last two extents of `shape`."""
    if len(shape) == 3:
        return np.swapaxes(stack, -1, -2)
    return np.swapaxes(stack.reshape(shape[:-2] + (shape[-1], shape[-2])), -1, -2)
