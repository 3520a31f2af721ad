"""Bits in bytes: numpy.packbits and numpy.unpackbits."""

import numpy as np

from . import implements
from .axes import axis_index


def _shifts(bitorder):
    if bitorder != "big" and bitorder != "little":
        raise ValueError("'order' must be either 'little' or 'big'")
    places = np.arange(8, dtype=np.uint8)
    return places if bitorder == "little" else places[::-1]


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
    shifts = _shifts(bitorder)
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    bits, at = _along(a != 0, axis)
    n = bits.shape[-1]
    count = (n + 7) // 8
    padded = np.zeros(bits.shape[:-1] + (count * 8,), np.uint8)
    padded[..., :n] = bits
    packed = np.sum(padded.reshape(bits.shape[:-1] + (count, 8)) << shifts, axis=-1, dtype=np.uint8)
    return np.moveaxis(packed, -1, at)


@implements(np.unpackbits)
def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    a = np.asarray(a)
    shifts = _shifts(bitorder)
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    data, at = _along(a, axis)
    n = data.shape[-1] * 8
    bits = ((np.expand_dims(data, -1) >> shifts) & np.uint8(1)).reshape(data.shape[:-1] + (n,))
    if count is not None:
        if count >= 0:
            wide = np.zeros(bits.shape[:-1] + (count,), np.uint8)
            kept = min(n, count)
            wide[..., :kept] = bits[..., :kept]
            bits = wide
        else:
            if -count > n:
                raise ValueError(f"-count larger than number of elements (count={count}, n={n})")
            bits = bits[..., :count].copy()
    return np.moveaxis(bits, -1, at)
