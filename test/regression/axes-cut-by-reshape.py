# RUN: %python %s
"""A reshape that cuts axes into parts: code that takes the first call's parts for granted leaves calls with others to other code."""
import numpy as np
import npcc


def blocks(x, p, q, r, s):
    y = np.where(x > 0.5, x, 2 * x)
    return y.reshape(p, q, r, s).sum(axis=(1, 3)), (x + 1).reshape(p, q, r, s).max(axis=(0, 2))


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except ValueError as error:
        return str(error)


def same(a, b):
    return a == b if isinstance(a, str) or isinstance(b, str) else all(np.array_equal(x, y) for x, y in zip(a, b))


x = np.random.default_rng(0).integers(0, 64, (6, 8)) / 64
compiled = npcc.jit(blocks)
for shape in ((2, 3, 4, 2), (3, 2, 2, 4), (2, 2, 3, 4), (4, 3, 2, 2), (6, 1, 8, 1), (1, 6, 1, 8), (2, 3, 4, 3), (12, 2, 1, 2), (2, 3, 4, 2)):
    assert same(outcome(compiled, x, *shape), outcome(blocks, x, *shape)), shape
for extents in ((8, 6), (4, 12), (1, 48), (48, 1), (3, 5)):
    y = np.resize(x, extents)
    assert same(outcome(compiled, y, 2, 3, 4, 2), outcome(blocks, y, 2, 3, 4, 2)), extents
