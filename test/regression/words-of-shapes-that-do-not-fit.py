# RUN: %python %s
"""NumPy's words for shapes that do not fit name what is stored into: an output, or what positions choose."""

import functools

import numpy as np

import npcc

compiled = functools.cache(functools.partial(npcc.jit, target="cpu"))  # once for each function


def same(function, *arguments):
    """The compiled function gives what Python gives: value, dtype, kind, sign of zero, or error with its words."""
    with np.errstate(all="ignore"):
        want = outcome(function, arguments)
        got = outcome(compiled(function), arguments)
    assert want == got, (function.__name__, arguments, want, got)


def outcome(function, arguments):
    try:
        value = function(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
    except npcc.CompileError as error:  # "TypeError: its words"
        return tuple(error.msg.splitlines()[0].split(": ", 1))
    except Exception as error:
        return type(error).__name__.lstrip("_"), str(error)
    return type(value).__name__, str(np.asarray(value).dtype), np.shape(value), repr(value)


def in_place(x, y):
    x += y
    return x


def part_in_place(x, y):
    x[:1] *= y
    return x


def at_positions(x, y):
    x[[0]] = y
    return x


def at_positions_in_place(x, y):
    x[[0, 1]] += y
    return x


for function in (in_place, part_in_place, at_positions, at_positions_in_place):
    for extent in (1, 2, 3, 4):
        same(function, np.arange(3.0), np.arange(float(extent)))
same(in_place, np.ones((2, 3)), np.ones(4))


def at_a_mask_in_place(x, y):
    x[x > 0] += y
    return x


# What positions choose stretches to the other side's extents, and the result does not fit into it.
for extent in (0, 2, 3):
    same(at_positions_in_place, np.ones((3, 1)), np.ones(extent))
    same(at_a_mask_in_place, np.arange(2.0), np.ones(extent))
same(at_positions_in_place, np.ones((3, 2)), np.ones((2, 1)))


def clipped(x, out):
    return np.clip(x, 0, 7, out)


def clipped_between(x, y):
    return np.clip(x, 0, y)


# A bound that every element of the dtype keeps is none of the operands that NumPy names.
for dtype in (np.uint8, np.int8, np.uint64, np.float64):
    same(clipped, np.ones((0, 2), dtype), np.ones((0, 2, 2), dtype))
    same(clipped_between, np.ones(2, dtype), np.ones(3, dtype))
    same(clipped_between, np.arange(3).astype(dtype), np.ones(3, dtype))
