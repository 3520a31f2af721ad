"""Which of two records of a structured dtype comes first, and whether they are equal, by their fields."""
import numpy as np


def inner_dtype(dtype, name):
    """The dtype of a field, with the shape that it may have."""
    return dtype.fields[name][0]


def is_records(a):
    return isinstance(a, (np.ndarray, np.void)) and a.dtype.names is not None


def key_names(dtype, order):
    """All fields, those that `order` names first."""
    first = () if order is None else (order,) if isinstance(order, str) else tuple(order)
    for name in first:
        if name not in dtype.names:
            raise ValueError(f"unknown field name: {name}")
    return (*first, *[name for name in dtype.names if name not in first])


def keys_of(a, order):
    """Arrays to sort by, the most important first."""
    keys = ()
    for name in key_names(a.dtype, order):
        inner = inner_dtype(a.dtype, name)
        if inner.shape:
            keys = (*keys, *byte_columns(a[name], inner))
        elif inner.names is not None:
            keys = (*keys, *keys_of(a[name], None))
        else:
            keys = (*keys, a[name])
    return keys


MOST_BYTES = 64


def byte_columns(field, inner):
    """The bytes of a field that is an array, by which NumPy orders it."""
    if inner.itemsize > MOST_BYTES or inner.base.names is not None:
        raise TypeError("records with large arrays as fields are sorted by numpy.lexsort() of other fields in compiled code")
    data = field.reshape((len(field), -1)).copy().view(np.uint8)
    return tuple([data[:, k] for k in range(inner.itemsize)])


def equal(a, b):
    if not is_records(a) or not is_records(b):
        raise TypeError("a comparison of records with something else cannot be compiled: compare their fields")
    if a.dtype.names != b.dtype.names:
        raise TypeError("a comparison of records with other fields cannot be compiled: compare their fields")
    result = None
    for name in a.dtype.names:
        inner = inner_dtype(a.dtype, name)
        one = a[name] == b[name]
        if inner.shape:
            one = one.all(axis=tuple(range(-len(inner.shape), 0)))
        result = one if result is None else result & one
    return result


def not_equal(a, b):
    return ~equal(a, b)
