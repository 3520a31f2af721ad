"""Products of vectors and matrices under numpy.linalg's names, and chains of products."""

import numpy as np

from . import implements
from .axes import axis_index, stored
from .shapes import broadcast_shapes
from .stacks import check_matrix


# NumPy 2.5 has no products of vectors of two elements any longer.
_IS_OF_THREE_ONLY = np.lib.NumpyVersion(np.__version__) >= "2.5.0"


@implements(np.cross)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a = np.asarray(a)
    b = np.asarray(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    a = np.moveaxis(a, axis_index(axisa if axis is None else axis, a.ndim, "axisa"), -1)
    b = np.moveaxis(b, axis_index(axisb if axis is None else axis, b.ndim, "axisb"), -1)
    if _IS_OF_THREE_ONLY and (a.shape[-1] != 3 or b.shape[-1] != 3):
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, "
                         f"but they are {a.shape[-1]} and {b.shape[-1]} dimensional instead.")
    if (a.shape[-1] != 2 and a.shape[-1] != 3) or (b.shape[-1] != 2 and b.shape[-1] != 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    broadcast_shapes(a.shape[:-1], b.shape[:-1])  # for NumPy's words where they do not fit
    if a.shape[-1] == 2 and b.shape[-1] == 2:
        return np.array(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])  # of no axes, not a scalar
    if a.shape[-1] == 2:
        return _stacked_components(a[..., 1] * b[..., 2], -(a[..., 0] * b[..., 2]), a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
                                   axisc if axis is None else axis)
    if b.shape[-1] == 2:
        return _stacked_components(-(a[..., 2] * b[..., 1]), a[..., 2] * b[..., 0], a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
                                   axisc if axis is None else axis)
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return _stacked_components(x, y, z, axisc if axis is None else axis)


def _stacked_components(x, y, z, axis):
    return np.stack((x, y, z), axis=axis_index(axis, x.ndim + 1, "axisc"))


def _numpy_takes_no_axis():
    """Whether the NumPy that is installed gives a product for axis=None: 2.5 does."""
    try:
        np.linalg.cross(np.ones(3), np.ones(3), axis=None)
    except TypeError:
        return False
    return True


_TAKES_NO_AXIS = _numpy_takes_no_axis()


@implements(np.linalg.cross)
def three_dimensional_cross(x1, x2, /, *, axis=-1):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    if axis is None:
        if not _TAKES_NO_AXIS:
            raise TypeError("tuple indices must be integers or slices, not NoneType")
        axis = -1
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, "
                         f"but they are {x1.shape[axis]} and {x2.shape[axis]} dimensional instead.")
    return cross(x1, x2, axis=axis)


@implements(np.trace)
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    a = np.asarray(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


@implements(np.linalg.trace)
def last_trace(x, /, *, offset=0, dtype=None):
    return trace(x, offset, -2, -1, dtype)


@implements(np.linalg.diagonal)
def last_diagonal(x, /, *, offset=0):
    return np.diagonal(x, offset, -2, -1)


@implements(np.linalg.outer)
def vector_outer(x1, x2, /):
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} and x2.ndim={x2.ndim}.")
    return np.outer(x1, x2)


@implements(np.linalg.matmul)
def matmul(x1, x2, /):
    return np.matmul(x1, x2)


@implements(np.linalg.tensordot)
def tensordot(x1, x2, /, *, axes=2):
    return np.tensordot(x1, x2, axes)


@implements(np.linalg.multi_dot)
def multi_dot(arrays, *, out=None):
    if isinstance(arrays, np.ndarray):
        return _product_of_stack(arrays, out)
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return np.dot(arrays[0], arrays[1], out=out)
    factors = ()
    for k in tuple(range(len(arrays))):
        factor = np.asarray(arrays[k])
        if k == 0 and factor.ndim == 1:
            factor = factor[None, :]
        if k == len(arrays) - 1 and factor.ndim == 1:
            factor = factor[:, None]
        check_matrix(factor)
        factors = factors + (factor,)
    result = stored(_chain(factors), out)
    if np.ndim(arrays[0]) == 1 and np.ndim(arrays[-1]) == 1:
        return result[0, 0]
    if np.ndim(arrays[0]) == 1 or np.ndim(arrays[-1]) == 1:
        return result.ravel()
    return result


def _product_of_stack(stack, out):
    """The factors are one array's parts, as many as it has: matrices of one shape, so that no order of products is cheaper than another."""
    if stack.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    if len(stack) < 2:
        raise ValueError("Expecting at least two arrays.")
    if stack.ndim != 3:
        if len(stack) > 2:
            raise np.linalg.LinAlgError(f"{stack.ndim - 1}-dimensional array given. Array must be two-dimensional")
        return np.dot(stack[0], stack[1], out=out)
    result = np.dot(stack[0], stack[1])
    for k in range(2, len(stack)):
        result = np.dot(result, stack[k])
    return stored(result, out)


def _cheapest(factors):
    """For each chain of factors from i to j, where it is best cut: after which factor (Cormen et al., Introduction to Algorithms, 15.2)."""
    extents = tuple([factor.shape[0] for factor in factors]) + (factors[-1].shape[1],)
    n = len(factors)
    costs = {}
    cuts = {}
    for i in tuple(range(n)):
        costs[i, i] = 0
    for length in tuple(range(1, n)):
        for i in tuple(range(n - length)):
            j = i + length
            best = costs[i, i] + costs[i + 1, j] + extents[i] * extents[i + 1] * extents[j + 1]
            cut = i
            for k in tuple(range(i + 1, j)):
                cost = costs[i, k] + costs[k + 1, j] + extents[i] * extents[k + 1] * extents[j + 1]
                if cost < best:
                    best = cost
                    cut = k
            costs[i, j] = best
            cuts[i, j] = cut
    return cuts


def _chain(factors):
    """The product of all factors. Where a chain is best cut is known at run time: there is code for each cut, and of the chains that are parts of the whole
    only those are computed that a cut makes."""
    n = len(factors)
    cuts = _cheapest(factors)
    needed = {}
    products = {}
    for i in tuple(range(n)):
        for j in tuple(range(i, n)):
            needed[i, j] = i == 0 and j == n - 1
        products[i, i] = factors[i]
    for length in tuple(range(1, n))[::-1]:
        for i in tuple(range(n - length)):
            j = i + length
            for k in tuple(range(i, j)):
                if needed[i, j] and cuts[i, j] == k:
                    needed[i, k] = True
                    needed[k + 1, j] = True
    for length in tuple(range(1, n)):
        for i in tuple(range(n - length)):
            j = i + length
            product = np.empty((0, 0), np.result_type(*factors[i:j + 1]))
            for k in tuple(range(i, j)):
                if needed[i, j] and cuts[i, j] == k:
                    product = np.dot(products[i, k], products[k + 1, j])
            products[i, j] = product
    return products[0, n - 1]
