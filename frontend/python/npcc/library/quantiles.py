"""Medians and quantiles."""

import numpy as np

from . import implements
from .axes import axis_index, axis_tuple, stored, stored_reduction
from .ordering import selected, selected_each
from .routines import check_operands
from .shapes import product_of
from .statistics import weights_along


def _lines(a, axis):
    """The array with `axis` (one, several, or None for all) as its last axis, and the shape that keepdims gives."""
    if axis is None:
        return np.ravel(a), (1,) * a.ndim
    if isinstance(axis, (tuple, list)):
        for k in tuple(range(len(axis))):
            if axis_index(axis[k], a.ndim) in [axis_index(one, a.ndim) for one in axis[:k]]:
                raise ValueError("repeated axis")
    axes = axis_tuple(axis, a.ndim)
    kept = ()
    order = ()
    shape = ()
    count = 1
    for k in tuple(range(a.ndim)):
        if k in axes:
            kept = kept + (1,)
            count = count * a.shape[k]
        else:
            kept = kept + (a.shape[k],)
            order = order + (k,)
            shape = shape + (a.shape[k],)
    if len(axes) == 1:
        return np.transpose(a, order + axes), kept
    return np.transpose(a, order + axes).reshape(shape + (count,)), kept


@implements(np.median)
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = np.asarray(a)
    lines, kept = _lines(a, axis)
    count = lines.shape[-1]
    if count == 0:
        result = np.mean(lines, axis=-1)
    else:
        low, high, last = selected_each(lines, ((count - 1) // 2, count // 2, count - 1))
        if a.dtype.kind in "biu":
            low = low.astype(np.float64)
            high = high.astype(np.float64)
        # The mean of one number too is a quotient, which makes NaN of infinite complex ones.
        middle = low / 1 if a.dtype.kind == "c" else low
        result = np.where(count % 2 == 1, middle, (low + high) / 2)[()]
        result = _finished(a, last, result, kept, False)
    if out is not None and keepdims:
        # NumPy stores into the first element along each axis that is reduced, also where the output has more of them.
        stored_reduction(result, _at_first(out, axis, a.ndim), "add")
        return out
    return stored_reduction(_kept(result, kept) if keepdims else result, out, "add", keepdims)


def _at_first(out, axis, ndim):
    axes = axis_tuple(axis, ndim)
    index = ()
    for k in tuple(range(ndim)):
        index = index + (0 if k in axes else slice(None),)
    return out[index + (Ellipsis,)]


def _finished(a, last, result, kept, keepdims):
    """NaN where a line holds any, which its last one in order is then, and the axes that stay."""
    if a.dtype.kind in "fc":
        result = np.where(np.isnan(last), last, result)[()]
    return _kept(result, kept) if keepdims else result


def _kept(result, shape):
    """An array, of no axes too."""
    return np.array(np.reshape(result, shape)) if len(shape) == 0 else np.reshape(result, shape)


# What Hyndman and Fan's continuous definitions add to the place n q - 1 (NumPy's `alpha` and `beta`).
_OFFSETS = {
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "median_unbiased": (1 / 3.0, 1 / 3.0),
    "normal_unbiased": (3 / 8.0, 3 / 8.0),
}
_METHODS = (
    "inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear median_unbiased normal_unbiased "
    "lower higher midpoint nearest"
).split()

def _places(n, q, method):
    """Where in a sorted line of `n` the quantiles are: integers are elements, others between two."""
    if method not in _METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: dict_keys({_METHODS})")
    if method == "linear":
        return (n - 1) * q
    if method == "lower":
        return np.floor((n - 1) * q).astype(np.int64)
    if method == "higher":
        return np.ceil((n - 1) * q).astype(np.int64)
    if method == "nearest":
        return np.around((n - 1) * q).astype(np.int64)
    if method == "midpoint":
        return 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q))
    if method in _OFFSETS:
        alpha, beta = _OFFSETS[method]
        return n * q + (alpha + q * (1 - alpha - beta)) - 1
    place = n * q - 1
    if method == "averaged_inverted_cdf":
        return place
    if method == "closest_observation":
        place = place - 0.5
        is_here = (place == np.floor(place)) & (np.floor(place) % 2 == 1)
    else:
        is_here = place == np.floor(place)
    return np.maximum(np.where(is_here, np.floor(place), np.floor(place) + 1), 0).astype(np.int64)


