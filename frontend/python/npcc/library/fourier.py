"""numpy.fft: the lines of one axis are a routine of the runtime; the scale of the result is arithmetic around it, which fuses with what follows."""

import numpy as np

from . import implements
from .axes import axis_index
from .routines import routine, stored_as_ufunc


# Before NumPy 2.5 some transforms give a new array whatever `out` is.
_KEEPS_OUT = np.lib.NumpyVersion(np.__version__) >= "2.5.0"


def _real_dtype(a):
    """The dtype of the real numbers that belong to the result: float16 stays, and integers are float64."""
    if a.dtype.kind == "f":
        return a.dtype
    if a.dtype == np.complex64:
        return np.dtype(np.float32)
    return np.dtype(np.float64)


def _complex_dtype(a, out=None):
    """Of the loop that NumPy takes: an output of float64 or complex128 makes it one of double precision."""
    is_double = isinstance(out, np.ndarray) and out.dtype in (np.dtype(np.float64), np.dtype(np.complex128))
    return np.dtype(np.complex128) if is_double or _real_dtype(a) == np.float64 else np.dtype(np.complex64)


def _swapped(norm):
    if norm is None or norm == "backward":
        return "forward"
    if norm == "forward":
        return "backward"
    if norm == "ortho":
        return norm
    raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')


def _factor(n, norm, dtype):
    """What the sums over `n` points are multiplied by; None if it is nothing."""
    if norm is None or norm == "backward":
        return None
    if norm == "ortho":
        return np.reciprocal(np.sqrt(np.asarray(n).astype(dtype)))
    if norm == "forward":
        return np.reciprocal(np.asarray(n).astype(dtype))
    raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')


def _lines(name, a, n, n_out, axis, dtype):
    """A routine along `axis`, into a new array with `n_out` elements there."""
    axis = axis_index(axis, a.ndim)
    result = np.empty(a.shape[:axis] + (n_out,) + a.shape[axis + 1:], dtype)
    lines = np.moveaxis(a, axis, -1)
    results = np.moveaxis(result, axis, -1)
    if name != "rfft":
        routine(name, (lines,), (results,))
    elif n % 2 == 0:
        routine("rfft_even", (lines,), (results,))
    else:
        routine("rfft_odd", (lines,), (results,))
    return result


def _finished(result, factor, dtype, name, out):
    """The scaled result, in `out` if there is one."""
    if factor is not None:
        result = result * factor.astype(np.float32 if result.dtype == np.float32 or result.dtype == np.complex64 else np.float64)
    if out is None:
        return result if result.dtype == dtype else result.astype(dtype)
    return stored_as_ufunc(result, out, name)


def _check_out(out, ndim, axis, n_out):
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    if out is not None and (out.ndim != ndim or out.shape[axis] != n_out):
        raise ValueError("output array has wrong shape.")


def _check_points(n):
    if isinstance(n, float):
        raise TypeError(f"'{'numpy.float64' if isinstance(n, np.float64) else 'float'}' object cannot be interpreted as an integer")
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")


def _complex_lines(a, n, axis, norm, is_forward, out):
    _check_points(n)
    factor = _factor(n, norm if is_forward else _swapped(norm), _real_dtype(a))
    dtype = _complex_dtype(a, out)
    axis = axis_index(axis, a.ndim)
    _check_out(out, a.ndim, axis, n)
    name = "fft" if is_forward else "ifft"
    if a.dtype != dtype:
        a = a.astype(dtype)
    return _finished(_lines(name, a, n, n, axis, dtype), factor, dtype, name, out)


def _complex_sums(a, points, axes, norm, is_forward):
    """The sums along all axes, which are different ones, over so many points each: up to three axes by one routine. And what they are to be multiplied by."""
    whole = tuple([axis_index(axis, a.ndim) for axis in axes])
    factor = None
    dtype = _complex_dtype(a)
    real = _real_dtype(a)
    for k in tuple(range(len(whole)))[::-1]:
        _check_points(points[k])
        one = _factor(points[k], norm if is_forward else _swapped(norm), real)
        factor = one if factor is None else factor * one
        real = np.dtype(np.float32) if dtype == np.complex64 else np.dtype(np.float64)  # of the first axis' result
    if a.dtype != dtype:
        a = a.astype(dtype)
    name = "fft" if is_forward else "ifft"
    for last in tuple(range(len(whole), 0, -3)):
        first = max(last - 3, 0)
        group = whole[first:last]
        shape = a.shape
        for k in tuple(range(first, last)):
            shape = shape[:whole[k]] + (points[k],) + shape[whole[k] + 1:]
        result = np.empty(shape, dtype)
        at = tuple(range(-len(group), 0))
        routine(name if len(group) == 1 else f"{name}{len(group)}", (np.moveaxis(a, group, at),), (np.moveaxis(result, group, at),))
        a = result
    return a, factor


