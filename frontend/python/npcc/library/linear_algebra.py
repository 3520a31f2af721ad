"""Products and norms that are made of sums."""

import numpy as np

from . import implements
from .axes import axis_index, axis_tuple, stored


@implements(np.outer)
def outer(a, b, out=None):
    a = np.asarray(a).ravel()
    b = np.asarray(b).ravel()
    return stored(a.reshape((a.size, 1)) * b, out)


@implements(np.kron)
def kron(a, b):
    a = np.asarray(a)
    b = np.asarray(b)
    ndim = max(a.ndim, b.ndim)
    left = (1,) * (ndim - a.ndim) + a.shape
    right = (1,) * (ndim - b.ndim) + b.shape
    rows = ()
    columns = ()
    shape = ()
    for k in tuple(range(ndim)):
        rows = rows + (left[k], 1)
        columns = columns + (1, right[k])
        shape = shape + (left[k] * right[k],)
    if ndim == 0:
        return a * b
    return (a.reshape(rows) * b.reshape(columns)).reshape(shape)


def _summed_axes(axes, ndim):
    if not isinstance(axes, (tuple, list)):
        axes = (axes,)
    found = ()
    for k in tuple(range(len(axes))):
        if axes[k] in axes[:k]:
            raise ValueError("duplicate axes are not allowed in tensordot")
        if axes[k] < -ndim or axes[k] >= ndim:
            raise IndexError("tuple index out of range")
        found = found + (axes[k] % ndim,)
    return found


@implements(np.tensordot)
def tensordot(a, b, axes=2):
    a = np.asarray(a)
    b = np.asarray(b)
    if isinstance(axes, (tuple, list)):
        left = _summed_axes(axes[0], a.ndim)
        right = _summed_axes(axes[1], b.ndim)
    else:
        if axes > a.ndim or axes > b.ndim:
            raise IndexError("tuple index out of range")
        left = tuple(range(a.ndim - axes, a.ndim))
        right = tuple(range(axes))
    if len(left) != len(right):
        raise ValueError("shape-mismatch for sum")
    kept = ()
    columns = ()
    shape = ()
    m = 1
    k = 1
    n = 1
    for axis in tuple(range(a.ndim)):
        if axis not in left:
            kept = kept + (axis,)
            shape = shape + (a.shape[axis],)
            m = m * a.shape[axis]
    for axis in tuple(range(len(left))):
        if a.shape[left[axis]] != b.shape[right[axis]]:
            raise ValueError("shape-mismatch for sum")
        k = k * a.shape[left[axis]]
    for axis in tuple(range(b.ndim)):
        if axis not in right:
            columns = columns + (axis,)
            shape = shape + (b.shape[axis],)
            n = n * b.shape[axis]
    rows = np.transpose(a, kept + left).reshape((m, k))
    product = np.dot(rows, np.transpose(b, right + columns).reshape((k, n))).reshape(shape)
    if len(shape) == 0:
        return np.array(product)  # of no axes, not a scalar
    return product


