"""Integers between bounds, of any integer dtype."""

import numpy as np

from ..routines import is_caught
from . import method
from .elements import are_scalars, complain_of, shape_of
from .primitives import draw, draw_scalar

# The flags of the rows `integers` and `masked_integers` (runtime/random/Draws.h).
INCLUDES_HIGH, LOW_IS_UNSIGNED, HIGH_IS_UNSIGNED, HIGH_IS_LOWERED = 1, 2, 4, 8


def integer_dtype(dtype, name):
    kind = np.dtype(dtype)
    if kind.kind not in "iub":
        raise TypeError(f"Unsupported dtype {kind!r} for {name}")
    return kind


def bounded(generator, row, low, high, size, dtype, endpoint):
    """Numbers from low to high, which is one of them with `endpoint`."""
    flags = INCLUDES_HIGH if endpoint else 0
    if are_scalars((low, high)):
        if isinstance(high, int) and high == 2**64 and not endpoint:
            high = high - 1
            flags = flags + HIGH_IS_LOWERED
        low_flag, low = word(low, LOW_IS_UNSIGNED)
        high_flag, high = word(high, HIGH_IS_UNSIGNED)
        if low_flag + high_flag == 0 and is_caught("ValueError"):
            check_bounds(low, high, dtype, endpoint)
        scalars = (low, high, flags + low_flag + high_flag)
        if size is None and dtype == np.int64:
            return np.int64(draw_scalar(generator, row, dtype, scalars, ()))
        out = np.empty(() if size is None else shape_of(size), dtype)
        draw(generator, row, out, scalars, ())
        return out[()] if size is None else out
    if size is not None:
        for extent in shape_of(size):
            if extent == 0:
                return np.empty(shape_of(size), dtype)  # NumPy does not look at the bounds then
    low = np.asarray(low)
    high = np.asarray(high)
    out = np.empty(bounded_shape(size, low, high), dtype)
    if low.dtype == np.uint64:
        flags = flags + LOW_IS_UNSIGNED
    if high.dtype == np.uint64:
        flags = flags + HIGH_IS_UNSIGNED
    arrays = (np.broadcast_to(low, out.shape).astype(np.int64), np.broadcast_to(high, out.shape).astype(np.int64))
    draw(generator, row, out, (flags,), arrays)
    return out


def check_bounds(low, high, dtype, endpoint):
    """As the runtime does: before the draw the program can catch it."""
    if dtype.kind == "b":
        lowest = 0
        highest = 1
    else:
        lowest = np.iinfo(dtype).min
        highest = min(np.iinfo(dtype).max, 2**63 - 1)
    if low < lowest:
        raise ValueError(f"low is out of bounds for {dtype.name}")
    if highest < 2**63 - 1 and high > (highest if endpoint else highest + 1):
        raise ValueError(f"high is out of bounds for {dtype.name}")
    if endpoint:
        if low > high:
            raise ValueError("high < 0" if low == 0 else "low > high")
    elif low >= high:
        raise ValueError("high <= 0" if low == 0 else "low >= high")


def bounded_shape(size, low, high):
    shape = np.less(low, high).shape
    if size is None:
        return shape
    given = shape_of(size)
    wide = np.broadcast_shapes(low.shape, high.shape, given)
    # NumPy takes the first numbers of the wider shape then.
    if len(wide) != len(given):
        complain_of(given, wide)
    for axis in tuple(range(len(wide))):
        if wide[axis] != given[axis]:
            complain_of(given, wide)
    return given


def word(bound, unsigned):
    """(flag, bound): a bound that int64 does not hold stands as its bits."""
    if isinstance(bound, int):
        if bound >= 2**63:
            return unsigned, bound - 2**64
        return 0, bound
    if np.asarray(bound).dtype == np.uint64:
        return unsigned, np.asarray(bound).astype(np.int64)[()]
    return 0, np.asarray(bound).astype(np.int64)[()]


def between(generator, method_name, low, high, size, dtype, endpoint):
    """What integers() and randint() give: without `high` from 0 to `low`, and Python's numbers where its types are asked for."""
    kind = integer_dtype(dtype, method_name)
    draws = "integers" if method_name == "integers" else "masked_integers"
    if high is None:
        result = bounded(generator, draws, 0, low, size, kind, endpoint)
    else:
        result = bounded(generator, draws, low, high, size, kind, endpoint)
    if (dtype is int or dtype is bool) and size is None and np.ndim(result) == 0:
        return dtype(result)
    return result


@method("Generator")
def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
    return between(self, "integers", low, high, size, dtype, endpoint)


@method("RandomState")
def randint(self, low, high=None, size=None, dtype=int):
    return between(self, "randint", low, high, size, dtype, False)


@method("RandomState")
def random_integers(self, low, high=None, size=None):
    # NumPy warns that it is deprecated.
    if high is None:
        high = low
        low = 1
    return between(self, "randint", low, int(high) + 1, size, np.int64, False)


@method("RandomState")
def tomaxint(self, size=None):
    if size is None:
        return draw_scalar(self, "positive_integers", np.int64, (), ())
    out = np.empty(shape_of(size), np.int64)
    draw(self, "positive_integers", out, (), ())
    return out


@method("BitGenerator")
def random_raw(self, size=None, output=True):
    if size is None and output:
        raise NotImplementedError("random_raw() is an int that 64 bits with a sign do not hold: take random_raw(1)[0]")
    out = np.empty(1 if size is None else shape_of(size), np.uint64)
    draw(self, "raw", out, (), ())
    return out if output else None
