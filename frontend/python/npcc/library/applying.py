"""Python functions for each line or each element of arrays. Each is a loop over the lines or elements with nothing between its iterations, which
becomes a kernel where what the function does can."""

import numpy as np

from . import implements
from .axes import axis_index
from .routines import is_known
from .shapes import product_of


@implements(np.apply_along_axis)
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = np.asarray(arr)
    at = axis_index(axis, arr.ndim)
    lines = np.moveaxis(arr, at, -1)
    outer = lines.shape[:-1]
    count = product_of(outer)
    if count == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    lines = lines.reshape((count, lines.shape[-1]))
    first = np.asarray(func1d(lines[0], *args, **kwargs))
    out = np.zeros((count,) + first.shape, first.dtype)
    out[0] = first
    for k in range(1, count):
        out[k] = func1d(lines[k], *args, **kwargs)
    # The result's axes stand where the line's axis was.
    out = out.reshape(outer + first.shape)
    order = tuple(range(at)) + tuple(range(len(outer), out.ndim)) + tuple(range(at, len(outer)))
    return np.transpose(out, order)


@implements(np.apply_over_axes)
def apply_over_axes(func, a, axes):
    val = np.asarray(a)
    ndim = val.ndim
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        at = axis if axis >= 0 else axis + ndim
        result = func(val, at)
        if result.ndim != val.ndim:
            result = np.expand_dims(result, at)
            if result.ndim != val.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        val = result
    return val


def filled(function, lines, shape, dtype):
    out = np.zeros(len(lines[0]), dtype)
    for k in range(len(lines[0])):
        out[k] = function(*[line[k].item() for line in lines])
    return out.reshape(shape)


def vectorized(function, otypes, args):
    """What numpy.vectorize(function, otypes) gives for `args`. The function gets Python's numbers; its first result says the dtype."""
    if len(args) == 0:
        raise ValueError("args can not be empty")
    arrays = tuple([np.asarray(arg) for arg in args])
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    lines = tuple([np.ravel(np.broadcast_to(a, shape)) for a in arrays])
    count = product_of(shape)
    if count == 0:
        if otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        if len(otypes) != 1:
            raise NotImplementedError("numpy.vectorize of no elements with several results cannot be compiled")
        return np.zeros(shape, otypes[0])
    first = function(*[line[0].item() for line in lines])
    if otypes is None and not is_known(isinstance(first, int)):  # an int or a float
        if isinstance(first, int):
            return filled(function, lines, shape, np.int64)
        return filled(function, lines, shape, np.float64)
    if not isinstance(first, tuple):
        return filled(function, lines, shape, np.asarray(first).dtype if otypes is None else otypes[0])
    outs = ()
    for place in tuple(range(len(first))):
        outs = outs + (np.zeros(count, np.asarray(first[place]).dtype if otypes is None else otypes[place]),)
    for k in range(count):
        results = function(*[line[k].item() for line in lines])
        for place in tuple(range(len(first))):
            outs[place][k] = results[place]
    return tuple([out.reshape(shape) for out in outs])


@implements(np.vectorize)
def vectorize(pyfunc, otypes=None):
    def called(*args, function=pyfunc, dtypes=otypes):
        return vectorized(function, dtypes, args)

    return called
