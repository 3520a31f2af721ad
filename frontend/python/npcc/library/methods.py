"""Methods of arrays that change them in place, or that name their arguments otherwise than NumPy's functions."""

import numpy as np

from . import implements_method
from . import placing


@implements_method
def clip(a, min=None, max=None, out=None, *, dtype=None, casting="same_kind", where=True):
    """Either bound may be missing, which the function does not take."""
    return np.clip(a, min, max, out, dtype=dtype, casting=casting, where=where)


@implements_method
def partition(a, kth, axis=-1, kind="introselect", order=None):
    a[...] = np.partition(a, kth, axis, kind, order)


@implements_method
def put(a, indices, values, mode="raise"):
    placing.put(a, indices, values, mode)


@implements_method
def byteswap(a, inplace=False):
    """The bytes of each number in reverse; those of either part of a complex one."""
    if a.itemsize == 1:
        swapped = np.array(a)
    else:
        width = a.itemsize // 2 if a.dtype.kind == "c" else a.itemsize
        swapped = np.ravel(a).view(np.uint8).reshape(-1, width)[:, ::-1].ravel().view(a.dtype).reshape(a.shape)
    if isinstance(a, np.generic):
        return swapped[()]
    if inplace:
        a[...] = swapped
        return a
    return swapped
