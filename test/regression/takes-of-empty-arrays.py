# RUN: %python %s
"""np.take looks at positions for each element before the axis: of an array that is empty there it raises nothing, also where
nobody reads the result, and where one position is taken."""
import numpy as np
import npcc


def of_several(x, p, k):
    return np.take(x, p, axis=1)


def of_one(x, p, k):
    return np.take(x, k, axis=1)


def of_the_last_axis(x, p, k):
    return np.take(x, k, axis=-1)


def unread(x, p, k):
    np.take(x, p, axis=1)
    return x


def shape_only(x, p, k):
    return np.take(x, p, axis=1).shape


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except IndexError as error:
        return str(error)


for function in (of_several, of_one, of_the_last_axis, unread, shape_only):
    compiled = npcc.jit(target="cpu")(function)
    for shape in ((0, 3), (2, 3), (0, 3, 4), (2, 3, 4)):
        x = np.arange(np.prod(shape), dtype=float).reshape(shape)
        for positions, one in (([5, 7], 5), ([1, -1], -2), ([0, -4], -5), ([], 0)):
            arguments = x, np.array(positions, np.int64), one
            expected, got = outcome(function, *arguments), outcome(compiled, *arguments)
            assert expected == got, (function.__name__, shape, positions, one, expected, got)
