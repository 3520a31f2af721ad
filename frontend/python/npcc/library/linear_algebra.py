"""Products and norms that are made of sums."""

import numpy as np

from . import implements


@implements(np.outer)
def outer(a, b):
    a = np.asarray(a).ravel()
    b = np.asarray(b).ravel()
    return a.reshape((a.size, 1)) * b


@implements(np.kron)
def kron(a, b):
    a = np.asarray(a)
    b = np.asarray(b)
    product = a.reshape((a.shape[0], 1, a.shape[1], 1)) * b.reshape((1, b.shape[0], 1, b.shape[1]))
    return product.reshape((a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]))


@implements(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    x = np.asarray(x)
    if x.dtype.kind in "biu":
        x = x.astype(np.float64)
    if ord is None or ord == 2 and (x.ndim == 1 or axis is not None) or ord == "fro":
        if x.dtype.kind == "c":
            squares = x.real * x.real + x.imag * x.imag
        else:
            squares = x * x
        return np.sqrt(np.sum(squares, axis=axis, keepdims=keepdims))
    if ord == np.inf:
        return np.max(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((x != 0).astype(x.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(np.abs(x), axis=axis, keepdims=keepdims)
    return np.sum(np.abs(x) ** ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


@implements(np.cross)
def cross(a, b):
    a = np.asarray(a)
    b = np.asarray(b)
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.stack((x, y, z), axis=-1)
