"""numpy.linalg's equations that are not of one square matrix: least squares, and matrices that are tensors."""

import numpy as np

from . import implements
from .decompositions import inv, solve
from .singular_values import factored
from .stacks import check_matrix, computed_dtype, real_dtype, result_dtype


@implements(np.linalg.lstsq)
def lstsq(a, b, rcond=None):
    a = np.asarray(a)
    b = np.asarray(b)
    columns = b[:, None] if b.ndim == 1 else b
    check_matrix(a)
    check_matrix(columns)
    m, n = a.shape
    if m != columns.shape[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    dtype = np.result_type(result_dtype(a), result_dtype(b))
    computed = computed_dtype(dtype)
    if rcond is None:
        rcond = np.finfo(np.float64).eps * max(n, m)
    elif rcond <= 0 or rcond >= 1:  # as LAPACK takes what is no limit
        rcond = np.finfo(np.float64).eps / 2
    matrix = a.astype(computed)
    columns = columns.astype(computed)
    # LAPACK divides all right sides by their largest element, also where that is infinite: nothing is left of any of them.
    is_infinite = np.max(np.abs(columns), initial=0) == np.inf
    columns = np.where(is_infinite, columns * 0, columns)
    u, s, v = factored(matrix, False, "SVD did not converge in Linear Least Squares")
    is_counted = s > rcond * np.max(s, initial=0)
    rank = np.count_nonzero(is_counted)
    inverse = np.where(is_counted, 1 / np.where(is_counted, s, 1), 0)
    x = np.matmul(np.conjugate(v.T), inverse[:, None] * np.matmul(np.conjugate(u.T), columns))
    rest = columns - np.matmul(matrix, x)
    sums = np.sum(rest.real * rest.real + rest.imag * rest.imag if computed.kind == "c" else rest * rest, axis=0)
    # They say nothing where there are fewer equations than unknowns that count.
    residuals = sums[:sums.shape[0] if rank == n and m > n else 0].astype(real_dtype(dtype))
    solution = np.where(is_infinite, np.nan, x).astype(dtype)
    return solution[:, 0] if b.ndim == 1 else solution, residuals, np.int32(rank), s.astype(real_dtype(dtype))


@implements(np.linalg.tensorsolve)
def tensorsolve(a, b, axes=None):
    a = np.asarray(a)
    b = np.asarray(b)
    if axes is not None:
        order = tuple(range(a.ndim))
        for axis in axes:
            if axis not in order:
                raise ValueError("list.remove(x): x not in list")
            order = tuple([k for k in order if k != axis]) + (axis,)
        a = np.transpose(a, order)
    shape = a.shape[b.ndim - a.ndim:]
    count = 1
    for extent in shape:
        count = count * extent
    if a.size != count ** 2:
        raise np.linalg.LinAlgError("Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return solve(a.reshape((count, count)), b.ravel()).reshape(shape)


@implements(np.linalg.tensorinv)
def tensorinv(a, ind=2):
    a = np.asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    if a.ndim == 0:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    shape = a.shape[ind:] + a.shape[:ind]
    count = 1
    for extent in a.shape[ind:]:
        count = count * extent
    return inv(a.reshape((count, -1))).reshape(shape)
