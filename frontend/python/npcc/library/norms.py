"""Norms of vectors and matrices."""

import numpy as np

from . import implements
from .axes import axis_index, axis_tuple
from .singular_values import singular_values
from .stacks import count_of


@implements(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    x = np.asarray(x)
    keepdims = bool(keepdims)
    if x.dtype.kind in "biu":
        x = x.astype(np.float64)
    if isinstance(axis, list):
        raise TypeError("'axis' must be None, an integer or a tuple of integers")
    if isinstance(axis, tuple) and len(axis) not in (1, 2):
        raise ValueError("Improper number of dimensions to norm.")
    if isinstance(axis, float):
        axis = int(axis)
    if isinstance(axis, tuple) and len(axis) == 2 and axis_index(axis[0], x.ndim) == axis_index(axis[1], x.ndim):
        raise ValueError("Duplicate axes given.")
    axes = axis_tuple(axis, x.ndim)
    plain = ord is None
    if axis is None and x.ndim == 1 and ord == 2:
        plain = True
    if len(axes) == 2 and (ord == "fro" or ord == "f"):
        plain = True
    if plain and (axis is None or len(axes) in (1, 2)):
        return np.sqrt(np.sum(_squares(x), axis=axes, keepdims=keepdims))
    if len(axes) == 1:
        return _vector_norm(x, ord, axes[0], keepdims)
    if len(axes) == 2:
        return _matrix_norm(x, ord, axes[0], axes[1], keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def _squares(x):
    if x.dtype.kind == "c":
        return x.real * x.real + x.imag * x.imag
    return x * x


def _vector_norm(x, ord, axis, keepdims):
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if ord == 2:
        return np.sqrt(np.sum(_squares(x), axis=axis, keepdims=keepdims))
    size = np.abs(x)
    if ord == np.inf:
        return np.max(size, axis=axis, keepdims=keepdims, initial=0)
    if ord == -np.inf:
        return np.min(size, axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((x != 0).astype(size.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(size, axis=axis, keepdims=keepdims)
    return np.sum(size ** ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def _norm_of_singular_values(x, ord, row, column, keepdims):
    values = singular_values(np.moveaxis(x, (row, column), (-2, -1)))
    if ord == 2:
        result = np.max(values, axis=-1, initial=0)
    elif ord == -2:
        result = np.min(values, axis=-1)
    else:
        result = np.sum(values, axis=-1)
    return np.expand_dims(result, (row, column)) if keepdims else result


def _matrix_norm(x, ord, row, column, keepdims):
    if isinstance(ord, str) and ord == "nuc" or ord == 2 or ord == -2:
        return _norm_of_singular_values(x, ord, row, column, keepdims)
    size = np.abs(x)
    if ord == 1:
        return np.max(np.sum(size, axis=row, keepdims=True), axis=(row, column), keepdims=keepdims, initial=0)
    if ord == -1:
        return np.min(np.sum(size, axis=row, keepdims=True), axis=(row, column), keepdims=keepdims)
    if ord == np.inf:
        return np.max(np.sum(size, axis=column, keepdims=True), axis=(row, column), keepdims=keepdims, initial=0)
    if ord == -np.inf:
        return np.min(np.sum(size, axis=column, keepdims=True), axis=(row, column), keepdims=keepdims)
    raise ValueError("Invalid norm order for matrices.")


@implements(np.linalg.vector_norm)
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    x = np.asarray(x)
    if axis is None:
        result = norm(x.ravel(), ord, 0)
        return result.reshape((1,) * x.ndim) if keepdims else result
    axes = axis_tuple(int(axis) if isinstance(axis, float) else axis, x.ndim)  # as numpy.linalg.norm takes it
    others = tuple([k for k in range(x.ndim) if k not in axes])
    lines = x
    if len(axes) != 1:
        count = count_of([x.shape[k] for k in axes])
        lines = np.transpose(x, axes + others).reshape((count,) + tuple([x.shape[k] for k in others]))
    result = norm(lines, ord, axes[0] if len(axes) == 1 else 0)
    return np.expand_dims(result, axes) if keepdims else result


@implements(np.linalg.matrix_norm)
def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return norm(np.asarray(x), ord, (-2, -1), keepdims)
