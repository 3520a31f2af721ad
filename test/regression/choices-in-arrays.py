# RUN: %python %s
"""np.select() of arrays, whose rows are the conditions and the choices, was refused, as np.choose(mode=None) was."""
import numpy as np

import npcc


def selected(a, default):
    return np.select(a > 1, a ** 2, default), np.select(a[0] > -2, a[0]), np.select(a > 9, a[:, :1], [0.5, 1, 2])


def chosen(a):
    return np.choose(np.array([0, 1, 2]), a, mode=None)


def described(values):
    return [(x.dtype, x.tolist()) for x in values]


a = np.arange(-3, 6).reshape(3, 3)
for default in (0, -1.5):
    assert described(npcc.jit(selected, target="cpu")(a, default)) == described(selected(a, default))
assert npcc.jit(chosen, target="cpu")(a).tolist() == chosen(a).tolist() == [-3, 1, 5]
