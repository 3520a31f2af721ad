"""scipy.linalg: what it has beside numpy.linalg, or with other results. Of its options those are here that decide the result; what says how it is computed
(overwrite_a, check_finite, lapack_driver) changes nothing."""
import numpy as np

from . import implements_of
from .decompositions import inverse, solution
from .decompositions import solve as numpy_solve
from .eigenvalues import complex_eigenvalues
from .norms import norm as numpy_norm
from .stacks import check_matrix, check_squares, result_dtype

_LINALG = implements_of("scipy.linalg")
_SINGULAR = "A singular matrix detected: slice(s) [0] are singular."


def _matrix(a):
    a = np.asarray(a)
    return a.astype(result_dtype(a))


@_LINALG
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    a = np.asarray(a)
    if assume_a == "pos" or assume_a == "sym" or assume_a == "her":
        part = np.tril(a) if lower else np.triu(a)
        other = part.T if assume_a == "sym" else np.conjugate(part.T)
        a = part + other - np.diag(np.diagonal(part))
    a = a.T if transposed else a
    return solution(a, b, _SINGULAR) if a.ndim == 2 else numpy_solve(a, b)


@_LINALG
def inv(a, overwrite_a=False, check_finite=True):
    a = np.asarray(a)
    return inverse(a, _SINGULAR) if a.ndim == 2 else np.linalg.inv(a)


@_LINALG
def det(a, overwrite_a=False, check_finite=True):
    a = _matrix(a)
    return np.linalg.det(a).astype(np.complex128 if a.dtype.kind == "c" else np.float64)


@_LINALG
def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    a = _matrix(a)
    result = numpy_norm(a, ord, axis, keepdims)
    is_of_blas = axis is None and not keepdims and (a.ndim == 1 and (ord is None or ord == 2) or a.ndim == 2 and (ord == 1 or ord == np.inf))
    return float(result) if is_of_blas else result


@_LINALG
def pinv(a, atol=None, rtol=None, return_rank=False, check_finite=True):
    if atol is not None or return_rank:
        raise NotImplementedError("scipy.linalg.pinv with atol or return_rank cannot be compiled")
    a = _matrix(a)
    return np.linalg.pinv(a, max(a.shape[-2], a.shape[-1]) * np.finfo(a.dtype).eps if rtol is None else rtol)


@_LINALG
def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    a = np.asarray(a)
    if a.ndim == 2 and a.shape[0] != a.shape[1]:
        raise ValueError(f"Input array is expected to be square but has the shape: {a.shape}.")
    # NumPy's reads the lower triangle, and scipy's the one that it gives.
    return np.linalg.cholesky(a) if lower else np.linalg.cholesky(np.conjugate(np.swapaxes(a, -1, -2)), upper=True)


@_LINALG
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    a = _matrix(a)
    factor = cholesky(a, lower)
    return np.where(np.tri(a.shape[0], dtype=bool) if lower else np.tri(a.shape[0], dtype=bool).T, factor, a), lower


@_LINALG
def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    factor = np.tril(c) if lower else np.conjugate(np.triu(c).T)
    return numpy_solve(np.conjugate(factor.T), numpy_solve(factor, b))


@_LINALG
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    a = np.asarray(a)
    b = np.asarray(b)
    if a.ndim == 2 and a.shape[0] != a.shape[1]:
        raise ValueError("expected square matrix")
    if a.ndim == 2 and b.ndim <= 2 and a.shape[0] != b.shape[0]:
        raise ValueError(f"shapes of a {a.shape} and b {b.shape} are incompatible")
    a = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        a = a - np.diag(np.diagonal(a)) + np.eye(a.shape[0], dtype=a.dtype)
    if trans == 1 or trans == "T":
        a = a.T
    elif trans == 2 or trans == "C":
        a = np.conjugate(a.T)
    return numpy_solve(a, b)


@_LINALG
def eigh(a, b=None, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True, subset_by_index=None,
         subset_by_value=None, driver=None):
    if b is not None or subset_by_index is not None or subset_by_value is not None:
        raise NotImplementedError("scipy.linalg.eigh with a second matrix or a subset cannot be compiled")
    if eigvals_only:
        return np.linalg.eigvalsh(a, "L" if lower else "U")
    values, vectors = np.linalg.eigh(a, "L" if lower else "U")
    return values, vectors


@_LINALG
def eigvalsh(a, b=None, lower=True, overwrite_a=False, overwrite_b=False, type=1, check_finite=True, subset_by_index=None, subset_by_value=None,
             driver=None):
    return eigh(a, b, lower, True, subset_by_index=subset_by_index, subset_by_value=subset_by_value)


