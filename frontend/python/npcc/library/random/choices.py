"""Permutations and choices. The runtime draws positions; what stands there is taken like any elements."""

import numpy as np

from . import method
from ..axes import axis_index
from ..routines import check_writable_first, is_caught, is_contiguous
from .elements import shape_of
from .integers import bounded
from .primitives import class_of, draw


def order(generator, n):
    """The positions 0 to n - 1, shuffled."""
    positions = np.empty(n, np.int64)
    draw(generator, "permutations", positions, (n,), ())
    return positions


@method("Generator")
def permutation(self, x, axis=0):
    if isinstance(x, (int, np.integer)):
        return order(self, max(x, 0))
    x = np.asarray(x)
    axis = axis_index(axis, x.ndim)
    return np.take(x, order(self, x.shape[axis]), axis=axis)


@method("RandomState")
def permutation_(self, x):
    if isinstance(x, (int, np.integer)):
        return order(self, max(x, 0))
    x = np.asarray(x)
    if x.ndim < 1:
        raise IndexError("x must be an integer or at least 1-dimensional")
    return np.take(x, order(self, x.shape[0]), axis=0)


def shuffle_along(generator, x, axis):
    if isinstance(x, list):
        if axis != 0:
            raise NotImplementedError("Axis argument is only supported on ndarray objects")
        if len(x) > 1:  # as the positions of an array of this length
            x[:] = [x[place] for place in order(generator, len(x))]
        return
    if not isinstance(x, np.ndarray):
        raise NotImplementedError("shuffle of what is no array and no list cannot be compiled: shuffle list() of it")
    if x.ndim == 0:
        raise TypeError("len() of unsized object")
    check_writable_first(x, "array is read-only")
    axis = axis_index(axis, x.ndim)
    if x.size > 0:
        x[...] = np.take(x, order(generator, x.shape[axis]), axis=axis)


@method("Generator")
def shuffle(self, x, axis=0):
    shuffle_along(self, x, axis)


@method("RandomState")
def shuffle_(self, x):
    shuffle_along(self, x, 0)


@method("Generator")
def permuted(self, x, *, axis=None, out=None):
    x = np.asarray(x)
    if out is None:
        out = x.copy(order="K")
        is_turned = copies_turned(x) or lies_turned(out) and not is_contiguous(x, "C")
    else:
        is_turned = lies_turned(out)
        check_writable_first(out, "out is read-only")
        if out.shape != x.shape:
            raise ValueError("out must have the same shape as x")
        np.copyto(out, x, casting="safe")
    if axis is not None:
        permute_lines(self, np.moveaxis(out, axis_index(axis, out.ndim), -1))
    elif is_turned:
        permute_all(self, out.T)  # in the order of memory
    else:
        permute_all(self, out)
    return out


def copies_turned(x):
    """Whether numpy.copy gives the array the order of Fortran: each axis of more than one element has a shorter stride than those behind it."""
    is_turned = x.ndim > 1
    for axis in range(x.ndim):
        for before in range(axis):
            if x.shape[axis] > 1 and x.shape[before] > 1 and abs(x.strides[before]) >= abs(x.strides[axis]):
                is_turned = False
    return is_turned


def lies_turned(x):
    """Whether the array lies in memory in Fortran's order, which then is the order of its elements."""
    return x.ndim > 1 and not is_contiguous(x, "C") and is_contiguous(x, "F")


def permute_all(generator, out):
    out[...] = np.take(out, order(generator, out.size)).reshape(out.shape)


def permute_lines(generator, lines):
    if lines.size == 0:
        return
    length = lines.shape[-1]
    positions = np.empty(lines.shape, np.int64)
    draw(generator, "permutations", positions, (length,), ())
    starts = np.arange(lines.size // length) * length
    lines[...] = np.take(lines, positions + starts.reshape(lines.shape[:-1] + (1,)))


@method("Generator")
def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    if np.ndim(a) == 0:
        if np.asarray(a).dtype.kind not in "biu":
            raise ValueError(f"a must be a sequence or an integer, not {type(a)}")
        population = int(a)
        if population <= 0 and number_of(size) != 0:
            raise ValueError("a must be a positive integer unless no samples are taken")
        return chosen(positions_of(self, population, size, replace, p, shuffle), size)
    a = np.asarray(a)
    population = a.shape[axis]
    if population == 0 and number_of(size) != 0:
        raise ValueError("a cannot be empty unless no samples are taken")
    return taken(a, positions_of(self, population, size, replace, p, shuffle), size, axis)


@method("RandomState")
def choice_(self, a, size=None, replace=True, p=None):
    if np.ndim(a) == 0:
        if np.asarray(a).dtype.kind not in "biu":
            raise ValueError("a must be 1-dimensional or an integer")
        population = int(a)
        if population <= 0 and number_of(size) != 0:
            raise ValueError("a must be greater than 0 unless no samples are taken")
        return chosen(positions_of(self, population, size, replace, p, True), size)
    if np.ndim(a) != 1:
        raise ValueError("a must be 1-dimensional")
    a = np.asarray(a)
    if a.shape[0] == 0 and number_of(size) != 0:
        raise ValueError("'a' cannot be empty unless no samples are taken")
    return taken(a, positions_of(self, a.shape[0], size, replace, p, True), size)


def number_of(size):
    count = 1
    if size is not None:
        for extent in shape_of(size):
            count = count * extent
    return count


def chosen(positions, size):
    """One number where no size was given, and an array of no axes where that is the size."""
    if size is None:
        return int(positions[()])
    return np.array(positions) if positions.ndim == 0 else positions


def taken(a, positions, size, axis=0):
    """The elements there; for a size of no axes an array of none, not a scalar."""
    found = np.take(a, chosen(positions, size), axis=axis)
    return np.array(found) if size is not None and found.ndim == 0 else found


def positions_of(generator, population, size, replace, p, shuffle):
    shape = () if size is None else shape_of(size)
    if p is not None:
        return weighted(generator, population, shape, replace, p)
    if replace:
        return drawn_below(generator, population, shape)
    count = number_of(size)
    positions = np.empty(count, np.int64)
    if class_of(generator) == "RandomState":
        if count > population:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        positions[...] = order(generator, population)[:count]
    else:
        if is_caught("ValueError") and count > population:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        draw(generator, "choice", positions, (population, 1 if shuffle else 0), ())
    return positions.reshape(shape)


def drawn_below(generator, population, shape):
    row = "masked_integers" if class_of(generator) == "RandomState" else "integers"
    return bounded(generator, row, 0, population, shape, np.dtype(np.int64), False)


def weighted(generator, population, shape, replace, p):
    tolerance = np.sqrt(np.finfo(np.float64).eps)
    len(p)  # which a number has not
    weights = np.asarray(p)
    if weights.dtype.kind == "f":
        tolerance = max(tolerance, np.sqrt(np.finfo(weights.dtype).eps))
    if weights.ndim != 1:
        raise ValueError("'p' must be 1-dimensional" if class_of(generator) == "RandomState" else "p must be 1-dimensional")
    positions = np.empty(shape, np.int64)
    draw(generator, "weighted_choice", positions, (1 if replace else 0, float(tolerance), population), (weights.astype(np.float64),))
    return positions
