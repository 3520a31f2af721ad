"""Arrays of other shapes, dtypes and layouts."""

import numpy as np

from . import implements
from .axes import axis_index
from .routines import is_contiguous, is_known, stretched
from .shapes import extents_of, product_of


@implements(np.resize)
def resize(a, new_shape):
    shape = extents_of(new_shape)
    for extent in shape:
        if extent < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
    line = np.ravel(a)
    size = product_of(shape)
    if size == 0 or line.size == 0:
        return np.zeros(shape, line.dtype)
    return line[np.arange(size) % line.size].reshape(shape)


@implements(np.require)
def require(a, dtype=None, requirements=None):
    order = "A"
    copies = False
    for one in () if requirements is None else tuple(requirements):
        name = one.upper()
        if name in ("C", "C_CONTIGUOUS", "CONTIGUOUS"):
            if order == "F":
                raise ValueError('Cannot specify both "C" and "F" order')
            order = "C"
        elif name in ("F", "F_CONTIGUOUS", "FORTRAN"):
            if order == "C":
                raise ValueError('Cannot specify both "C" and "F" order')
            order = "F"
        elif name in ("W", "WRITEABLE", "O", "OWNDATA"):
            copies = True
        elif name not in ("A", "ALIGNED", "E", "ENSUREARRAY"):
            raise KeyError(one)
    if copies:
        raise NotImplementedError("numpy.require of an array that owns its memory or is writeable cannot be compiled: copy() gives one")
    if order == "A":
        return np.asarray(a, dtype=dtype)
    return np.asarray(a, dtype=dtype, order=order)


@implements(np.astype)
def astype(x, dtype, /, *, copy=True, device=None):
    if not isinstance(x, np.ndarray):
        raise TypeError(f"Input should be a NumPy array. It is of type {type(x)}.")
    if device is not None and device != "cpu":
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
    return x.astype(dtype, copy=copy)


@implements(np.broadcast_arrays)
def broadcast_arrays(*args):
    arrays = tuple([np.asarray(array) for array in args])
    shape = np.broadcast_shapes(*[array.shape for array in arrays])
    return tuple([_stretched(array, shape) for array in arrays])


def _stretched(array, shape):
    """The array itself where it has the shape already."""
    if array.ndim == len(shape):
        if array.shape == shape:
            return array
    return stretched(array, shape)


@implements(np.frombuffer)
def frombuffer(buffer, dtype=float, count=-1, offset=0):
    if isinstance(buffer, (bytes, bytearray)):
        raise NotImplementedError("numpy.frombuffer of bytes cannot be compiled: give the function the array, or make it of [ord(c) for c in text]")
    if not isinstance(buffer, (np.ndarray, np.generic)):
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    buffer = np.asarray(buffer)
    if not is_contiguous(buffer, "C"):
        raise ValueError("ndarray is not C-contiguous")
    size = np.dtype(dtype).itemsize
    length = buffer.nbytes
    if offset < 0 or offset > length:
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({length})")
    rest = length - offset
    if count < 0:
        if rest % size != 0:
            raise ValueError("buffer size must be a multiple of element size")
        count = rest // size
    elif rest < count * size:
        raise ValueError("buffer is smaller than requested size")
    return buffer.reshape(-1).view(np.uint8)[offset:offset + count * size].view(dtype)


@implements("unstack")
def unstack(x, /, *, axis=0):
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    rows = np.moveaxis(x, axis, 0)
    if not is_known(rows.shape[0]):
        raise NotImplementedError("numpy.unstack along an axis whose extent is known at run time only cannot be compiled: "
                                  "unpack, or go over, numpy.moveaxis(x, axis, 0)")
    return tuple([rows[k] for k in tuple(range(rows.shape[0]))])


@implements(np.fromiter)
def fromiter(iter, dtype, count=-1):
    a = np.array(list(iter), dtype=dtype)
    if count >= 0:
        if a.shape[0] < count:
            raise ValueError(f"iterator too short: Expected {count} but iterator had only {a.shape[0]} items.")
        a = a[:count]
    return a


@implements(np.real_if_close)
def real_if_close(a, tol=100):
    a = np.asarray(a)
    if a.dtype.kind == "c":
        bound = np.finfo(a.dtype).eps * tol if tol > 1 else tol
        if np.all(np.abs(a.imag) < bound):
            return a.real
    return a
