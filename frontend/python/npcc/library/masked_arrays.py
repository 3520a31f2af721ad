"""numpy.ma's arrays as a class that is compiled with the functions that use them. Python gets NumPy's own objects.

Here an array always has a mask of its extents. NumPy's has none (`nomask`) where nothing was ever masked, which shows in what it prints and in the types
of a few results: `has_mask` says so. What NumPy gives as its constant `masked` (the mean of an array of which all is masked, a masked element) is no
number: such a call is left to Python.
"""
import sys

import numpy as np

from . import implements_of
from .containers import SEEN_AS
from .masked_reductions import Reductions
from .routines import require, stretched

_TINY = np.finfo(float).tiny


class Masked(Reductions):
    def __init__(self, data, full_mask, has_mask, filling):
        """`filling`: the value that was set for filled(); None for that of the dtype."""
        self.data = data
        self.full_mask = full_mask
        self.has_mask = has_mask
        self.filling = filling

    @property
    def mask(self):
        return self.full_mask

    @property
    def shape(self):
        return self.data.shape

    @property
    def ndim(self):
        return self.data.ndim

    @property
    def size(self):
        return self.data.size

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def T(self):
        return self.of(self.data.T, self.full_mask.T)

    @property
    def real(self):
        return self.of(self.data.real, self.full_mask)

    @property
    def imag(self):
        return self.of(self.data.imag, self.full_mask)

    @property
    def fill_value(self):
        return np.asarray(_filling_of(self.dtype))[()] if self.filling is None else self.dtype.type(self.filling)

    def of(self, data, mask):
        """An array made of this one."""
        return Masked(data, mask, self.has_mask, self.filling)

    def plain(self, data, mask):
        """The same with the value of the dtype for filled()."""
        return Masked(data, mask, self.has_mask, None)

    def __len__(self):
        return len(self.data)

    def __str__(self):
        raise NotImplementedError("a masked array cannot be printed from compiled code: print what filled() gives")

    def __repr__(self):
        raise NotImplementedError("a masked array cannot be printed from compiled code: print what filled() gives")

    def __bool__(self):
        raise NotImplementedError("the truth of a masked array cannot be compiled: ask any() or all()")

    def __getitem__(self, index):
        where = data_of_index(index)
        data = self.data[where]
        mask = self.full_mask[where]
        if isinstance(mask, np.ndarray):
            return self.of(data, mask)
        require(not mask, "an element that is masked is numpy.ma.masked, which is no number")
        return data

    def __setitem__(self, index, value):
        if value is np.ma.masked:
            self.take_mask(True)
            self.full_mask[data_of_index(index)] = True
        elif isinstance(value, Masked):
            self.take_mask(value.has_mask)
            self.data[data_of_index(index)] = value.data
            self.full_mask[data_of_index(index)] = value.full_mask
        else:
            self.data[data_of_index(index)] = value
            self.full_mask[data_of_index(index)] = False

    def __iter__(self):
        for k in range(len(self.data)):
            yield self[k]

    def take_mask(self, has_mask):
        """Has a mask from here on, if that is so: a new one where it had none, which the caller's array gets."""
        if has_mask and not self.has_mask:
            self.full_mask = self.full_mask.copy()
            self.has_mask = True

    def filled(self, fill_value=None):
        value = self.fill_value if fill_value is None else fill_value
        return np.where(self.full_mask, np.asarray(value).astype(self.dtype), self.data)

    def compressed(self):
        return self.data[~self.full_mask]

    def copy(self, order="C"):
        return self.of(self.data.copy(order), self.full_mask.copy(order))

    def astype(self, dtype):
        return self.of(self.data.astype(dtype), self.full_mask.copy())

    def reshape(self, *shape):
        return self.of(self.data.reshape(*shape), self.full_mask.reshape(*shape))

    def ravel(self, order="C"):
        return self.of(self.data.ravel(order), self.full_mask.ravel(order))

    def flatten(self, order="C"):
        return self.of(self.data.flatten(order), self.full_mask.flatten(order))

    def transpose(self, *axes):
        return self.of(self.data.transpose(*axes), self.full_mask.transpose(*axes))

    def squeeze(self, axis=None):
        return self.of(self.data.squeeze(axis), self.full_mask.squeeze(axis))

    def round(self, decimals=0):
        return self.of(self.data.round(decimals), self.full_mask)

    def __neg__(self):
        return Masked(-self.data, self.full_mask, True, self.filling)

    def __pos__(self):
        return Masked(+self.data, self.full_mask, True, self.filling)

    def __abs__(self):
        return Masked(np.absolute(self.data), self.full_mask, True, self.filling)

    def __invert__(self):
        return Masked(~self.data, self.full_mask, True, self.filling)

    def __add__(self, other):
        return combined(np.add, self, other)

    def __radd__(self, other):
        return combined(np.add, other, self)

    def __sub__(self, other):
        return combined(np.subtract, self, other)

    def __rsub__(self, other):
        return combined(np.subtract, other, self)

    def __mul__(self, other):
        return combined(np.multiply, self, other)

    def __rmul__(self, other):
        return combined(np.multiply, other, self)

    def __truediv__(self, other):
        return divided(np.true_divide, self, other)

    def __rtruediv__(self, other):
        return divided(np.true_divide, other, self)

    def __floordiv__(self, other):
        return divided(np.floor_divide, self, other)

    def __rfloordiv__(self, other):
        return divided(np.floor_divide, other, self)

    def __mod__(self, other):
        return divided(np.remainder, self, other)

    def __rmod__(self, other):
        return divided(np.remainder, other, self)

    def __pow__(self, other):
        return raised(self, other)

    def __rpow__(self, other):
        return raised(other, self)

    def __and__(self, other):
        return combined(np.bitwise_and, self, other)

    def __or__(self, other):
        return combined(np.bitwise_or, self, other)

    def __xor__(self, other):
        return combined(np.bitwise_xor, self, other)

    def __lt__(self, other):
        return compared(np.less, self, other)

    def __le__(self, other):
        return compared(np.less_equal, self, other)

    def __gt__(self, other):
        return compared(np.greater, self, other)

    def __ge__(self, other):
        return compared(np.greater_equal, self, other)

    def __eq__(self, other):
        return compared(np.equal, self, other)

    def __ne__(self, other):
        return compared(np.not_equal, self, other)

    def __iadd__(self, other):
        return changed(np.add, self, other, 0)

    def __isub__(self, other):
        return changed(np.subtract, self, other, 0)

    def __imul__(self, other):
        return changed(np.multiply, self, other, 1)

    def __itruediv__(self, other):
        mask = data_of(other) == 0
        result = changed(np.true_divide, self, Masked(np.where(mask, 1, data_of(other)), mask | mask_of(other), True, None), 1)
        return result

    def parts(self):
        return self.data, self.full_mask, self.has_mask, self.filling


