"""scipy.ndimage: filters. An element is a sum, or another total, of the elements around it, in double precision; what lies outside is given by the mode."""
import numpy as np

from . import implements_of
from .axes import axis_index, axis_tuple

_NDIMAGE = implements_of("scipy.ndimage")
_MODES = {"reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge", "constant": "constant", "grid-constant": "constant",
          "wrap": "wrap", "grid-wrap": "wrap"}


def _extended(x, before, after, mode, cval):
    """With so many elements more along each axis."""
    if mode not in _MODES:
        raise RuntimeError("boundary mode not supported")
    widths = [(before[k], after[k]) for k in range(x.ndim)]
    return np.pad(x, widths, "constant", constant_values=cval) if _MODES[mode] == "constant" else np.pad(x, widths, _MODES[mode])


def _computed(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _windows(x, sizes, origins, mode, cval):
    """The elements around each one, as axes behind the others."""
    before = [sizes[k] // 2 + origins[k] for k in range(x.ndim)]
    after = [sizes[k] - 1 - before[k] for k in range(x.ndim)]
    return np.lib.stride_tricks.sliding_window_view(_extended(x, before, after, mode, cval), tuple(sizes))


def _line_windows(x, size, axis, origin, mode, cval):
    """Of one axis: the windows along the last axis, and that axis in front of it."""
    lines = np.moveaxis(x, axis, -1)
    before = [0] * (x.ndim - 1) + [size // 2 + origin]
    after = [0] * (x.ndim - 1) + [size - 1 - size // 2 - origin]
    return np.lib.stride_tricks.sliding_window_view(_extended(lines, before, after, mode, cval), size, axis=-1)


def _finished(result, x, output):
    if output is None:
        return result.astype(x.dtype)
    if isinstance(output, (type, np.dtype, str)):
        return result.astype(output)
    output[...] = result.astype(output.dtype)
    return output


def _for_each_axis(value, ndim):
    return list(value) if isinstance(value, (tuple, list)) else [value] * ndim


def _correlated(x, weights, axis, mode, cval, origin):
    windows = _line_windows(x, weights.shape[0], axis, origin, mode, cval)
    return np.moveaxis(np.sum(windows * weights, axis=-1), -1, axis)


def _weights(weights):
    weights = np.asarray(weights)
    return weights.astype(np.complex128 if weights.dtype.kind == "c" else np.float64)


@_NDIMAGE
def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    x = np.asarray(input)
    return _finished(_correlated(_computed(x), _weights(weights), axis_index(axis, x.ndim), mode, cval, origin), x, output)


@_NDIMAGE
def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    weights = _weights(weights)[::-1]
    return correlate1d(input, weights, axis, output, mode, cval, -origin - (1 if weights.shape[0] % 2 == 0 else 0))


def _sums_of_products(x, weights, mode, cval, origins):
    windows = _windows(x, weights.shape, origins, mode, cval)
    return np.sum(windows * weights, axis=tuple(range(-x.ndim, 0)))


@_NDIMAGE
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    x = np.asarray(input)
    weights = _weights(weights)
    if axes is not None or weights.ndim != x.ndim:
        raise RuntimeError("weights.ndim must match len(axes)" if axes is not None else "filter weights array has incorrect shape.")
    return _finished(_sums_of_products(_computed(x), weights, mode, cval, _for_each_axis(origin, x.ndim)), x, output)


@_NDIMAGE
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    weights = np.flip(_weights(weights))
    origins = _for_each_axis(origin, weights.ndim)
    turned = [-origins[k] - (1 if weights.shape[k] % 2 == 0 else 0) for k in range(weights.ndim)]
    return correlate(input, weights, output, mode, cval, turned, axes=axes)


def _gaussian(sigma, order, radius):
    """The normal density, or a derivative of it, at -radius to radius."""
    x = np.arange(-radius, radius + 1)
    variance = sigma * sigma
    density = np.exp(-0.5 / variance * x * x)
    density = density / np.sum(density)
    if order == 1:
        return density * (-x / variance)
    if order == 2:
        return density * (x * x / (variance * variance) - 1 / variance)
    if order != 0:
        raise NotImplementedError("scipy.ndimage: Gaussian filters of an order above 2 cannot be compiled")
    return density


def _gaussian_of_axis(x, sigma, axis, order, mode, cval, truncate, radius):
    radius = int(truncate * float(sigma) + 0.5) if radius is None else radius
    return _correlated(x, _gaussian(float(sigma), order, radius)[::-1], axis, mode, cval, 0)


@_NDIMAGE
def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    x = np.asarray(input)
    return _finished(_gaussian_of_axis(_computed(x), sigma, axis_index(axis, x.ndim), order, mode, cval, truncate, radius), x, output)


@_NDIMAGE
def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
    x = np.asarray(input)
    axes = axis_tuple(axes, x.ndim)
    sigmas = _for_each_axis(sigma, len(axes))
    orders = _for_each_axis(order, len(axes))
    modes = _for_each_axis(mode, len(axes))
    radii = _for_each_axis(radius, len(axes))
    for k in range(len(axes)):
        x = _finished(_gaussian_of_axis(_computed(x), sigmas[k], axes[k], orders[k], modes[k], cval, truncate, radii[k]), x, None)
    return x if output is None else _finished(x, x, output)


@_NDIMAGE
def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    x = np.asarray(input)
    axis = axis_index(axis, x.ndim)
    windows = _line_windows(_computed(x), size, axis, origin, mode, cval)
    return _finished(np.moveaxis(np.sum(windows, axis=-1) / size, -1, axis), x, output)


@_NDIMAGE
def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    x = np.asarray(input)
    axes = axis_tuple(axes, x.ndim)
    sizes = _for_each_axis(size, len(axes))
    origins = _for_each_axis(origin, len(axes))
    modes = _for_each_axis(mode, len(axes))
    for k in range(len(axes)):
        x = uniform_filter1d(x, sizes[k], axes[k], None, modes[k], cval, origins[k])
    return x if output is None else _finished(x, x, output)


def _check_plain(footprint, structure):
    if footprint is not None or structure is not None:
        raise NotImplementedError("scipy.ndimage: filters with a footprint or a structure cannot be compiled")


@_NDIMAGE
def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    _check_plain(footprint, axes)
    x = np.asarray(input)
    windows = _windows(x, _for_each_axis(size, x.ndim), _for_each_axis(origin, x.ndim), mode, cval)
    return _finished(np.max(windows, axis=tuple(range(-x.ndim, 0))), x, output)


@_NDIMAGE
def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    _check_plain(footprint, axes)
    x = np.asarray(input)
    windows = _windows(x, _for_each_axis(size, x.ndim), _for_each_axis(origin, x.ndim), mode, cval)
    return _finished(np.min(windows, axis=tuple(range(-x.ndim, 0))), x, output)


@_NDIMAGE
def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    _check_plain(footprint, axes)
    x = np.asarray(input)
    sizes = _for_each_axis(size, x.ndim)
    count = 1
    for extent in sizes:
        count = count * extent
    windows = _windows(x, sizes, _for_each_axis(origin, x.ndim), mode, cval)
    return _finished(np.sort(windows.reshape(x.shape + (count,)), axis=-1)[..., count // 2], x, output)


def _gradient(input, axis, output, mode, cval, across):
    x = np.asarray(input)
    axis = axis_index(axis, x.ndim)
    result = _finished(_correlated(_computed(x), np.array([-1.0, 0.0, 1.0]), axis, mode, cval, 0), x, None)
    for other in range(x.ndim):
        if other != axis:
            result = _finished(_correlated(_computed(result), across, other, mode, cval, 0), x, None)
    return _finished(result, x, output)


@_NDIMAGE
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return _gradient(input, axis, output, mode, cval, np.array([1.0, 2.0, 1.0]))


@_NDIMAGE
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return _gradient(input, axis, output, mode, cval, np.array([1.0, 1.0, 1.0]))


@_NDIMAGE
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    x = np.asarray(input)
    total = np.zeros(x.shape, x.dtype)
    for axis in axis_tuple(axes, x.ndim):
        total = total + _finished(_correlated(_computed(x), np.array([1.0, -2.0, 1.0]), axis, mode, cval, 0), x, None)
    return _finished(total, x, output)
