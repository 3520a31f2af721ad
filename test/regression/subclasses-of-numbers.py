# RUN: %python %s
"""An instance of a subclass of float, or of a scalar type of NumPy's, was taken for a number without the class's own operators."""
import enum

import numpy as np

import npcc


class Loud(float):
    def __mul__(self, other):
        return "loud"


class Scaled(np.float64):
    def __mul__(self, other):
        return "scaled"


class Added(int):
    def __add__(self, other):
        return "added"


class Axis(enum.IntEnum):
    ROWS = 0


def doubled(a):
    return a * 2


for number in (Loud(1), Scaled(1), Added(1)):
    try:
        npcc.jit(doubled, target="cpu")(number)
    except TypeError as error:
        assert "with rules of its own" in str(error), error
    else:
        raise AssertionError(number)
for number in (np.float64(1), np.longlong(3), Axis.ROWS, True):
    assert npcc.jit(doubled, target="cpu")(number) == doubled(number)
