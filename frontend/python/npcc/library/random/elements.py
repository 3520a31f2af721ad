"""Draws element by element: parameters are broadcast, `size` and `out` say where the numbers go."""

import numpy as np

from ..routines import check_writable, is_contiguous
from .primitives import draw, draw_scalar

# Numbers that are `shift + scale * standard`, as NumPy computes and rounds them too: which standard numbers these are, and the parameters of those.
SHIFTED = {
    "normal": ("standard_normal", ()),
    "uniform": ("random", ()),
    "gumbel": ("gumbel", (0.0, 1.0)),
    "laplace": ("laplace", (0.0, 1.0)),
    "logistic": ("logistic", (0.0, 1.0)),
}
# And `scale * standard`.
SCALED = {"exponential": ("standard_exponential", ()), "rayleigh": ("rayleigh", (1.0,))}


def shape_of(size):
    """`size`, which is not None, as a tuple."""
    if isinstance(size, (tuple, list)):
        return tuple(size)
    if isinstance(size, (bool, np.bool_, float, complex, np.ndarray)):
        return np.empty(size).shape  # which may be the error
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
    if are_real(arrays):
        if distribution in SHIFTED:
            numbers = standard_numbers(generator, distribution, SHIFTED[distribution], size, 1, arrays)
            return arrays[0].astype(np.float64) + arrays[1].astype(np.float64) * numbers
        if distribution in SCALED:
            return arrays[0].astype(np.float64) * standard_numbers(generator, distribution, SCALED[distribution], size, 0, arrays)
        if distribution == "gamma" and are_scalars((parameters[0],)):
            if parameters[0] >= 0:  # else the draw's error is the one
                standard = ("standard_gamma", (parameters[0],))
                return arrays[1].astype(np.float64) * standard_numbers(generator, distribution, standard, size, 1, arrays)
    if not are_drawn(size, arrays):
        check_parameters(generator, distribution, dtype, (), arrays)
    out = np.empty(broadcast_shape(size, arrays), dtype)
    draw(generator, distribution, out, (), tuple([np.broadcast_to(array, out.shape) for array in arrays]))
    return out


def are_real(arrays):
    for array in arrays:
        if array.dtype.kind not in "fiu":
            return False
    return True


def standard_numbers(generator, distribution, standard, size, at, arrays):
    """As many standard numbers as a draw of these parameters has, of which number `at` is the scale. They need no parameter that differs from one to
    the next, so that a device draws them; what is done to them is a kernel like any other."""
    scale = arrays[at].astype(np.float64)
    is_bad = np.any(np.logical_and(np.signbit(scale), np.logical_not(np.isnan(scale))))
    if is_bad:  # the draw's error, before the generator goes on: one value stands for all
        sample = tuple([-1.0 if k == at else 1.0 for k in tuple(range(len(arrays)))])
        check_parameters(generator, distribution, np.float64, sample, ())
    row, parameters = standard
    numbers = np.empty(broadcast_shape(size, arrays), np.float64)
    draw(generator, row, numbers, parameters, ())
    return numbers


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
