"""scipy.signal and scipy.fft: convolutions, filters that go along a line, and transforms beside those of numpy.fft."""
import numpy as np

from . import fourier, implements_of
from .axes import axis_index
from .signals import convolve as numpy_convolve

_SIGNAL = implements_of("scipy.signal")
_FFT = implements_of("scipy.fft")


def _cut(full, shape, mode, other, more=0):
    """Of all sums of products those that the mode wants: as many as there are in `shape`, about the middle, or those for which one of the two arrays lies
    inside the other. `more`: where the middle lies between two, the second one is meant."""
    if mode == "valid":
        is_larger = True
        is_smaller = True
        for k in range(full.ndim):
            is_larger = is_larger and shape[k] >= other[k]
            is_smaller = is_smaller and shape[k] <= other[k]
        if not (is_larger or is_smaller):
            raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")
    for k in range(full.ndim):
        n = full.shape[k]
        if mode == "same":
            first = (n - shape[k] + more) // 2
            full = full[(slice(None),) * k + (slice(first, first + shape[k]),)]
        elif mode == "valid":
            first = min(shape[k], other[k]) - 1
            full = full[(slice(None),) * k + (slice(first, n - first),)]
        elif mode != "full":
            raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    return full


def _all_products(a, v):
    """The full convolution of arrays of as many axes: one sum for each element."""
    sizes = v.shape
    widths = [(sizes[k] - 1, sizes[k] - 1) for k in range(a.ndim)]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(a, widths), tuple(sizes))
    return np.sum(windows * np.flip(v), axis=tuple(range(-a.ndim, 0)))


def _operands(in1, in2):
    a = np.asarray(in1)
    v = np.asarray(in2)
    if a.ndim != v.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    dtype = np.result_type(a, v)
    return a.astype(dtype), v.astype(dtype)


@_SIGNAL
def convolve(in1, in2, mode="full", method="auto"):
    a, v = _operands(in1, in2)
    if a.ndim == 0:
        return a * v
    full = numpy_convolve(a, v) if a.ndim == 1 else _all_products(a, v)
    return _cut(full, a.shape, mode, v.shape).copy()


@_SIGNAL
def correlate(in1, in2, mode="full", method="auto"):
    a, v = _operands(in1, in2)
    return convolve(a, np.conjugate(np.flip(v)), mode)


@_SIGNAL
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return _products_of_planes(in1, in2, mode, boundary, fillvalue, 0)


def _products_of_planes(in1, in2, mode, boundary, fillvalue, more):
    a, v = _operands(in1, in2)
    if a.ndim != 2:
        raise ValueError("convolve2d inputs must both be 2-D arrays")
    if boundary not in ("fill", "pad", "symm", "symmetric", "wrap", "circular"):
        raise ValueError("Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm').")
    widths = [(v.shape[0] - 1, v.shape[0] - 1), (v.shape[1] - 1, v.shape[1] - 1)]
    if boundary == "fill" or boundary == "pad":
        padded = np.pad(a, widths, "constant", constant_values=fillvalue)
    else:
        padded = np.pad(a, widths, "symmetric" if boundary[0] == "s" else "wrap")
    windows = np.lib.stride_tricks.sliding_window_view(padded, tuple(v.shape))
    return _cut(np.sum(windows * np.flip(v), axis=(-2, -1)), a.shape, mode, v.shape, more).copy()


@_SIGNAL
def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return _products_of_planes(in1, np.conjugate(np.flip(np.asarray(in2))), mode, boundary, fillvalue, 1)


@_SIGNAL
def fftconvolve(in1, in2, mode="full", axes=None):
    a, v = _operands(in1, in2)
    if a.dtype.kind not in "fc":
        a = a.astype(np.float64)
        v = v.astype(np.float64)
    if axes is not None:
        raise NotImplementedError("scipy.signal.fftconvolve with axes cannot be compiled")
    shape = [a.shape[k] + v.shape[k] - 1 for k in range(a.ndim)]
    every = tuple(range(a.ndim))
    if a.dtype.kind == "c":
        full = fourier.ifftn(fourier.fftn(a, shape, every) * fourier.fftn(v, shape, every), shape, every)
    else:
        full = fourier.irfftn(fourier.rfftn(a, shape, every) * fourier.rfftn(v, shape, every), shape, every)
    return _cut(full, a.shape, mode, v.shape).copy()


