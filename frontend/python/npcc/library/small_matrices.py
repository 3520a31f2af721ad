"""Matrices of a few rows: the elimination is written out, and a loop over a stack is one kernel with the elements of a matrix in registers. There is no
call of a library, and a singular matrix is found where it is met. So a loop of steps that need such a matrix each can be one kernel too."""

import numpy as np

from .routines import planned, planned_if_known
from .stacks import count_of

SIZES = (2, 3, 4)


def has_rows(a, n):
    """Whether the matrices have n rows: what code is compiled for where that is known. A library's call for a matrix alone is quick enough for code that is
    made for all calls."""
    if a.ndim > 2:
        return planned(a.shape[-1] == n, "matrices of a few rows")
    return planned_if_known(a.shape[-1] == n, "a matrix of a few rows")


def _stack(a):
    return a.reshape((count_of(a.shape[:-2]), a.shape[-2], a.shape[-1])) if a.ndim != 3 else a


def _size(x):
    """As LAPACK compares pivots."""
    return abs(x.real) + abs(x.imag) if isinstance(x, (complex, np.complexfloating)) else abs(x)


def _factored(rows, n):
    """Gauss' elimination with the largest pivots, in place: the upper triangle, and where it is below the diagonal what rows were multiplied by. Gives the
    exchanges, a flag for each pair of rows."""
    swaps = []
    for k in tuple(range(n)):
        for r in tuple(range(k + 1, n)):
            swap = _size(rows[r][k]) > _size(rows[k][k])
            swaps.append(swap)
            for j in tuple(range(n)):
                upper, lower = rows[k][j], rows[r][j]
                rows[k][j] = lower if swap else upper
                rows[r][j] = upper if swap else lower
        if k + 1 < n:
            inverse = 1 / (rows[k][k] if rows[k][k] != 0 else rows[k][k] + 1)  # of a zero all below are zeros
            for r in tuple(range(k + 1, n)):
                factor = rows[r][k] * inverse
                rows[r][k] = factor
                for j in tuple(range(k + 1, n)):
                    rows[r][j] = rows[r][j] - factor * rows[k][j]
    return swaps


def _substituted(rows, swaps, side, n):
    """The solution for one right side, in place of it."""
    number = 0
    for k in tuple(range(n)):
        for r in tuple(range(k + 1, n)):
            swap = swaps[number]
            number = number + 1
            upper, lower = side[k], side[r]
            side[k] = lower if swap else upper
            side[r] = upper if swap else lower
    for k in tuple(range(n)):
        for r in tuple(range(k + 1, n)):
            side[r] = side[r] - rows[r][k] * side[k]
    for k in tuple(range(n - 1, -1, -1)):
        for j in tuple(range(k + 1, n)):
            side[k] = side[k] - rows[k][j] * side[j]
        side[k] = side[k] / rows[k][k]
    return side


def _check_regular(rows, n, complaint):
    for k in tuple(range(n)):
        if rows[k][k] == 0:
            raise np.linalg.LinAlgError(complaint)


def _solve_sides(rows, swaps, sides, m, result, n):
    for c in range(sides.shape[2]):
        side = _substituted(rows, swaps, [sides[m, i, c] for i in tuple(range(n))], n)
        for i in tuple(range(n)):
            result[m, i, c] = side[i]


def solution(a, b, n, complaint):
    """Of matrices and right sides of one dtype and equal leading extents."""
    matrices, sides = _stack(a), _stack(b)
    result = np.empty(sides.shape, b.dtype)
    for m in range(matrices.shape[0]):
        rows = [[matrices[m, i, j] for j in tuple(range(n))] for i in tuple(range(n))]
        swaps = _factored(rows, n)
        _check_regular(rows, n, complaint)
        _solve_sides(rows, swaps, sides, m, result, n)
    return result.reshape(b.shape) if b.ndim != 3 else result


def inverse(a, n, complaint):
    matrices = _stack(a)
    result = np.empty(matrices.shape, a.dtype)
    for m in range(matrices.shape[0]):
        rows = [[matrices[m, i, j] for j in tuple(range(n))] for i in tuple(range(n))]
        swaps = _factored(rows, n)
        _check_regular(rows, n, complaint)
        for c in tuple(range(n)):
            side = _substituted(rows, swaps, [a.dtype.type(1 if i == c else 0) for i in tuple(range(n))], n)
            for i in tuple(range(n)):
                result[m, i, c] = side[i]
    return result.reshape(a.shape) if a.ndim != 3 else result


def determinant(a, n):
    matrices = _stack(a)
    result = np.empty(matrices.shape[0], a.dtype)
    for m in range(matrices.shape[0]):
        rows = [[matrices[m, i, j] for j in tuple(range(n))] for i in tuple(range(n))]
        swaps = _factored(rows, n)
        product = rows[0][0]
        for k in tuple(range(1, n)):
            product = product * rows[k][k]
        for swap in swaps:
            product = -product if swap else product
        result[m] = product
    if a.ndim == 2:
        return result[0]
    return result.reshape(a.shape[:-2]) if a.ndim > 3 else result


def cholesky_factor(a, n):
    """Of the lower triangles."""
    matrices = _stack(a)
    result = np.zeros(matrices.shape, a.dtype)
    for m in range(matrices.shape[0]):
        rows = [[matrices[m, i, j] for j in tuple(range(i + 1))] for i in tuple(range(n))]
        for j in tuple(range(n)):
            square = rows[j][j].real
            for k in tuple(range(j)):
                square = square - (rows[j][k] * np.conjugate(rows[j][k])).real
            if square <= 0:  # a NaN is none, as LAPACK has it
                raise np.linalg.LinAlgError("Matrix is not positive definite")
            root = np.sqrt(square)
            rows[j][j] = a.dtype.type(root)
            for i in tuple(range(j + 1, n)):
                for k in tuple(range(j)):
                    rows[i][j] = rows[i][j] - rows[i][k] * np.conjugate(rows[j][k])
                rows[i][j] = rows[i][j] / root
        for i in tuple(range(n)):
            for j in tuple(range(i + 1)):
                result[m, i, j] = rows[i][j]
    return result.reshape(a.shape) if a.ndim != 3 else result