def _parts(places, below, method):
    """How far on the way from one element to the next."""
    part = places - below
    if method == "averaged_inverted_cdf":
        return np.where(part == 0, 0.5, 1.0).astype(part.dtype)
    if method == "midpoint":
        return np.where(places % 1 == 0, 0.0, 0.5).astype(part.dtype)
    return part


def _with_axes_first(elements, shape):
    """Elements of each line for places of this shape, whose axes go first."""
    return np.moveaxis(elements, -1, 0).reshape(shape + elements.shape[:-1])[()]


def _quantile(a, q, is_number, axis, keepdims, method):
    lines, kept = _lines(a, axis)
    places = np.asarray(_places(lines.shape[-1], q, method))
    are_elements = places.dtype.kind in "biu" and method != "averaged_inverted_cdf" and method not in _OFFSETS
    if lines.shape[-1] == 0:
        if are_elements and a.dtype.kind in "biu" and product_of(lines.shape[:-1]) > 0:
            raise IndexError("cannot do a non-empty take from an empty axes.")
        raise IndexError(f"index {-1 if a.dtype.kind == 'f' else 0} is out of bounds for axis 0 with size 0")
    last = lines.shape[-1] - 1
    if are_elements:
        elements = selected(lines, np.append(places, last))
        return _finished(a, elements[..., -1], _with_axes_first(elements[..., :-1], q.shape), q.shape + kept, keepdims)
    below = np.floor(places)
    part = _parts(places, np.where(places < 0, 0, np.where(places >= last, -1, below)).astype(below.dtype), method)
    at = np.clip(below, 0, last).astype(np.int64)
    above = np.where(places < 0, 0, np.minimum(at + 1, last))
    elements = selected(lines, np.concatenate((at.ravel(), above.ravel(), np.array([last]))))
    low = _with_axes_first(elements[..., :at.size], q.shape)
    high = _with_axes_first(elements[..., at.size:-1], q.shape)
    part = part.reshape(q.shape + (1,) * (lines.ndim - 1))
    if is_number:
        part = part.astype(a.dtype if a.dtype.kind == "f" else np.float64)
    step = high - low
    result = np.where(part >= 0.5, high - step * (1 - part), low + step * part)[()]
    return _finished(a, elements[..., -1], result, q.shape + kept, keepdims)


def _count_numbers(lines):
    return np.sum(~np.isnan(lines), axis=-1)


def _quantile_of_numbers(a, q, is_number, axis, keepdims, method):
    """`_quantile` of what is not NaN, of which each line has another number."""
    lines, kept = _lines(a, axis)
    if lines.shape[-1] == 0:
        lines = np.full(lines.shape[:-1] + (1,), np.nan, a.dtype)
    count = _count_numbers(lines)
    flat = q.reshape((-1,) + (1,) * count.ndim)
    # In NumPy each line has its number of elements as Python's, which leaves the dtype of `q`.
    places = np.asarray(_places(np.maximum(count, 1).astype(flat.dtype), flat, method))
    last = np.maximum(count - 1, 0)
    below = np.floor(places)
    at = np.clip(below, 0, last).astype(np.int64)
    if places.dtype.kind in "biu" and method != "averaged_inverted_cdf" and method not in _OFFSETS:
        result = _by_line(lines, at)
    else:
        part = _parts(places, np.where(places < 0, 0, np.where(places >= last, -1, below)).astype(below.dtype), method)
        elements = _by_line(lines, np.concatenate((at, np.where(places < 0, 0, np.minimum(at + 1, last)))))
        low, high = elements[:at.shape[0]], elements[at.shape[0]:]
        if is_number:
            part = part.astype(a.dtype)
        step = high - low
        result = np.where(part >= 0.5, high - step * (1 - part), low + step * part)
    if keepdims:
        return _kept(result, q.shape + kept)
    return result.reshape(q.shape + count.shape)[()]


def _by_line(lines, places):
    """From each line the elements that sorting would bring to its own places, which are along the first axis."""
    if lines.ndim == 1 and lines.dtype.kind == "f":
        return selected(lines, places)
    return np.moveaxis(np.take_along_axis(np.sort(lines, axis=-1), np.moveaxis(places, 0, -1), -1), -1, 0)