@_LINALG
def eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):
    if b is not None or homogeneous_eigvals:
        raise NotImplementedError("scipy.linalg.eigvals with a second matrix or homogeneous_eigvals cannot be compiled")
    a = _matrix(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError("expected square matrix")
    if not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return complex_eigenvalues(a)


@_LINALG
def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    if not compute_uv:
        return np.linalg.svd(a, compute_uv=False)
    u, s, v = np.linalg.svd(a, full_matrices)
    return u, s, v


@_LINALG
def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svd(a, compute_uv=False)


@_LINALG
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    if pivoting or mode == "raw":
        raise NotImplementedError("scipy.linalg.qr with pivoting or mode='raw' cannot be compiled")
    a = _matrix(a)
    if mode == "r":
        upper = np.linalg.qr(a, "r")
        full = np.zeros(a.shape, upper.dtype)
        full[:upper.shape[0]] = upper
        return (full,)
    q, r = np.linalg.qr(a, "complete" if mode == "full" else "reduced")
    return q, r


def _factored(a):
    """The factors of a square or other matrix in one array, and for each row the one that it changed places with."""
    a = _matrix(a)
    check_matrix(a)
    factors = a.copy()
    m, n = factors.shape
    few = min(m, n)
    pivots = np.arange(few).astype(np.int32)
    for k in range(few):
        row = k + int(np.argmax(np.abs(factors[k:, k].real) + np.abs(factors[k:, k].imag)))  # as LAPACK takes the size of a complex number
        pivots[k] = row
        if row != k:
            held = factors[k].copy()
            factors[k] = factors[row]
            factors[row] = held
        if factors[k, k] != 0:
            factors[k + 1:, k] = factors[k + 1:, k] / factors[k, k]
            factors[k + 1:, k + 1:] = factors[k + 1:, k + 1:] - factors[k + 1:, k, None] * factors[k, k + 1:]
    return factors, pivots


def _order(pivots, m):
    """The rows in their order after the exchanges."""
    order = np.arange(m)
    for k in range(pivots.shape[0]):
        row = int(pivots[k])
        held = order[k]
        order[k] = order[row]
        order[row] = held
    return order


@_LINALG
def lu_factor(a, overwrite_a=False, check_finite=True):
    factors, pivots = _factored(a)
    return factors, pivots


@_LINALG
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    factors, pivots = lu_and_piv
    order = _order(pivots, factors.shape[0])
    lower = np.tril(factors, -1) + np.eye(factors.shape[0], dtype=factors.dtype)
    upper = np.triu(factors)
    b = np.asarray(b)
    if trans == 0:
        return numpy_solve(upper, numpy_solve(lower, b[order]))
    if trans == 2:
        lower, upper = np.conjugate(lower), np.conjugate(upper)
    return numpy_solve(lower.T, numpy_solve(upper.T, b))[np.argsort(order)]


@_LINALG
def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    factors, pivots = _factored(a)
    m, n = factors.shape
    few = min(m, n)
    place = np.argsort(_order(pivots, m))  # of each row of `a` among the exchanged ones
    lower = np.tril(factors[:, :few], -1) + np.eye(m, few, dtype=factors.dtype)
    upper = np.triu(factors[:few])
    if permute_l:
        return lower[place], upper
    if p_indices:
        return place.astype(np.int32), lower, upper
    return np.eye(m, dtype=np.abs(factors).dtype)[place], lower, upper


# Pade's approximation of degree 13, the constant term first, and the norm up to which it is exact (N. J. Higham, SIAM J. Matrix Anal. Appl. 26, 2005).
_PADE = (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0, 670442572800.0,
         33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0)
_LARGEST = 5.371920351148152


@_LINALG
def expm(A):
    a = _matrix(A)
    if a.ndim < 2:
        raise np.linalg.LinAlgError("The input array must be at least two-dimensional")
    check_squares(a)
    size = np.max(np.sum(np.abs(a), axis=-2), axis=-1, initial=0)
    squarings = np.maximum(0.0, np.ceil(np.log2(np.maximum(size, 1e-300) / _LARGEST)))  # a number, or one for each matrix of a stack
    if a.ndim == 2:
        a = a * np.ldexp(1.0, -int(squarings)).astype(np.abs(a).dtype)
    else:
        a = a * np.ldexp(1.0, -squarings.astype(np.int32)).astype(np.abs(a).dtype)[..., None, None]
    one = np.eye(a.shape[-1], dtype=a.dtype)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    odd = a @ (a6 @ (_PADE[13] * a6 + _PADE[11] * a4 + _PADE[9] * a2) + _PADE[7] * a6 + _PADE[5] * a4 + _PADE[3] * a2 + _PADE[1] * one)
    even = a6 @ (_PADE[12] * a6 + _PADE[10] * a4 + _PADE[8] * a2) + _PADE[6] * a6 + _PADE[4] * a4 + _PADE[2] * a2 + _PADE[0] * one
    power = np.linalg.solve(even - odd, even + odd)
    if a.ndim == 2:
        for _ in range(int(squarings)):
            power = power @ power
    else:
        for k in range(int(np.max(squarings, initial=0))):
            power = np.where((k < squarings)[..., None, None], power @ power, power)
    return power


@_LINALG
def block_diag(*arrs):
    blocks = [np.atleast_2d(a) for a in arrs]
    rows = 0
    columns = 0
    for block in blocks:
        rows = rows + block.shape[0]
        columns = columns + block.shape[1]
    result = np.zeros((rows, columns), np.result_type(*blocks))
    row = 0
    column = 0
    for block in blocks:
        result[row:row + block.shape[0], column:column + block.shape[1]] = block
        row = row + block.shape[0]
        column = column + block.shape[1]
    return result


@_LINALG
def toeplitz(c, r=None):
    c = np.asarray(c).ravel()
    r = np.conjugate(c) if r is None else np.asarray(r).ravel()
    step = np.arange(c.shape[0])[:, None] - np.arange(r.shape[0])
    return np.where(step >= 0, c[np.maximum(step, 0)], r[np.maximum(-step, 0)])


@_LINALG
def circulant(c):
    c = np.asarray(c)
    step = np.arange(c.shape[-1])[:, None] - np.arange(c.shape[-1])
    return c[..., step % c.shape[-1]]