@implements(np.vecdot, np.linalg.vecdot)
def vecdot(x1, x2, /, *, axis=-1):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    for k in (0, 1):
        if (x1, x2)[k].ndim == 0:
            raise ValueError(f"vecdot: Input operand {k} does not have enough dimensions (has 0, gufunc core with "
                             "signature (n),(n)->() requires 1)")
    n = x1.shape[axis]
    m = x2.shape[axis]
    if n != m:  # an extent of 1 is not stretched
        raise ValueError("vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                         f"(n),(n)->() (size {m} is different from {n})")
    if x1.dtype.kind == "c":
        x1 = np.conjugate(x1)
    return np.sum(np.moveaxis(x1, axis, -1) * np.moveaxis(x2, axis, -1), axis=-1)


def _check_cores(name, x1, x2, signature, axes):
    """NumPy's errors of operands that have fewer axes than the signature says, or another extent."""
    for k in (0, 1):
        if (x1, x2)[k].ndim < axes[k]:
            raise ValueError(f"{name}: Input operand {k} does not have enough dimensions (has {(x1, x2)[k].ndim}, gufunc core with "
                             f"signature {signature} requires {axes[k]})")


@implements(np.matvec)
def matvec(x1, x2, /):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    _check_cores("matvec", x1, x2, "(m,n),(n)->(m)", (2, 1))
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError("matvec: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,n),(n)->(m) "
                         f"(size {x2.shape[-1]} is different from {x1.shape[-1]})")
    return np.matmul(x1, np.expand_dims(x2, -1))[..., 0]


@implements(np.vecmat)
def vecmat(x1, x2, /):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    _check_cores("vecmat", x1, x2, "(n),(n,m)->(m)", (1, 2))
    if x2.shape[-2] != x1.shape[-1]:
        raise ValueError("vecmat: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n,m)->(m) "
                         f"(size {x2.shape[-2]} is different from {x1.shape[-1]})")
    if x1.dtype.kind == "c":
        x1 = np.conjugate(x1)
    return np.matmul(np.expand_dims(x1, -2), x2)[..., 0, :]


@implements(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    x = np.asarray(x)
    if x.dtype.kind in "biu":
        x = x.astype(np.float64)
    if isinstance(axis, (tuple, list)) and len(axis) == 2 and axis_index(axis[0], x.ndim) == axis_index(axis[1], x.ndim):
        raise ValueError("Duplicate axes given.")
    axes = axis_tuple(axis, x.ndim)
    plain = ord is None
    if axis is None and x.ndim == 1 and ord == 2:
        plain = True
    if len(axes) == 2 and ord == "fro":
        plain = True
    if plain and (axis is None or len(axes) <= 2):
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
        return np.max(size, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(size, axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((x != 0).astype(size.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(size, axis=axis, keepdims=keepdims)
    return np.sum(size ** ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def _matrix_norm(x, ord, row, column, keepdims):
    if isinstance(ord, str) and ord == "nuc" or ord == 2 or ord == -2:
        raise NotImplementedError("norms that need singular values cannot be compiled")
    size = np.abs(x)
    if ord == 1:
        return np.max(np.sum(size, axis=row, keepdims=True), axis=(row, column), keepdims=keepdims)
    if ord == -1:
        return np.min(np.sum(size, axis=row, keepdims=True), axis=(row, column), keepdims=keepdims)
    if ord == np.inf:
        return np.max(np.sum(size, axis=column, keepdims=True), axis=(row, column), keepdims=keepdims)
    if ord == -np.inf:
        return np.min(np.sum(size, axis=column, keepdims=True), axis=(row, column), keepdims=keepdims)
    raise ValueError("Invalid norm order for matrices.")


@implements(np.cross)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a = np.asarray(a)
    b = np.asarray(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    a = np.moveaxis(a, axis_index(axisa if axis is None else axis, a.ndim, "axisa"), -1)
    b = np.moveaxis(b, axis_index(axisb if axis is None else axis, b.ndim, "axisb"), -1)
    if a.shape[-1] == 2 or b.shape[-1] == 2:  # as NumPy has deprecated
        raise NotImplementedError("numpy.cross of vectors of two elements cannot be compiled")
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.stack((x, y, z), axis=axisc if axis is None else axis)


@implements(np.linalg.matrix_power)
def matrix_power(a, n):
    a = np.asarray(a)
    if a.ndim < 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if not isinstance(n, int):
        raise TypeError("exponent must be an integer")
    if n == 0:
        return np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape).copy()
    factor = np.linalg.inv(a) if n < 0 else a
    if abs(n) == 3:
        return np.matmul(np.matmul(factor, factor), factor)
    result = None
    for k in tuple(range(abs(n).bit_length())):
        if k > 0:
            factor = np.matmul(factor, factor)
        if abs(n) >> k & 1:
            result = factor if result is None else np.matmul(result, factor)
    return result