def _weighted_quantile(a, q, axis, keepdims, weights, method, skips_nan):
    w = weights_along(a, weights, axis)
    if np.any(w < 0):
        raise ValueError("Weights must be non-negative.")
    lines, kept = _lines(a, axis)
    shares, _ = _lines(np.broadcast_to(w, a.shape), axis)
    if skips_nan:
        shares = np.where(np.isnan(lines), 0, shares).astype(shares.dtype)
    order = np.argsort(lines, axis=-1)
    lines = np.take_along_axis(lines, order, -1)
    cdf = np.cumsum(np.take_along_axis(shares, order, -1), axis=-1, dtype=np.float64)
    total = np.take(cdf, [cdf.shape[-1] - 1], axis=-1)
    cdf = cdf / total
    is_empty = np.isnan(lines[..., 0]) if skips_nan else np.zeros((), bool)
    if np.any(np.isnan(cdf[..., -1]) & ~is_empty):
        raise ValueError("Weights included NaN, inf or were all zero.")
    if q.dtype.kind == "f":
        cdf = cdf.astype(q.dtype)
    cdf = np.where(cdf == 0, -1, cdf)  # elements without weight are none, before the first too
    # How many of each line are less, which is where a search in it would end.
    places = np.sum(np.expand_dims(cdf, -2) < q.reshape((-1, 1)), axis=-1)
    last = np.expand_dims(_count_numbers(lines) - 1, -1) if skips_nan else lines.shape[-1] - 1
    places = np.maximum(np.minimum(places, last), 0)
    result = np.moveaxis(np.take_along_axis(lines, places, -1), -1, 0)
    result = result.reshape(q.shape + lines.shape[:-1])
    if skips_nan:
        return np.asarray(np.reshape(result, q.shape + kept) if keepdims else result)
    return np.asarray(_finished(a, lines[..., -1], result, q.shape + kept, keepdims))


def _checked(a, q, axis, out, method, keepdims, weights, is_number, name, most, skips_nan=False):
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError(f"{name} must be in the range [0, {most}]")
    if q.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if skips_nan and a.size == 0:
        return np.nanmean(a, axis=axis, out=out, keepdims=keepdims)  # whatever is asked for
    skips_nan = skips_nan and a.dtype.kind == "f"
    keepdims = bool(keepdims)
    if weights is not None:
        result = _weighted_quantile(a, q, axis, keepdims, weights, method, skips_nan)
    elif skips_nan:
        result = _quantile_of_numbers(a, q, is_number, axis, keepdims, method)
    else:
        result = _quantile(a, q, is_number, axis, keepdims, method)
    if out is None or weights is not None or skips_nan:
        return stored(result, out)
    if method in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation"):  # NumPy takes elements
        if out.shape != result.shape:
            raise ValueError("output array does not match result of ndarray.take")
        return stored(result, out)
    check_operands((result, result), result.dtype, out, "add", "same_kind")  # and adds up what is between two of them
    return stored(result, out)


def _is_number(q):
    """A number of Python's, which has no dtype of its own."""
    return isinstance(q, (int, float)) and not isinstance(q, np.generic)


# What becomes of an array that may be overwritten is open: it stays as it is.
@implements(np.quantile)
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return _checked(np.asarray(a), np.asarray(q), axis, out, method, keepdims, weights, _is_number(q), "Quantiles", 1)


@implements(np.percentile)
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    places = np.asarray(np.true_divide(q, 100))
    return _checked(np.asarray(a), places, axis, out, method, keepdims, weights, _is_number(q), "Percentiles", 100)


@implements(np.nanquantile)
def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return _checked(np.asarray(a), np.asarray(q), axis, out, method, keepdims, weights, _is_number(q), "Quantiles", 1, True)


@implements(np.nanpercentile)
def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    places = np.asarray(np.true_divide(q, 100))
    return _checked(np.asarray(a), places, axis, out, method, keepdims, weights, _is_number(q), "Percentiles", 100, True)


@implements(np.nanmedian)
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return stored(median(a, axis, None, overwrite_input, keepdims), out)
    lines, kept = _lines(a, axis)
    if lines.shape[-1] == 0:
        result = np.mean(lines, axis=-1)
    else:
        count = _count_numbers(lines)
        low, high = _by_line(lines, np.stack((np.maximum(count - 1, 0) // 2, np.minimum(count // 2, lines.shape[-1] - 1))))
        result = np.where(count % 2 == 1, low, (low + high) / 2)[()]
    return stored(_kept(result, kept) if keepdims else result, out)
