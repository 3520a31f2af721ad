"""numpy.linalg's functions of orthogonal factors and singular values."""

import numpy as np
from numpy.linalg._linalg import QRResult, SVDResult

from . import implements
from .decompositions import inverses
from .norms import norm
from .routines import routine
from .singular_values import factored, hermitian_factors, singular_values
from .stacks import check_squares, check_stacked, computed_dtype, opened, real_dtype, result_dtype, unstacked


@implements(np.linalg.qr)
def qr(a, mode="reduced"):
    if mode == "f" or mode == "full":
        mode = "reduced"
    elif mode == "e":
        mode = "economic"
    elif mode not in ("reduced", "complete", "r", "raw", "economic"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    a = np.asarray(a)
    dtype, stack = opened(a)
    batch = a.shape[:-2]
    m, n = a.shape[-2:]
    few = min(m, n)
    tau = np.zeros((stack.shape[0], few), stack.dtype)
    if routine("qr_raw", (), (stack, tau)) != 0:
        raise np.linalg.LinAlgError("Incorrect argument found while performing QR factorization")
    factored = unstacked(stack, a.shape)
    if mode == "r":
        return np.triu(factored[..., :few, :]).astype(dtype)
    if mode == "raw":
        return np.swapaxes(factored, -1, -2).astype(dtype), tau.reshape(batch + (few,)).astype(dtype)
    if mode == "economic":
        return factored.astype(dtype)
    columns = m if mode == "complete" else few
    q = np.zeros((stack.shape[0], columns, m), stack.dtype)
    if routine("qr", (stack, tau), (q,)) != 0:
        raise np.linalg.LinAlgError("Incorrect argument found while performing QR factorization")
    return QRResult(unstacked(q, batch + (m, columns)).astype(dtype), np.triu(factored[..., :columns, :]).astype(dtype))


@implements(np.linalg.svd)
def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    a = np.asarray(a)
    if not compute_uv:
        return singular_values(a, hermitian)
    u, s, v = hermitian_factors(a) if hermitian else factored(a, full_matrices)
    return SVDResult(u, s, v)


@implements(np.linalg.svdvals)
def svdvals(x, /):
    return singular_values(np.asarray(x))


@implements(np.linalg.pinv)
def pinv(a, rcond=None, hermitian=False, *, rtol=np._NoValue):
    a = np.asarray(a)
    if rcond is not None and rtol is not np._NoValue:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    check_stacked(a)
    if rcond is None and rtol is np._NoValue:
        rcond = 1e-15
    elif rcond is None:
        rcond = max(a.shape[-1], a.shape[-2]) * np.finfo(a.dtype).eps if rtol is None else rtol
    if (hermitian or a.dtype.kind not in "fc") and a.shape[-1] * a.shape[-2] == 0:
        return np.empty(a.shape[:-2] + (a.shape[-1], a.shape[-2]), a.dtype)  # NumPy computes nothing then, nor converts anything
    a = np.conjugate(a)
    u, s, v = hermitian_factors(a) if hermitian else factored(a, False)
    cutoff = np.asarray(rcond)[..., None] * np.max(s, axis=-1, keepdims=True, initial=0)
    is_large = s > cutoff
    inverse = np.where(is_large, 1 / np.where(is_large, s, 1), 0).astype(s.dtype)
    return np.matmul(np.swapaxes(v, -1, -2), inverse[..., None] * np.swapaxes(u, -1, -2))


@implements(np.linalg.matrix_rank)
def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = np.asarray(A)
    if A.ndim < 2:
        return int(np.any(A != 0))
    s = singular_values(A, hermitian)
    if tol is None:
        if rtol is None:
            relative = max(A.shape[-1], A.shape[-2]) * np.finfo(s.dtype).eps
        else:
            relative = np.asarray(rtol)[..., None]
        limit = np.max(s, axis=-1, keepdims=True, initial=0) * relative
    else:
        limit = np.asarray(tol)[..., None]
    return np.count_nonzero(s > limit, axis=-1)


@implements(np.linalg.cond)
def cond(x, p=None):
    x = np.asarray(x)
    check_stacked(x)
    if x.shape[-1] == 0 or x.shape[-2] == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if isinstance(p, list):
        raise TypeError("unhashable type: 'list'")
    if isinstance(p, np.ndarray):
        raise TypeError("unhashable type: 'numpy.ndarray'")
    if p is None or p == 2 or p == -2:
        s = singular_values(x)
        result = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        check_squares(x)
        dtype = result_dtype(x)
        x = x.astype(computed_dtype(dtype))
        result = (norm(x, p, axis=(-2, -1)) * norm(inverses(x), p, axis=(-2, -1))).astype(real_dtype(dtype))
    # Singular matrices have NaN where they ask for 0 / 0 or for an inverse.
    is_singular = np.isnan(result) & ~np.any(np.isnan(x), axis=(-2, -1))
    return np.where(is_singular, np.inf, result).astype(result.dtype)[()]
