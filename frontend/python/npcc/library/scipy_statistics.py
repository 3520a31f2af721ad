"""scipy.stats and scipy.integrate: the normal distribution, moments, and integrals of values at points."""
import math

import numpy as np

from . import implements_of
from .axes import axis_index
from .scipy_special import ndtr, ndtri

_STATS = implements_of("scipy.stats")
_INTEGRATE = implements_of("scipy.integrate")


def _standard(x, loc, scale):
    """Of arrays or numbers; NaN where the scale is no such."""
    return np.where(np.asarray(scale) > 0, (np.asarray(x) - loc) / scale, np.nan).astype(np.float64)


@implements_of("scipy.stats", "norm.pdf")
def normal_density(x, loc=0, scale=1):
    z = _standard(x, loc, scale)
    return (np.exp(-z * z / 2) / math.sqrt(2 * math.pi) / scale)[()]


@implements_of("scipy.stats", "norm.logpdf")
def logarithm_of_normal_density(x, loc=0, scale=1):
    z = _standard(x, loc, scale)
    return (-z * z / 2 - math.log(math.sqrt(2 * math.pi)) - np.log(scale))[()]


@implements_of("scipy.stats", "norm.cdf")
def normal_distribution(x, loc=0, scale=1):
    return ndtr(_standard(x, loc, scale))[()]


@implements_of("scipy.stats", "norm.sf")
def normal_survival(x, loc=0, scale=1):
    return ndtr(-_standard(x, loc, scale))[()]


@implements_of("scipy.stats", "norm.ppf")
def normal_quantile(q, loc=0, scale=1):
    return (ndtri(np.asarray(q).astype(np.float64)) * scale + loc)[()]


@implements_of("scipy.stats", "norm.isf")
def normal_upper_quantile(q, loc=0, scale=1):
    return (loc - ndtri(np.asarray(q).astype(np.float64)) * scale)[()]


def _check_nan_policy(nan_policy):
    if nan_policy != "propagate":
        raise NotImplementedError("scipy.stats: another nan_policy than 'propagate' cannot be compiled")


def _floats(a):
    a = np.asarray(a)
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


@_STATS
def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    _check_nan_policy(nan_policy)
    a = _floats(a)
    return (a - np.mean(a, axis=axis, keepdims=True)) / np.std(a, axis=axis, ddof=ddof, keepdims=True)


def _moments(a, axis):
    centred = a - np.mean(a, axis=axis, keepdims=True)
    return centred, np.mean(centred * centred, axis=axis)


@_STATS
def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    _check_nan_policy(nan_policy)
    if keepdims:
        raise NotImplementedError("scipy.stats.skew with keepdims cannot be compiled")
    a = _floats(a)
    n = a.size if axis is None else a.shape[axis]
    centred, second = _moments(a, axis)
    result = np.mean(centred * centred * centred, axis=axis) / (second * np.sqrt(second))
    return result if bias else result * np.sqrt((n - 1.0) * n) / (n - 2.0)


@_STATS
def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    _check_nan_policy(nan_policy)
    if keepdims:
        raise NotImplementedError("scipy.stats.kurtosis with keepdims cannot be compiled")
    a = _floats(a)
    n = a.size if axis is None else a.shape[axis]
    centred, second = _moments(a, axis)
    squares = centred * centred
    result = np.mean(squares * squares, axis=axis) / (second * second)
    if not bias:
        result = 1.0 / (n - 2) / (n - 3) * ((n * n - 1.0) * result - 3 * (n - 1) ** 2.0) + 3.0
    return result - 3 if fisher else result


@_INTEGRATE
def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


def _steps(y, x, dx, axis):
    """The axis last; the distances along it."""
    lines = np.moveaxis(np.asarray(y), axis, -1)
    if x is None:
        return lines, np.full(lines.shape[-1] - 1, dx, np.result_type(lines.dtype, dx))
    x = np.asarray(x)
    return lines, np.diff(x if x.ndim == 1 else np.moveaxis(x, axis, -1), axis=-1)


@_INTEGRATE
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    axis = axis_index(axis, np.asarray(y).ndim)
    lines, step = _steps(y, x, dx, axis)
    sums = np.cumsum(step * (lines[..., 1:] + lines[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        if initial != 0:
            raise ValueError("`initial` must be `None` or `0`.")
        sums = np.concatenate((np.zeros(sums.shape[:-1] + (1,), sums.dtype), sums), axis=-1)
    return np.moveaxis(sums, -1, axis)


@_INTEGRATE
def simpson(y, x=None, *, dx=1.0, axis=-1):
    """By parabolas through three points each; behind an even number of points the last part is Cartwright's."""
    axis = axis_index(axis, np.asarray(y).ndim)
    lines, step = _steps(y, x, dx, axis)
    n = lines.shape[-1]
    odd = n - (1 if n % 2 == 0 else 0)
    left, right = step[..., 0:odd - 1:2], step[..., 1:odd - 1:2]
    both = left + right
    parts = both / 6.0 * (lines[..., 0:odd - 2:2] * (2 - right / left) + lines[..., 1:odd - 1:2] * (both * both / (left * right))
                          + lines[..., 2:odd:2] * (2 - left / right))
    total = np.sum(parts, axis=-1)
    if n == 2:
        total = total + 0.5 * step[..., 0] * (lines[..., 0] + lines[..., 1])
    elif n % 2 == 0:
        before, last = step[..., n - 3], step[..., n - 2]
        total = total + ((2 * last * last + 3 * before * last) / (6 * (last + before)) * lines[..., n - 1]
                         + (last * last + 3 * last * before) / (6 * before) * lines[..., n - 2]
                         - last * last * last / (6 * before * (before + last)) * lines[..., n - 3])
    return total
