"""Arithmetic with shapes, without arrays."""

import numpy as np

from . import implements


def extents_of(shape):
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    return tuple(shape)


@implements(np.broadcast_shapes)
def broadcast_shapes(*args):
    shapes = tuple([extents_of(shape) for shape in args])
    result = ()
    for number, shape in enumerate(shapes):
        for extent in shape:
            if extent < 0:
                raise ValueError("negative dimensions are not allowed")
        result = joined(shapes, number, result)
    return result


def joined(shapes, number, result):
    """What the shapes before this one give, `result`, together with it."""
    shape = shapes[number]
    ndim = max(len(shape), len(result))
    wide = (1,) * (ndim - len(result)) + result
    own = (1,) * (ndim - len(shape)) + shape
    together = ()
    for axis in tuple(range(ndim)):
        if own[axis] != 1 and wide[axis] != 1 and own[axis] != wide[axis]:
            complain(shapes, number, ndim - axis)
        together = together + (own[axis] if wide[axis] == 1 else wide[axis],)
    return together


def complain(shapes, number, back):
    """Names the first shape that stretches this axis, which is the `back`th from the end."""
    for other in tuple(range(number)):
        if len(shapes[other]) >= back and shapes[other][-back] != 1:
            raise ValueError(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between "
                f"arg {other} with shape {shapes[other]} and arg {number} with shape {shapes[number]}."
            )


def spelled(shape):
    """A shape as NumPy's messages about operands have it."""
    text = "("
    for k in tuple(range(len(shape))):
        text = text + ("," if k > 0 else "") + f"{shape[k]}"
    return text + (",)" if len(shape) == 1 else ")")


def product_of(shape):
    """How many elements an array of this shape has."""
    size = 1
    for extent in shape:
        size = size * extent
    return size
