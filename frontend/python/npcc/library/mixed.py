"""Lists of several types: of each item the place of its type among the types that the list may hold, and its bits as an int."""

import numpy as np

# The number of the empty string (runtime/Text.h).
EMPTY = 0x110000


def string_numbers(places, bits, string):
    """The items' strings, by their numbers; of others the empty one."""
    return [bits[k] if places[k] == string else EMPTY for k in range(len(bits))]


def array_numbers(places, bits, array):
    """The numbers of the items' arrays; -1 for others."""
    return [bits[k] if places[k] == array else -1 for k in range(len(bits))]


def tuple_rows(places, bits, place):
    """The rows of the items' tuples; of others row 0, which is nobody's."""
    return [bits[k] if places[k] == place else 0 for k in range(len(bits))]


def taken(column, rows):
    return [column[row] for row in rows]


def of_place(places, place, own, others):
    """The own values where an item is of a type, and others."""
    return np.where(np.array(places, np.int64) == place, own, others)


def other_places(places, new):
    """The places of the items' types among others: `new` has the one of each."""
    return np.array(new)[np.array(places, np.int64)]


def first_array(item):
    if not isinstance(item, np.ndarray):
        raise NotImplementedError("a list that begins with a number makes an array of numbers, and the code was compiled for one of arrays")
    return item


def stacked(items, dtype):
    """numpy.array(items, dtype) of arrays, and of numbers that are among them in vain."""
    if len(items) == 0:
        raise NotImplementedError("a list that is empty makes an array of float64 with one axis, and the code was compiled for one of arrays")
    is_one = [isinstance(item, np.ndarray) for item in items]
    if not any(is_one):
        first_array(items[0])
    if not is_one[0]:
        _raise_inhomogeneous(len(items))
    first = first_array(items[0])
    result = np.empty((len(items),) + first.shape, dtype)
    for k in range(len(items)):
        item = items[k]
        if not isinstance(item, np.ndarray) or item.ndim != first.ndim or item.shape != first.shape:
            _raise_inhomogeneous(len(items))
        result[k] = item
    return result


def stacked_as(items, shape, dtype):
    """numpy.array(items, dtype) of arrays of a shape: that of the first."""
    result = np.empty((len(items),) + shape, dtype)
    for k in range(len(items)):
        item = items[k]
        if not isinstance(item, np.ndarray) or item.ndim != len(shape) or item.shape != shape:
            _raise_inhomogeneous(len(items))
        result[k] = item
    return result


def stacked_from_none(dtype, axes):
    return np.empty((0,) * (axes + 1), dtype)


def raise_inhomogeneous(items):
    _raise_inhomogeneous(len(items))


def _raise_inhomogeneous(count):
    raise ValueError(
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. "
        f"The detected shape was ({count},) + inhomogeneous part."
    )


def numpys_type(kind):
    """The dtype of the array that NumPy makes of items of one type."""
    return np.dtype({"bool": "bool", "int": "int64", "float": "float64"}.get(kind, kind.removeprefix("numpy.")))


def decoded(bits, kind):
    """The numbers of one type that ints have the bits of."""
    dtype = numpys_type(kind)
    if np.issubdtype(dtype, np.floating):
        return bits.astype(np.dtype(f"int{8 * dtype.itemsize}")).view(dtype)
    return bits.astype(dtype)


def type_of_all(places, count, type_of_mask):
    """Which dtype numpy.array(list) has: `type_of_mask` says it for the set of types that are there, a bit for each."""
    mask = 0
    for place in range(count):
        if np.any(places == place):
            mask += 1 << place
    return int(np.array(type_of_mask)[mask])


def array_of_numbers(places, bits, kinds, dtype):
    """numpy.array(list, dtype) of a list that holds numbers only; `kinds` has None for the types that are no numbers."""
    result = np.zeros(len(places), dtype)
    for place, kind in enumerate(kinds):
        if kind is not None:
            result = np.where(places == place, decoded(bits, kind).astype(dtype), result)
    return result


def array_of(places, bits, kinds, dtype):
    """numpy.array(list, dtype), of the types' names."""
    wanted = np.result_type(*[numpys_type(kind) for kind in kinds if kind != "None"]) if dtype is None else dtype
    if dtype is None:
        is_certain, are_all_there = False, True
        for place, kind in enumerate(kinds):
            if kind == "None":
                if np.any(places == place):
                    raise NotImplementedError("a list that holds None makes an array of objects: give the dtype")
            else:
                are_all_there = are_all_there and np.any(places == place)
                if numpys_type(kind) == wanted:
                    is_certain = is_certain or np.any(places == place)
        if not is_certain and not are_all_there:
            raise NotImplementedError(f"the code was compiled for a list that makes an array of {wanted}, and its items may make another: give the dtype")
    result = np.zeros(len(places), wanted)
    for place, kind in enumerate(kinds):
        if kind != "None":
            result = np.where(places == place, decoded(bits, kind).astype(wanted), result)
        elif np.issubdtype(wanted, np.inexact):
            result = np.where(places == place, np.asarray(np.nan, wanted), result)
        elif np.any(places == place):
            raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
    return result
