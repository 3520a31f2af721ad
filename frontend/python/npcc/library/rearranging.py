"""Elements in other places."""

import numpy as np

from . import implements


@implements(np.roll)
def roll(a, shift, axis=None):
    a = np.asarray(a)
    if axis is None:
        return _roll_axis(a.ravel(), shift, 0).reshape(a.shape)
    if isinstance(axis, tuple):
        for k in range(len(axis)):
            a = _roll_axis(a, shift[k] if isinstance(shift, tuple) else shift, axis[k])
        return a
    return _roll_axis(a, shift, axis)


def _roll_axis(a, shift, axis):
    at = axis if axis >= 0 else axis + a.ndim
    n = a.shape[at]
    by = shift % max(n, 1)
    before = (slice(None),) * at
    after = (slice(None),) * (a.ndim - at - 1)
    out = np.empty_like(a)
    out[before + (slice(by, None),) + after] = a[before + (slice(None, n - by),) + after]
    out[before + (slice(None, by),) + after] = a[before + (slice(n - by, None),) + after]
    return out


@implements(np.tile)
def tile(A, reps):
    a = np.asarray(A)
    counts = reps if isinstance(reps, tuple) else (reps,)
    if len(counts) < a.ndim:
        counts = (1,) * (a.ndim - len(counts)) + counts
    shape = (1,) * (len(counts) - a.ndim) + a.shape
    between = ()
    wide = ()
    final = ()
    for k in range(len(counts)):
        between = between + (1, shape[k])
        wide = wide + (counts[k], shape[k])
        final = final + (counts[k] * shape[k],)
    return np.broadcast_to(a.reshape(between), wide).reshape(final)


@implements(np.repeat)
def repeat(a, repeats, axis=None):
    a = np.asarray(a)
    if axis is None:
        a = a.ravel()
        at = 0
    else:
        at = axis if axis >= 0 else axis + a.ndim
    shape = a.shape
    wide = shape[:at + 1] + (repeats,) + shape[at + 1:]
    narrow = shape[:at + 1] + (1,) + shape[at + 1:]
    return np.broadcast_to(a.reshape(narrow), wide).reshape(shape[:at] + (shape[at] * repeats,) + shape[at + 1:])


@implements(np.clip)
def clip(a, a_min=None, a_max=None, out=None):
    result = np.asarray(a)
    if a_min is not None:
        result = np.maximum(result, a_min)
    if a_max is not None:
        result = np.minimum(result, a_max)
    if out is not None:
        out[...] = result
        return out
    return result


@implements(np.tril)
def tril(m, k=0):
    m = np.asarray(m)
    rows = np.arange(m.shape[-2]).reshape((m.shape[-2], 1))
    columns = np.arange(m.shape[-1])
    return np.where(columns <= rows + k, m, np.zeros((), m.dtype))


@implements(np.triu)
def triu(m, k=0):
    m = np.asarray(m)
    rows = np.arange(m.shape[-2]).reshape((m.shape[-2], 1))
    columns = np.arange(m.shape[-1])
    return np.where(columns >= rows + k, m, np.zeros((), m.dtype))