def _comes_twice(axes, ndim):
    whole = ()
    is_repeated = False
    for axis in axes:
        is_repeated = is_repeated or axis_index(axis, ndim) in whole
        whole = whole + (axis_index(axis, ndim),)
    return is_repeated


def _complex_axes(a, points, axes, norm, is_forward):
    """The transforms along all axes, the last one first."""
    if _comes_twice(axes, a.ndim):
        for k in tuple(range(len(axes)))[::-1]:
            a = _complex_lines(a, points[k], axes[k], norm, is_forward, None)
        return a
    dtype = _complex_dtype(a)
    result, factor = _complex_sums(a, points, axes, norm, is_forward)
    return _finished(result, factor, dtype, "fft" if is_forward else "ifft", None)


@implements(np.fft.fft)
def fft(a, n=None, axis=-1, norm=None, out=None):
    a = np.asarray(a)
    return _complex_lines(a, a.shape[axis] if n is None else n, axis, norm, True, out)


@implements(np.fft.ifft)
def ifft(a, n=None, axis=-1, norm=None, out=None):
    a = np.asarray(a)
    return _complex_lines(a, a.shape[axis] if n is None else n, axis, norm, False, out)


@implements(np.fft.rfft)
def rfft(a, n=None, axis=-1, norm=None, out=None):
    a = np.asarray(a)
    n = a.shape[axis] if n is None else n
    _check_points(n)
    factor = _factor(n, norm, _real_dtype(a))
    n_out = n // 2 + 1
    axis = axis_index(axis, a.ndim)
    _check_out(out, a.ndim, axis, n_out)
    if a.dtype.kind == "c":
        if n % 2 == 0:
            raise TypeError("ufunc 'rfft_n_even' not supported for the input types, and the inputs could not be safely coerced to any supported "
                            "types according to the casting rule ''safe''")
        raise TypeError("ufunc 'rfft_n_odd' not supported for the input types, and the inputs could not be safely coerced to any supported types "
                        "according to the casting rule ''safe''")
    dtype = _complex_dtype(a, out)
    real = np.dtype(np.float32) if dtype == np.complex64 else np.dtype(np.float64)
    if a.dtype != real:
        a = a.astype(real)
    return _finished(_lines("rfft", a, n, n_out, axis, dtype), factor, dtype, "rfft_n_even", out)


@implements(np.fft.irfft)
def irfft(a, n=None, axis=-1, norm=None, out=None):
    a = np.asarray(a)
    n = (a.shape[axis] - 1) * 2 if n is None else n
    _check_points(n)
    real = _real_dtype(a)
    factor = _factor(n, _swapped(norm), real)
    dtype = _complex_dtype(a, out)
    axis = axis_index(axis, a.ndim)
    _check_out(out, a.ndim, axis, n)
    if a.dtype != dtype:
        a = a.astype(dtype)
    result = _lines("irfft", a, n, n, axis, np.dtype(np.float32) if dtype == np.complex64 else np.dtype(np.float64))
    return _finished(result, factor, real, "irfft", out)


@implements(np.fft.hfft)
def hfft(a, n=None, axis=-1, norm=None, out=None):
    a = np.asarray(a)
    n = (a.shape[axis] - 1) * 2 if n is None else n
    return irfft(np.conjugate(a), n, axis, _swapped(norm), out if _KEEPS_OUT else None)


@implements(np.fft.ihfft)
def ihfft(a, n=None, axis=-1, norm=None, out=None):
    a = np.asarray(a)
    n = a.shape[axis] if n is None else n
    result = rfft(a, n, axis, _swapped(norm), out)
    if out is None:
        return np.conjugate(result)
    return np.conjugate(out, out=out)


def _extents(a, s, axes, is_real=False, is_real_result=False):
    """How many points each of the axes has, and the axes."""
    if s is None:
        points = a.shape
        if axes is not None:
            points = ()
            for axis in axes:
                if a.ndim == 0:
                    raise IndexError("cannot do a non-empty take from an empty axes.")
                if axis < -a.ndim or axis >= a.ndim:
                    raise IndexError(f"index {axis} is out of bounds for axis 0 with size {a.ndim}")
                points = points + (a.shape[axis],)
    else:
        points = tuple(s)
    if axes is None:
        axes = tuple(range(-len(points), 0))
    if len(points) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if is_real and len(points) == 0:
        raise IndexError("list index out of range")
    if s is None:
        if is_real_result:
            points = points[:-1] + ((a.shape[axes[-1]] - 1) * 2,)
        return points, axes
    whole = ()
    for k in tuple(range(len(points))):
        whole = whole + (a.shape[axes[k]] if points[k] == -1 else points[k],)
    return whole, axes


