"""ufunc.at: updates at positions, one after the other in NumPy's order."""

import numpy as np


def update_at(operation, a, indices, b):
    """a[i] = operation(a[i], b) for one index after the other, those of several axes in C order."""
    if isinstance(indices, tuple):
        places = indices
    else:
        places = (indices,)
    where = ()
    for place in places:
        if place is None or place is Ellipsis or isinstance(place, slice):
            raise NotImplementedError("ufunc.at takes integer indices and masks in compiled code")
        where = where + (np.asarray(place),)
    if where[0].dtype.kind == "b":
        if len(where) > 1:
            raise NotImplementedError("ufunc.at with a mask beside other indices cannot be compiled")
        where = np.nonzero(where[0])
    if where[0].ndim == 1:
        _at_line(operation, a, where, b)
    else:
        together = where[0]
        for place in where[1:]:
            together = together + place
        shape = together.shape
        lines = tuple([np.array(np.broadcast_to(place, shape)).reshape(-1) for place in where])
        if b is None or np.ndim(b) == 0:
            _at_line(operation, a, lines, b)
        else:
            rest = a.shape[len(where):]
            _at_line(operation, a, lines, np.array(np.broadcast_to(b, shape + rest)).reshape((-1,) + rest))


def _at_line(operation, a, where, b):
    if b is None:
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at])
    elif np.ndim(b) == 0:
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at], b)
    else:
        values = np.asarray(b)
        for i in range(where[0].shape[0]):
            at = tuple([place[i] for place in where])
            a[at] = operation(a[at], values[i])
