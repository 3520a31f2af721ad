"""Lists of several types: of each item the place of its type among the types that the list may hold, and its bits as an int."""

import numpy as np

# The number of the empty string (runtime/Text.h).
EMPTY = 0x110000


def string_numbers(places, bits, string):
    """The items' strings, by their numbers; of others the empty one."""
    return [bits[k] if places[k] == string else EMPTY for k in range(len(bits))]


def array_of(places, bits, none, boolean, whole, real, dtype):
    """numpy.array(list, dtype). `none`, `boolean`, `whole`, `real`: the places of the types None, bool, int and float."""
    is_real = places == real
    is_none = places == none
    if dtype is None:
        if np.any(is_none):
            raise NotImplementedError("a list that holds None makes an array of objects: give the dtype")
        if not np.any(is_real):
            raise NotImplementedError("a list that holds no float makes an array of ints, and the code was compiled for one of float64: give the dtype")
        return np.where(is_real, bits.view(np.float64), bits.astype(np.float64))
    if np.issubdtype(dtype, np.inexact):
        numbers = np.where(is_real, bits.view(np.float64), bits.astype(np.float64))
        return np.where(is_none, np.nan, numbers).astype(dtype)
    if np.any(is_none):
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
    return np.where(is_real, bits.view(np.float64).astype(dtype), bits.astype(dtype))
