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
    """What numpy.vectorize(function, otypes) gives for `args`. The function gets Python's numbers; what it gives for the first elements,
    which are NumPy's numbers that time, says the dtype."""
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
    first = function(*[line[0] for line in lines])
    if otypes is None and not is_known(isinstance(first, int)):  # an int or a float
        if isinstance(first, int):
            return filled(function, lines, shape, np.int64)
        return filled(function, lines, shape, np.asarray(first).dtype)
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


def _core_axes(text):
    """The names of the axes of each argument or result: (("m", "n"), ("n",)) of "(m,n),(n)"."""
    axes = ()
    for part in text.strip()[1:-1].replace(" ", "").split("),("):
        axes = axes + (tuple([name for name in part.split(",") if name != ""]),)
    return axes


def _core_sizes(arrays, axes):
    """How long each named axis is, as names and sizes, and the shape of what is around them."""
    names = ()
    sizes = ()
    shape = ()
    for k in tuple(range(len(arrays))):
        count = len(axes[k])
        if arrays[k].ndim < count:
            raise ValueError(f"{arrays[k].ndim}-dimensional argument does not have enough dimensions for all core dimensions {axes[k]!r}")
        outer = arrays[k].ndim - count
        for j in tuple(range(count)):
            size = arrays[k].shape[outer + j]
            if axes[k][j] not in names:
                names = names + (axes[k][j],)
                sizes = sizes + (size,)
            elif size != sizes[names.index(axes[k][j])]:
                raise ValueError(f"inconsistent size for core dimension {axes[k][j]!r}: {size} vs {sizes[names.index(axes[k][j])]}")
        shape = np.broadcast_shapes(shape, arrays[k].shape[:outer])
    return names, sizes, shape


def vectorized_over_axes(function, otypes, signature, args):
    """What numpy.vectorize(function, otypes, signature=signature) gives for `args`: the function gets the last axes of each, and gives those of a result."""
    given, returned = signature.split("->")
    axes, result_axes = _core_axes(given), _core_axes(returned)
    if len(args) != len(axes):
        raise TypeError(f"wrong number of positional arguments: expected {len(axes)}, got {len(args)}")
    arrays = tuple([np.asarray(arg) for arg in args])
    names, sizes, shape = _core_sizes(arrays, axes)
    count = product_of(shape)
    if count == 0:
        raise NotImplementedError("numpy.vectorize of no elements with a signature cannot be compiled")
    lines = ()
    for k in tuple(range(len(arrays))):
        core = arrays[k].shape[arrays[k].ndim - len(axes[k]):]
        lines = lines + (np.broadcast_to(arrays[k], shape + core).reshape((count,) + core),)
    first = function(*[line[0] for line in lines])
    results = first if isinstance(first, tuple) else (first,)
    if len(results) != len(result_axes):
        raise ValueError(f"wrong number of outputs from pyfunc: expected {len(result_axes)}, got {len(results)}")
    outs = ()
    for place in tuple(range(len(results))):
        one = np.asarray(results[place])
        if one.ndim < len(result_axes[place]):
            raise ValueError(f"{one.ndim}-dimensional argument does not have enough dimensions for all core dimensions {result_axes[place]!r}")
        core = ()
        for j in tuple(range(len(result_axes[place]))):
            name = result_axes[place][j]
            if name in names and sizes[names.index(name)] != one.shape[j]:
                raise ValueError(f"inconsistent size for core dimension {name!r}: {one.shape[j]} vs {sizes[names.index(name)]}")
            core = core + (one.shape[j],)
        out = np.empty((count,) + core, one.dtype if otypes is None else otypes[place])
        out[0] = one
        outs = outs + (out,)
    for k in range(1, count):
        got = function(*[line[k] for line in lines])
        got = got if isinstance(got, tuple) else (got,)
        for place in tuple(range(len(outs))):
            outs[place][k] = got[place]
    outs = tuple([out.reshape(shape + out.shape[1:]) for out in outs])
    return outs if isinstance(first, tuple) else outs[0]


@implements(np.vectorize)
def vectorize(pyfunc, otypes=None, excluded=None, signature=None):
    kept = () if excluded is None else tuple(excluded)

    def called(*args, **kwargs):
        names = tuple([name for name in kwargs if name not in kept])
        places = tuple([place for place in tuple(range(len(args))) if place not in kept])

        def function(*values):
            given = ()
            for place in tuple(range(len(args))):
                given = given + ((values[places.index(place)],) if place in places else (args[place],))
            named = dict(kwargs)
            for place in tuple(range(len(names))):
                named[names[place]] = values[len(places) + place]
            return pyfunc(*given, **named)

        items = tuple([args[place] for place in places]) + tuple([kwargs[name] for name in names])
        if signature is not None:
            return vectorized_over_axes(function, otypes, signature, items)
        return vectorized(function, otypes, items)

    return called
