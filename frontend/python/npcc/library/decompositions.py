"""numpy.linalg's functions of square matrices that are LAPACK's: factors, equations, determinants."""

import numpy as np
from numpy.linalg._linalg import EighResult, SlogdetResult

from . import implements, small_matrices
from .routines import planned, routine
from .stacks import as_rows, check_squares, check_supported, stacked, unstacked

MOST_ROWS_TO_SOLVE = 32  # of matrices that the routine "solve_rows" (runtime/LinearAlgebra.h) reads where they are


def _computed(a):
    """The array with the dtype that LAPACK computes in."""
    a = np.asarray(a)
    check_supported(a)
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        return a
    return a.astype(np.float64)


def _squares(a):
    a = np.asarray(a)
    check_squares(a)
    return _computed(a)


@implements(np.linalg.cholesky)
def cholesky(a, /, *, upper=False):
    a = _squares(a)
    factor = _lower_factor(np.conjugate(np.swapaxes(a, -1, -2)) if upper else a)
    return np.conjugate(np.swapaxes(factor, -1, -2)) if upper else factor


def _lower_factor(a):
    for n in small_matrices.SIZES:
        if small_matrices.has_rows(a, n):
            return small_matrices.cholesky_factor(a, n)
    stack = stacked(a)
    if routine("cholesky", (), (stack,)) != 0:
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    return np.tril(unstacked(stack, a.shape))


def _solved(a, b, complaint="Singular matrix"):
    """a and b of one dtype and equal leading extents. A singular matrix is an error; without words for it the result is NaN there."""
    result = stacked(b)
    if planned(a.shape[-1] <= MOST_ROWS_TO_SOLVE, "matrices of up to 32 rows"):
        failed = routine("solve_rows", (as_rows(a),), (result,))
    else:
        failed = routine("solve", (), (stacked(a), result))
    if complaint is not None and failed != 0:
        raise np.linalg.LinAlgError(complaint)
    return unstacked(result, b.shape)


@implements(np.linalg.inv)
def inv(a):
    return inverse(a)


def inverse(a, complaint="Singular matrix"):
    a = _squares(a)
    for n in small_matrices.SIZES:
        if small_matrices.has_rows(a, n):
            return small_matrices.inverse(a, n, complaint)
    return inverses(a, complaint)


def inverses(a, complaint=None):
    return _solved(a, np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape), complaint)


@implements(np.linalg.solve)
def solve(a, b):
    return solution(a, b)


def solution(a, b, complaint="Singular matrix"):
    a = _squares(a)
    b = _computed(b)
    dtype = np.result_type(a, b)
    is_vector = b.ndim == 1
    if b.ndim == 0:
        raise ValueError("solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature (m,m),(m,n)->(m,n) requires 2)")
    columns = b[:, None] if is_vector else b
    if a.shape[-1] != columns.shape[-2]:
        raise ValueError(
            f"solve{'1' if is_vector else ''}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(m,m),{'(m)->(m)' if is_vector else '(m,n)->(m,n)'} (size {columns.shape[-2]} is different from {a.shape[-1]})"
        )
    a = a if a.dtype == dtype else a.astype(dtype)
    columns = columns.astype(dtype)
    if a.ndim > 2 or columns.ndim > 2:
        batch = (np.any(a, axis=(-2, -1)) | np.any(columns, axis=(-2, -1))).shape
        a = np.broadcast_to(a, batch + a.shape[-2:])
        columns = np.broadcast_to(columns, batch + columns.shape[-2:])
    x = _solution(a, columns, complaint)
    return x[..., 0] if is_vector else x


def _solution(a, columns, complaint):
    for n in small_matrices.SIZES:
        if small_matrices.has_rows(a, n):
            return small_matrices.solution(a, columns, n, complaint)
    return _solved(a, columns, complaint)


@implements(np.linalg.slogdet)
def slogdet(a):
    a = _squares(a)
    stack = stacked(a)
    parity = np.ones((stack.shape[0], 1), a.dtype)  # what a matrix of no rows has
    routine("lu", (), (stack, parity))
    diagonal = np.diagonal(stack, axis1=-2, axis2=-1)
    size = np.abs(diagonal)
    if a.dtype.kind == "c":
        signs = np.where(size == 0, 0, diagonal / np.where(size == 0, 1, size))
    else:
        signs = np.where(size == 0, 0, np.where(diagonal < 0, -1, 1)).astype(a.dtype)  # a NaN has none
    sign = parity[:, 0] * np.prod(signs, axis=-1)
    logarithm = np.sum(np.log(size), axis=-1)
    if a.ndim == 2:
        return SlogdetResult(sign[0], logarithm[0])
    return SlogdetResult(sign.reshape(a.shape[:-2]), logarithm.reshape(a.shape[:-2]))


@implements(np.linalg.det)
def det(a):
    a = _squares(a)
    for n in small_matrices.SIZES:
        if small_matrices.has_rows(a, n):
            return small_matrices.determinant(a, n)
    sign, logarithm = slogdet(a)
    return sign * np.exp(logarithm)


def _eigen(a, uplo, name):
    if uplo != "L" and uplo != "U" and uplo != "l" and uplo != "u":
        raise ValueError("UPLO argument must be 'L' or 'U'")
    a = _squares(a)
    stack = stacked(a)
    if uplo == "U" or uplo == "u":
        name = name + "_upper"
    values = np.empty((stack.shape[0], a.shape[-1]), np.abs(stack).dtype)
    if routine(name, (), (stack, values)) != 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    return values.reshape(a.shape[:-1]), unstacked(stack, a.shape)


@implements(np.linalg.eigh)
def eigh(a, UPLO="L"):
    values, vectors = _eigen(a, UPLO, "eigh")
    return EighResult(values, vectors)


def host_eigh(a):
    """numpy.linalg.eigh by the host's LAPACK also on a GPU: its choice of signs goes into random numbers."""
    return _eigen(a, "L", "host.eigh")


@implements(np.linalg.eigvalsh)
def eigvalsh(a, UPLO="L"):
    return _eigen(a, UPLO, "eigvalsh")[0]