@_SIGNAL
def lfilter(b, a, x, axis=-1, zi=None):
    """The recurrence with its state after each element (the transposed direct form)."""
    b = np.atleast_1d(b)
    a = np.atleast_1d(a)
    x = np.asarray(x)
    if b.ndim != 1 or a.ndim != 1:
        raise ValueError("object of too small depth for desired array")
    axis = axis_index(axis, x.ndim)
    dtype = np.result_type(a, b, x) if zi is None else np.result_type(a, b, x, zi)
    if dtype.kind not in "fc":
        dtype = np.dtype(np.float64)
    lines = np.moveaxis(x, axis, -1).astype(dtype)
    count = max(a.shape[0], b.shape[0])
    above = np.zeros(count, dtype)
    above[:b.shape[0]] = b / a[0]
    below = np.zeros(count, dtype)
    below[:a.shape[0]] = a / a[0]
    state = np.zeros(lines.shape[:-1] + (count,), dtype)
    if zi is not None:
        state[..., :count - 1] = np.moveaxis(np.asarray(zi), axis, -1)
    y = np.empty_like(lines)
    for n in range(lines.shape[-1]):
        y[..., n] = above[0] * lines[..., n] + state[..., 0]
        for k in range(count - 1):
            state[..., k] = above[k + 1] * lines[..., n] + state[..., k + 1] - below[k + 1] * y[..., n]
    result = np.moveaxis(y, -1, axis)
    return result if zi is None else (result, np.moveaxis(state[..., :count - 1], -1, axis))


@_FFT
def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.fft(x, n, axis, norm)


@_FFT
def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.ifft(x, n, axis, norm)


@_FFT
def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.rfft(x, n, axis, norm)


@_FFT
def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.irfft(x, n, axis, norm)


@_FFT
def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.fftn(x, s, _axes_of(x, s, axes), norm)


@_FFT
def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.ifftn(x, s, _axes_of(x, s, axes), norm)


@_FFT
def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.rfftn(x, s, _axes_of(x, s, axes), norm)


@_FFT
def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.irfftn(x, s, _axes_of(x, s, axes), norm)


@_FFT
def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.fft2(x, s, axes, norm)


@_FFT
def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.ifft2(x, s, axes, norm)


@_FFT
def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.rfft2(x, s, axes, norm)


@_FFT
def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return fourier.irfft2(x, s, axes, norm)


def _axes_of(x, s, axes):
    """All axes, or as many of the last ones as there are lengths, which NumPy wants to be said."""
    if axes is not None:
        return axes
    ndim = np.asarray(x).ndim
    return tuple(range(ndim)) if s is None else tuple(range(ndim - len(s), ndim))


@_FFT
def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Of type 2, by a transform of the even elements and the odd ones turned around."""
    if type != 2 or n is not None or orthogonalize is not None:
        raise NotImplementedError("scipy.fft.dct of another type than 2, or with n or orthogonalize, cannot be compiled")
    x = np.asarray(x)
    if x.dtype.kind not in "f":
        x = x.astype(np.float64)
    axis = axis_index(axis, x.ndim)
    lines = np.moveaxis(x, axis, -1)
    count = lines.shape[-1]
    order = np.concatenate((np.arange(0, count, 2), np.arange(1, count, 2)[::-1]))
    k = np.arange(count)
    angle = np.pi * k / (2 * count)
    terms = fourier.fft(lines[..., order])
    result = 2 * (terms.real * np.cos(angle) + terms.imag * np.sin(angle))
    if norm == "ortho":
        result = result * np.where(k == 0, np.sqrt(0.25 / count), np.sqrt(0.5 / count))
    elif norm == "forward":
        result = result / (2 * count)
    return np.moveaxis(result.astype(x.dtype), -1, axis)
