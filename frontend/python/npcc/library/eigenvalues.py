"""Eigenvalues of general matrices. Before NumPy 2.5 the results are real where all eigenvalues are: the dtype depends on the values."""

import numpy as np
from numpy.linalg._linalg import EigResult

from . import implements
from .routines import routine
from .stacks import check_squares, computed_dtype, real_dtype, result_dtype, stacked, unstacked


IS_REAL_WHERE_IT_CAN_BE = np.lib.NumpyVersion(np.__version__) < "2.5.0"


def _complex_of(dtype):
    return np.dtype(np.complex64) if real_dtype(dtype) == np.float32 else np.dtype(np.complex128)


def _checked(a):
    a = np.asarray(a)
    check_squares(a)
    if not np.all(np.isfinite(a)):
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")
    return a


def _check_convergence(failed):
    if failed != 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")


@implements(np.linalg.eig)
def eig(a):
    a = _checked(a)
    dtype = result_dtype(a)
    stack = stacked(a, computed_dtype(dtype))
    values = np.zeros((stack.shape[0], a.shape[-1]), np.complex128)
    vectors = np.zeros(stack.shape, np.complex128)
    _check_convergence(routine("eig", (), (stack, values, vectors)))
    values = values.reshape(a.shape[:-1])
    vectors = unstacked(vectors, a.shape)
    if IS_REAL_WHERE_IT_CAN_BE and dtype.kind != "c" and np.all(values.imag == 0):
        return EigResult(values.real.astype(dtype), vectors.real.astype(dtype))
    return EigResult(values.astype(_complex_of(dtype)), vectors.astype(_complex_of(dtype)))


@implements(np.linalg.eigvals)
def eigvals(a):
    a = _checked(a)
    dtype = result_dtype(a)
    stack = stacked(a, computed_dtype(dtype))
    values = np.zeros((stack.shape[0], a.shape[-1]), np.complex128)
    _check_convergence(routine("eigvals", (), (stack, values)))
    values = values.reshape(a.shape[:-1])
    if IS_REAL_WHERE_IT_CAN_BE and dtype.kind != "c" and np.all(values.imag == 0):
        return values.real.astype(dtype)
    return values.astype(_complex_of(dtype))
