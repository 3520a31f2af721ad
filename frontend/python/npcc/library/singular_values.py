"""Singular values and vectors, which numpy.linalg's factors, ranks and norms are made of."""

import numpy as np

from .decompositions import eigh, eigvalsh
from .routines import planned, routine
from .stacks import opened, real_dtype, unstacked

MOST_ROWS_OF_KERNEL = 32  # of matrices that a GPU's kernel decomposes (runtime/cuda/SmallSpectra.cpp)


def hermitian_factors(a):
    values, vectors = eigh(a)
    sign = np.copysign(1.0, values).astype(values.dtype)
    values = np.abs(values)
    order = np.argsort(values, axis=-1)[..., ::-1]
    sign = np.take_along_axis(sign, order, axis=-1)
    values = np.take_along_axis(values, order, axis=-1)
    vectors = np.take_along_axis(vectors, order[..., None, :], axis=-1)
    return vectors, values, np.conjugate(np.swapaxes(vectors * sign[..., None, :], -1, -2))


def check_finite(a, complaint):
    """The routines have no singular values of matrices that are not finite, but those of a GPU's library say nothing of it: it is asked for larger ones."""
    if planned(not (a.shape[-2] <= MOST_ROWS_OF_KERNEL and a.shape[-1] <= MOST_ROWS_OF_KERNEL), "matrices of more than 32 rows or columns"):
        if not np.all(np.isfinite(a)):
            raise np.linalg.LinAlgError(complaint)


def factored(a, is_full, complaint="SVD did not converge", on_host=False):
    """U, S and V of each matrix. `on_host`: by the host's LAPACK also on a GPU, whose library chooses other signs."""
    dtype, stack = opened(a)
    batch = a.shape[:-2]
    m, n = a.shape[-2:]
    few = min(m, n)
    count = stack.shape[0]
    left = m if is_full else few
    right = n if is_full else few
    u = np.zeros((count, left, m), stack.dtype)
    s = np.zeros((count, few), np.float64)
    v = np.zeros((count, n, right), stack.dtype)
    check_finite(a, complaint)
    if routine("host.svd" if on_host else "svd", (), (stack, u, s, v)) != 0:
        raise np.linalg.LinAlgError(complaint)
    return (unstacked(u, batch + (m, left)).astype(dtype), s.reshape(batch + (few,)).astype(real_dtype(dtype)),
            unstacked(v, batch + (right, n)).astype(dtype))


def singular_values(a, hermitian=False):
    if hermitian:
        return np.sort(np.abs(eigvalsh(a)), axis=-1)[..., ::-1]
    dtype, stack = opened(a)
    few = min(a.shape[-1], a.shape[-2])
    s = np.zeros((stack.shape[0], few), np.float64)
    check_finite(a, "SVD did not converge")
    if routine("svdvals", (), (stack, s)) != 0:
        raise np.linalg.LinAlgError("SVD did not converge")
    return s.reshape(a.shape[:-2] + (few,)).astype(real_dtype(dtype))
