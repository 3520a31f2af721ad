"""NumPy's generalised ufuncs: functions of the last axes of their operands. `axes`, `axis` and `keepdims` name other axes, which are
moved to the end before and back after; where they are, and what is wrong with them, is known at compile time."""

import numpy as np

from .axes import axis_index
from .linear_algebra import matvec, vecdot, vecmat

# By their names: the first releases of NumPy 2 have no matvec and vecmat.
_SIGNATURES = {"matmul": "(n?,k),(k,m?)->(n?,m?)", "vecdot": "(n),(n)->()", "matvec": "(m,n),(n)->(m)", "vecmat": "(n),(n,m)->(m)"}
# How many axes the function takes of each operand, and gives.
_CORES = {"matmul": (2, 2, 2), "vecdot": (1, 1, 0), "matvec": (2, 1, 1), "vecmat": (1, 2, 1)}


def applied(function, x1, x2, axes="none", axis="none", keepdims="none"):
    """None is given where the program gives it, which NumPy refuses."""
    name = function.__name__
    if axes == "none" and axis == "none" and keepdims == "none":
        return _computed(name, x1, x2)
    x1 = np.asarray(x1)
    x2 = np.asarray(x2)
    cores = _CORES[name]
    if name == "matmul":  # a vector has one axis, and the result one less
        cores = (min(x1.ndim, 2), min(x2.ndim, 2), min(x1.ndim, 2) + min(x2.ndim, 2) - 2)
    if keepdims != "none" and not isinstance(keepdims, bool):
        raise TypeError("'keepdims' must be a boolean")
    if keepdims != "none" and name != "vecdot":
        raise TypeError(f"{name} does not support keepdims: its signature {_SIGNATURES[name]} requires {_unequal(name)}, but keepdims can "
                        "only be used when all inputs have the same number of core dimensions and all outputs have no core dimensions.")
    keepdims = keepdims != "none" and keepdims
    if axis != "none":
        if axes != "none":
            raise TypeError("cannot specify both 'axis' and 'axes'")
        if name != "vecdot":
            distinct = 3 if name == "matmul" else 2
            raise TypeError(f"{name}: axis can only be used with a single shared core dimension, not with the {distinct} distinct ones implied by "
                            f"signature {_SIGNATURES[name]}.")
        axis_index(axis, x1.ndim)
        axes = [axis, axis, axis] if keepdims else [axis, axis, ()]
    given = _entries(name, axes, cores, keepdims)
    first = np.moveaxis(x1, _places(name, 0, given[0], cores[0], x1.ndim), _last(cores[0]))
    second = np.moveaxis(x2, _places(name, 1, given[1], cores[1], x2.ndim), _last(cores[1]))
    result = np.asarray(_computed(name, first, second))
    if keepdims:
        result = np.expand_dims(result, -1)
    kept = 1 if keepdims else cores[2]
    places = _places(name, 2, given[2], kept, result.ndim)
    return np.moveaxis(result, _last(kept), places)


def _computed(name, x1, x2):
    if name == "vecdot":
        return vecdot(x1, x2)
    if name == "matvec":
        return matvec(x1, x2)
    if name == "vecmat":
        return vecmat(x1, x2)
    return np.matmul(x1, x2)


def _unequal(name):
    """NumPy's words for why a signature keeps no axes."""
    if name == "matvec":
        return "input 1 to have 1 core dimensions"
    if name == "vecmat":
        return "input 1 to have 2 core dimensions"
    return "output 0 to have 2 core dimensions"


def _last(count):
    return tuple(range(-count, 0))


def _entries(name, axes, cores, keepdims):
    """A tuple of axes for each operand and the result."""
    if axes == "none":
        axes = [_last(cores[0]), _last(cores[1]), _last(1 if keepdims else cores[2])]
    if not isinstance(axes, list):
        raise TypeError("axes should be a list.")
    if len(axes) == 2 and cores[2] == 0:
        axes = axes + [_as_tuple(axes[0]) if keepdims else ()]
    if len(axes) != 3:
        raise ValueError("axes should be a list with an entry for all 3 inputs and outputs; entries for outputs can only be omitted if none of "
                         "them has core axes.")
    return (_as_tuple(axes[0]), _as_tuple(axes[1]), _as_tuple(axes[2]))


def _as_tuple(entry):
    return entry if isinstance(entry, tuple) else (entry,)


def _places(name, operand, entry, count, ndim):
    if len(entry) != count:
        raise np.exceptions.AxisError(f"{name}: operand {operand} has {count} core dimensions, but {len(entry)} dimensions are specified by axes "
                                      "tuple.")
    places = ()
    for k in tuple(range(len(entry))):
        place = axis_index(entry[k], ndim)
        if place in places:
            raise ValueError(f"axes item {operand} has value {entry[k]} repeated")
        places = places + (place,)
    return places
