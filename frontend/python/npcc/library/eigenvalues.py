"""Eigenvalues of general matrices. Before NumPy 2.5 the results are real where all eigenvalues are: the dtype depends on the values."""

import numpy as np
from numpy.linalg._linalg import EigResult

from . import implements
from .routines import routine
from .stacks import check_squares, opened, real_dtype, unstacked


IS_REAL_WHERE_IT_CAN_BE = np.lib.NumpyVersion(np.__version__) < "2.5.0"


def _complex_of(dtype):
    return np.dtype(np.complex64) if real_dtype(dtype) == np.float32 else np.dtype(np.complex128)


def _opened(a):
    """The checked array, the dtype of the result, a stack of its matrices and room for their eigenvalues."""
    a = np.asarray(a)
    check_squares(a)
    if not np.all(np.isfinite(a)):
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")
    dtype, stack = opened(a)
    return a, dtype, stack, np.zeros((stack.shape[0], a.shape[-1]), np.complex128)


def _check_convergence(failed):
    if failed != 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")


def _can_be_real(dtype, values):
    return IS_REAL_WHERE_IT_CAN_BE and dtype.kind != "c" and np.all(values.imag == 0)


@implements(np.linalg.eig)
def eig(a):
    a, dtype, stack, values = _opened(a)
    vectors = np.zeros(stack.shape, np.complex128)
    _check_convergence(routine("eig", (), (stack, values, vectors)))
    values = values.reshape(a.shape[:-1])
    vectors = unstacked(vectors, a.shape)
    if _can_be_real(dtype, values):
        return EigResult(values.real.astype(dtype), vectors.real.astype(dtype))
    return EigResult(values.astype(_complex_of(dtype)), vectors.astype(_complex_of(dtype)))


@implements(np.linalg.eigvals)
def eigvals(a):
    a, dtype, stack, values = _opened(a)
    _check_convergence(routine("eigvals", (), (stack, values)))
    values = values.reshape(a.shape[:-1])
    if _can_be_real(dtype, values):
        return values.real.astype(dtype)
    return values.astype(_complex_of(dtype))


def complex_eigenvalues(a):
    """Those of scipy.linalg, whose dtype is complex whatever they are."""
    a, dtype, stack, values = _opened(a)
    _check_convergence(routine("eigvals", (), (stack, values)))
    return values.reshape(a.shape[:-1]).astype(_complex_of(dtype))
