# RUN: %python %s
"""Errors of axes of norms, of bins of two axes, of indices that are floats and of operands that are not two; and edges in the dtype of both coordinates."""
import numpy as np

import npcc


def norm_of_three(x, i):
    return np.linalg.norm(x[:, None, None], axis=(0, 1, 1))


def norm_of_none(x, i):
    return np.linalg.norm(x, axis=())


def norm_of_a_list(x, i):
    return np.linalg.norm(x[:, None], axis=[0, 1])


def bins_of_two_axes(x, i):
    return np.digitize(x, i[:, None])


def at_floats(x, i):
    np.add.at(x, i, 1)


def at_floats_of_an_axis(x, i):
    np.add.at(x, (i,), 1)


def at_a_list(x, i):
    np.add.at(x, [0.5], 1)


def outer_of_one(x, i):
    return np.add.outer(x)


def outer_of_three(x, i):
    return np.add.outer(x, x, x)


def outer_of_unary(x, i):
    return np.sin.outer(x, x)


def edges(x, i):
    _, a, b = np.histogram2d(x.astype(np.float32), i, [2, [0, 1]])
    _, c = np.histogramdd((x.astype(np.float32), i.astype(np.int8)), 2)
    return a, b, c[0], c[1], np.histogramdd((x.astype(np.float32), i.astype(np.float32)), 3)[1][0]


def outcome(function):
    try:
        return [(a.dtype, a.tolist()) for a in function(np.arange(3.0), np.array([0.5, 0.7, 1]))]
    except Exception as error:
        return type(error).__name__, str(error)


for function in (norm_of_three, norm_of_none, norm_of_a_list, bins_of_two_axes, at_floats, at_floats_of_an_axis, at_a_list, outer_of_one,
                 outer_of_three, outer_of_unary, edges):
    want = outcome(function)
    assert isinstance(want, list) == (function is edges), (function, want)
    assert want == outcome(npcc.jit(function, target="cpu")), (function, want, outcome(npcc.jit(function, target="cpu")))
