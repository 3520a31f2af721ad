"""Products that are made of sums."""

import numpy as np

from . import implements
from .axes import axis_index


@implements(np.outer)
def outer(a, b, out=None):
    a = np.asarray(a).ravel()
    b = np.asarray(b).ravel()
    return np.multiply(a.reshape((a.size, 1)), b.reshape((1, b.size)), out=out)


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
    result = np.empty(shape, np.result_type(a, b))
    blocks = ()
    for k in tuple(range(ndim)):
        blocks = blocks + (left[k], right[k])
    result.reshape(blocks)[...] = a.reshape(rows) * b.reshape(columns)  # no element of the result asks which block it is in
    return result


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
        if len(axes) < 2:
            raise ValueError(f"not enough values to unpack (expected 2, got {len(axes)})")
        if len(axes) > 2:
            raise ValueError("too many values to unpack (expected 2)")
        left = _summed_axes(axes[0], a.ndim)
        right = _summed_axes(axes[1], b.ndim)
    else:
        for k in tuple(range(axes)):
            if a.ndim < axes - k or k >= b.ndim:
                raise IndexError("tuple index out of range")
            if a.shape[k - axes] != b.shape[k]:
                raise ValueError("shape-mismatch for sum")
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


def _check_cores(name, x1, x2, signature, axes, extents):
    """NumPy's errors of operands that have fewer axes than the signature says, or other extents along the axis that is summed."""
    for k in (0, 1):
        if (x1, x2)[k].ndim < axes[k]:
            raise ValueError(f"{name}: Input operand {k} does not have enough dimensions (has {(x1, x2)[k].ndim}, gufunc core with "
                             f"signature {signature} requires {axes[k]})")
    n = x1.shape[extents[0]]
    m = x2.shape[extents[1]]
    if n != m:  # an extent of 1 is not stretched
        raise ValueError(f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {signature} "
                         f"(size {m} is different from {n})")


def _conjugated(x):
    return np.conjugate(x) if x.dtype.kind == "c" else x


@implements(np.vecdot, np.linalg.vecdot)
def vecdot(x1, x2, /, *, axis=-1):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    if x1.ndim > 0 and x2.ndim > 0:
        axis_index(axis, x1.ndim)
        axis_index(axis, x2.ndim)
    _check_cores("vecdot", x1, x2, "(n),(n)->()", (1, 1), (axis, axis))
    product = np.moveaxis(_conjugated(x1), axis, -1) * np.moveaxis(x2, axis, -1)
    return np.sum(product, axis=-1, dtype=product.dtype)


@implements("matvec")
def matvec(x1, x2, /):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    _check_cores("matvec", x1, x2, "(m,n),(n)->(m)", (2, 1), (-1, -1))
    return np.matmul(x1, np.expand_dims(x2, -1))[..., 0]


@implements("vecmat")
def vecmat(x1, x2, /):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    _check_cores("vecmat", x1, x2, "(n),(n,m)->(m)", (1, 2), (-1, -2))
    return np.matmul(np.expand_dims(_conjugated(x1), -2), x2)[..., 0, :]


@implements(np.linalg.matrix_power)
def matrix_power(a, n):
    a = np.asarray(a)
    if a.ndim < 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if not isinstance(n, (int, np.integer)):
        raise TypeError("exponent must be an integer")
    n = int(n)
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