def with_mask(m):
    return Masked(m.data, m.full_mask, True, m.filling)


def parts_of(array):
    """The attributes of an array of numpy.ma's that is an argument."""
    filling = array._fill_value  # None where nobody has set it
    return dict(data=array.data, full_mask=np.ma.getmaskarray(array), has_mask=array.mask is not np.ma.nomask, filling=None if filling is None else filling[()])


def put_back(array, attribute, value):
    """What the function has changed in such an argument, beside the elements of its arrays."""
    if attribute == "full_mask" and (array.mask is not np.ma.nomask or value.any()):
        array.mask = value
    elif attribute == "has_mask" and value and array.mask is np.ma.nomask:
        array.mask = np.ma.getmaskarray(array)
    elif attribute == "filling":
        array.fill_value = value


def given_Masked(data, full_mask, has_mask, filling):
    return np.ma.MaskedArray(data, mask=full_mask if has_mask else np.ma.nomask, fill_value=filling)


def _filling_of(dtype):
    """Of its own dtype, as NumPy's: that of a float32 array is a float64."""
    return True if dtype.kind == "b" else 999999 if dtype.kind in "iu" else 1e20 + 0j if dtype.kind == "c" else 1e20


def data_of(a):
    """Numbers become arrays, which have a dtype of their own, as in numpy.ma: of float32, `m * 2` is float64."""
    return a.data if isinstance(a, Masked) else np.asarray(a)


def data_of_index(index):
    return index.data if isinstance(index, Masked) else index


def mask_of(a):
    return a.full_mask if isinstance(a, Masked) else False


def _has_mask(a, b):
    """Whether the mask of a result is one."""
    if not isinstance(b, Masked):
        return a.has_mask
    return b.has_mask if not isinstance(a, Masked) else a.has_mask or b.has_mask