def _several_axes(a, s, axes, norm, is_forward, out):
    a = np.asarray(a)
    points, axes = _extents(a, s, axes)
    if out is None and len(axes) > 0:
        return _complex_axes(a, points, axes, norm, is_forward)
    for k in tuple(range(len(axes)))[::-1]:
        a = _complex_lines(np.asarray(a), points[k], axes[k], norm, is_forward, out)
    return a


@implements(np.fft.fftn)
def fftn(a, s=None, axes=None, norm=None, out=None):
    return _several_axes(a, s, axes, norm, True, out)


@implements(np.fft.ifftn)
def ifftn(a, s=None, axes=None, norm=None, out=None):
    return _several_axes(a, s, axes, norm, False, out)


@implements(np.fft.fft2)
def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return fftn(a, s, axes, norm, out)


@implements(np.fft.ifft2)
def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return ifftn(a, s, axes, norm, out if _KEEPS_OUT else None)


@implements(np.fft.rfftn)
def rfftn(a, s=None, axes=None, norm=None, out=None):
    a = np.asarray(a)
    points, axes = _extents(a, s, axes, True)
    a = rfft(a, points[-1], axes[-1], norm, out)
    if out is None and len(axes) > 1:
        return _complex_axes(a, points[:-1], axes[:-1], norm, True)
    for k in tuple(range(len(axes) - 1))[::-1]:
        a = fft(a, points[k], axes[k], norm, out)
    return a


@implements(np.fft.rfft2)
def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return rfftn(a, s, axes, norm, out)


@implements(np.fft.irfftn)
def irfftn(a, s=None, axes=None, norm=None, out=None):
    a = np.asarray(a)
    points, axes = _extents(a, s, axes, True, True)
    if len(axes) == 1 or _comes_twice(axes, a.ndim):
        for k in tuple(range(len(axes) - 1)):
            a = ifft(a, points[k], axes[k], norm)
        return irfft(a, points[-1], axes[-1], norm, out)
    _check_out(out, a.ndim, axis_index(axes[-1], a.ndim), points[-1])
    sums, factor = _complex_sums(a, points[:-1], axes[:-1], norm, False)
    _check_points(points[-1])
    real = _real_dtype(sums)
    last = _factor(points[-1], _swapped(norm), real)
    dtype = _complex_dtype(sums, out)
    if sums.dtype != dtype:
        sums = sums.astype(dtype)
    result = _lines("irfft", sums, points[-1], points[-1], axes[-1], np.dtype(np.float32) if dtype == np.complex64 else np.dtype(np.float64))
    return _finished(result, last if factor is None else factor * last, real, "irfft", out)


@implements(np.fft.irfft2)
def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return irfftn(a, s, axes, norm, out if _KEEPS_OUT else None)


def _shifted(x, axes, direction):
    x = np.asarray(x)
    if axes is None and x.ndim == 0:
        raise ValueError("not enough values to unpack (expected 2, got 0)")
    if axes is None:
        axes = tuple(range(x.ndim))
    if isinstance(axes, (tuple, list)):
        return np.roll(x, tuple([direction * (x.shape[axis] // 2) for axis in axes]), tuple(axes))
    return np.roll(x, direction * (x.shape[axes] // 2), axes)


@implements(np.fft.fftshift)
def fftshift(x, axes=None):
    return _shifted(x, axes, 1)


@implements(np.fft.ifftshift)
def ifftshift(x, axes=None):
    return _shifted(x, axes, -1)


def _check_length(n, device):
    if device is not None and device != "cpu":
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
    if not isinstance(n, (int, np.integer)):
        raise ValueError("n should be an integer")


def _step(n, d):
    # The product of two of Python's integers may be longer than 64 bits.
    return 1.0 / (float(n) * d if isinstance(d, int) else n * d)


@implements(np.fft.fftfreq)
def fftfreq(n, d=1.0, device=None):
    _check_length(n, device)
    step = _step(n, d)
    if n < 0:
        raise ValueError("negative dimensions are not allowed")
    k = np.arange(n)
    return np.where(k < (n + 1) // 2, k, k - n) * step


@implements(np.fft.rfftfreq)
def rfftfreq(n, d=1.0, device=None):
    _check_length(n, device)
    step = _step(n, d)
    return np.arange(n // 2 + 1) * step
