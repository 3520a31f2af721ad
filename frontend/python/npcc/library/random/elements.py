"""Draws element by element: parameters are broadcast, `size` and `out` say where the numbers go."""

import numpy as np

from .primitives import check_writable, draw, draw_scalar, is_contiguous


def shape_of(size):
    """`size`, which is not None, as a tuple."""
    if isinstance(size, (tuple, list)):
        return tuple(size)
    return (size,)


def are_scalars(parameters):
    for parameter in parameters:
        if not isinstance(parameter, (int, float)) and np.ndim(parameter) > 0:
            return False
    return True


def drawn(generator, distribution, dtype, size, parameters):
    """Numbers of one distribution: one of Python's where neither `size` nor a parameter is an array."""
    if are_scalars(parameters):
        if size is None:
            return draw_scalar(generator, distribution, dtype, parameters, ())
        shape = shape_of(size)
        for extent in shape:
            if extent < 0:
                check_parameters(generator, distribution, dtype, parameters, ())
        out = np.empty(shape, dtype)
        draw(generator, distribution, out, parameters, ())
        return out
    arrays = tuple([np.asarray(parameter) for parameter in parameters])
    if not are_drawn(size, arrays):
        check_parameters(generator, distribution, dtype, (), arrays)
    out = np.empty(broadcast_shape(size, arrays), dtype)
    draw(generator, distribution, out, (), tuple([np.broadcast_to(array, out.shape) for array in arrays]))
    return out


def check_parameters(generator, distribution, dtype, scalars, arrays):
    """The error of the first parameter that is out of its bounds, which NumPy raises before one about shapes."""
    draw(generator, distribution, np.empty(0, dtype), scalars, tuple([array.reshape(-1) for array in arrays]))


def are_drawn(size, arrays):
    """Whether there are any numbers to be drawn: `broadcast_shape` has a shape, of one element or more."""
    extents = ()
    if size is not None:
        extents = shape_of(size)
        for extent in extents:
            if extent < 1:
                return False
    for array in arrays:
        if size is not None and array.ndim > len(extents):
            return False
    for axis in tuple(range(1, max([array.ndim for array in arrays]) + 1)):
        extent = 1 if size is None else extents[-axis]
        for array in arrays:
            if array.ndim >= axis and array.shape[-axis] != 1 and array.shape[-axis] != extent:
                if size is not None or extent != 1:
                    return False
                extent = array.shape[-axis]
        if extent == 0:
            return False
    return True


def broadcast_shape(size, arrays):
    """The shape of a result: that of the broadcast parameters, which must be `size` if it is given."""
    if size is None:
        return np.broadcast_shapes(*[array.shape for array in arrays])
    given = shape_of(size)
    shape = np.broadcast_shapes(given, *[array.shape for array in arrays])
    if len(shape) != len(given):
        complain_of(given, shape)
    for axis in tuple(range(len(shape))):
        if shape[axis] != given[axis]:
            complain_of(given, shape)
    return given


def complain_of(given, shape):
    raise ValueError(f"Output size {given} is not compatible with broadcast dimensions of inputs {shape}.")


def check_out(out, dtype, size, order):
    """What `out` must be to take the numbers; `order` is "C-" where they must lie in C order."""
    words = f"Supplied output array must be {order}contiguous, writable, aligned, and in machine byte-order."
    if not is_contiguous(out, "C"):
        if order == "C-" or not is_contiguous(out, "F"):
            raise ValueError(words)
    check_writable(out, words)
    if out.dtype != dtype:
        raise TypeError(f"Supplied output array has the wrong type. Expected {np.dtype(dtype)}, got {out.dtype}")
    if size is not None:
        given = shape_of(size)
        if len(given) != out.ndim:
            raise ValueError("size must match out.shape when used together")
        for axis in tuple(range(len(given))):
            if given[axis] != out.shape[axis]:
                raise ValueError("size must match out.shape when used together")


def drawn_into(generator, distribution, dtype, size, out, parameters):
    """As `drawn`, where `out` may be given."""
    if out is None:
        return drawn(generator, distribution, dtype, size, parameters)
    check_out(out, dtype, size, "C-" if len(parameters) > 0 else "")
    if is_contiguous(out, "C"):
        out[...] = drawn(generator, distribution, dtype, out.shape, parameters)
    else:  # in the order of memory
        out.T[...] = drawn(generator, distribution, dtype, out.shape[::-1], parameters)
    return out


def real_dtype(dtype, name):
    if np.dtype(dtype) != np.float64 and np.dtype(dtype) != np.float32:
        raise TypeError(f"Unsupported dtype {np.dtype(dtype)!r} for {name}")
    return np.dtype(dtype)
