"""Bits in bytes: numpy.packbits and numpy.unpackbits."""

import numpy as np

from . import implements
from .axes import axis_index


# Eight bytes that are 0 or 1 are a number of 64 bits, the first byte its lowest. A multiple of it has all eight bits in its highest byte: of the
# byte k, which is at bit 8 k, it takes 2 ** (63 - 9 k) times, for the first byte to be the highest bit, or 2 ** (56 - 7 k) times. No two products meet.
_GATHERING_BIG, _GATHERING_LITTLE = 0x8040201008040201, 0x0102040810204080
_ONES = 0x0101010101010101


def _is_big(bitorder):
    if bitorder != "big" and bitorder != "little":
        raise ValueError("'order' must be either 'little' or 'big'")
    return bitorder == "big"


def _along(a, axis):
    """The array whose last axis is the one that is packed, or all of it as one line, and which axis that was."""
    if axis is None:
        a = a.ravel()
    elif a.ndim == 0:
        raise np.exceptions.AxisError(f"axis {axis} is out of bounds for array of dimension 0")
    at = axis_index(-1 if axis is None else axis, a.ndim)
    return np.moveaxis(a, at, -1), at


@implements(np.packbits)
def packbits(a, axis=None, bitorder="big"):
    a = np.asarray(a)
    is_big = _is_big(bitorder)
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    bits, at = _along(a != 0, axis)
    n = bits.shape[-1]
    count = (n + 7) // 8
    padded = np.zeros(bits.shape[:-1] + (count * 8,), np.uint8)
    padded[..., :n] = bits
    factor = np.uint64(_GATHERING_BIG if is_big else _GATHERING_LITTLE)
    packed = (padded.view(np.uint64) * factor >> np.uint64(56)).astype(np.uint8)
    return np.moveaxis(packed, -1, at)


def _unpacked(data, is_big):
    """The bits of bytes as bytes, eight for each along the last axis: as numbers of 64 bits."""
    numbers = data.astype(np.uint64)
    if is_big:  # copies that are 9 bits apart: the bit 7 of each eight is another one of the byte's
        spread = numbers * np.uint64(_GATHERING_BIG) >> np.uint64(7)
    else:  # copies that are 8 bits apart, of each another bit, which the addition carries to bit 7
        spread = (numbers * np.uint64(_ONES) & np.uint64(_GATHERING_BIG)) + np.uint64(0x7F * _ONES) >> np.uint64(7)
    return np.ascontiguousarray(spread & np.uint64(_ONES)).view(np.uint8)


@implements(np.unpackbits)
def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    a = np.asarray(a)
    is_big = _is_big(bitorder)
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    data, at = _along(a, axis)
    n = data.shape[-1] * 8
    bits = _unpacked(data, is_big)
    if count is not None:
        if count >= 0:
            wide = np.zeros(bits.shape[:-1] + (count,), np.uint8)
            kept = min(n, count)
            wide[..., :kept] = bits[..., :kept]
            bits = wide
        else:
            if -count > n:
                raise ValueError("-count larger than number of elements")
            bits = bits[..., :count].copy()
    return np.moveaxis(bits, -1, at)
