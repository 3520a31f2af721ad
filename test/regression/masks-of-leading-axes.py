# RUN: %python %s
# Values stored at a mask of the first axes were read beyond their extents where these were 1 along the other axes.
import numpy as np

import npcc


def rows(a, c):
    c[a] = c[:, 2:3, 1:2]
    return c


def values(a, c, v):
    c[a] = v
    return c


def outcome(function, arguments):
    try:
        return function(*[a.copy() for a in arguments])
    except (ValueError, IndexError) as error:
        return f"{type(error).__name__}: {error}"


generator = np.random.default_rng(0)
mask, all_true = np.array([True, False, True]), np.ones(3, bool)
cases = [(rows, [all_true, generator.random((3, 4, 5))]), (rows, [mask, generator.random((3, 4, 5))])]
for shape in (2, 4, 5), (2, 1, 5), (2, 4, 1), (1, 4, 1), (2, 1, 1), (4, 1), (1, 5), (1,), (5,), (1, 1, 1, 5), (2, 3, 1), (3, 4, 5):
    cases.append((values, [mask, generator.random((3, 4, 5)), generator.random(shape)]))
mask = np.arange(12).reshape(3, 4) % 2 == 0
for shape in (1, 6, 4), (1, 4), (1, 6, 1), (1, 1, 4), (1,), (5, 4):
    cases.append((values, [mask, generator.random((3, 4, 4)), generator.random(shape)]))
for function, arguments in cases:
    expected, got = outcome(function, arguments), outcome(npcc.jit(target="cpu")(function), arguments)
    assert np.array_equal(expected, got), ([a.shape for a in arguments], expected, got)