def _filling(a, b):
    return a.filling if isinstance(a, Masked) else b.filling


def _masks(a, b, shape):
    """Those of both operands, in the extents of the result: a new array."""
    mask = mask_of(a) | mask_of(b)
    return mask if np.shape(mask) == shape else stretched(mask, shape).copy()


def combined(function, a, b):
    """What a function of two operands gives. Where the result is masked, the first operand stays."""
    result = function(data_of(a), data_of(b))
    mask = _masks(a, b, result.shape)
    kept = data_of(a).astype(result.dtype)
    return Masked(np.where(mask, kept, result), mask, _has_mask(a, b), _filling(a, b))


def divided(function, a, b):
    """The same of quotients, which are masked where they have no number."""
    dividend, divisor = data_of(a), data_of(b)
    result = function(dividend, divisor)
    mask = ~np.isfinite(result) | (np.absolute(dividend) * _TINY >= np.absolute(divisor)) | mask_of(a) | mask_of(b)
    kept = (mask * dividend) if np.can_cast(dividend.dtype, result.dtype, "safe") else np.zeros(1, result.dtype)
    return Masked(np.where(mask, kept.astype(result.dtype), result), mask, True, _filling(a, b))


def raised(a, b):
    """Powers; those that are no numbers are masked."""
    base = data_of(a)
    result = np.power(base, data_of(b))
    mask = _masks(a, b, result.shape)
    invalid = ~mask & ~np.isfinite(result)
    kept = np.where(mask, base.astype(result.dtype), result)
    like = Masked(kept, mask, True, _filling(a, b))
    return Masked(np.where(invalid, np.asarray(like.fill_value).astype(kept.dtype), kept), mask | invalid, (mask | invalid).any(), _filling(a, b))


def compared(function, a, b):
    result = function(data_of(a), data_of(b))
    mask = _masks(a, b, result.shape)
    if function is np.equal or function is np.not_equal:
        result = np.where(mask, function(mask_of(a), mask_of(b)), result)
    return Masked(result, mask, mask.any(), None)


def changed(function, a, other, neutral):
    """`a` with what a function of it and another operand gives, where it is not masked."""
    value = data_of(other)
    function(a.data, np.where(a.full_mask, value.dtype.type(neutral), value), out=a.data)
    if isinstance(other, Masked):
        if other.full_mask.any():
            a.take_mask(True)
            a.full_mask |= other.full_mask
    return a


def made(a, mask, has_mask, copy=False, fill_value=None):
    """A masked array of an array or of a masked one, with this mask beside its own."""
    data = data_of(a)
    data = np.array(data) if copy else data
    filling = fill_value if fill_value is not None or not isinstance(a, Masked) else a.filling
    return Masked(data, mask | mask_of(a), has_mask, filling)


@implements_of("numpy.ma", "MaskedArray")
def masked_array(data, mask=None, dtype=None, copy=False, subok=True, ndmin=0, fill_value=None, keep_mask=True, hard_mask=False, shrink=True, order=None):
    if hard_mask or ndmin != 0:
        raise NotImplementedError("numpy.ma.array with hard_mask= or ndmin= cannot be compiled")
    given = data_of(data)
    values = np.array(given, dtype=dtype) if copy else np.asarray(given, dtype=dtype)
    filling = fill_value if fill_value is not None or not isinstance(data, Masked) else data.filling
    if mask is None or mask is np.ma.nomask:
        if isinstance(data, Masked) and keep_mask:
            return Masked(values, data.full_mask.copy(), data.has_mask, filling)
        return Masked(values, np.zeros(values.shape, bool), False, filling)
    own = np.array(mask, dtype=bool)
    if own.ndim == 0:
        own = np.full(values.shape, own)
    elif own.shape != values.shape:
        if own.size != values.size and own.size != 1:
            raise ValueError(f"Mask and data not compatible: data size is {values.size}, mask size is {own.size}.")
        own = np.full(values.shape, own.ravel()[0]) if own.size == 1 else own.reshape(values.shape)
    if isinstance(data, Masked) and keep_mask:
        own = own | data.full_mask
    return Masked(values, own, True, filling)


if "numpy.ma" in sys.modules:
    SEEN_AS[Masked] = sys.modules["numpy.ma"].MaskedArray
