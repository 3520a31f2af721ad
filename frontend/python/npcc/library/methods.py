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
