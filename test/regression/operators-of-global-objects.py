# RUN: %python %s
# An operator of an object of a global beside a value of run time was a TypeError, a dataclass of a global was never equal to one of the function's, and
# an object's operator got NumPy's number where NumPy gives it Python's.
from dataclasses import dataclass

import numpy as np

import npcc


class Length:
    def __init__(self, metres):
        self.metres = metres

    def __mul__(self, other):
        return Length(self.metres * other)

    __rmul__ = __mul__

    def __eq__(self, other):
        return self.metres == other.metres

    def __lt__(self, other):
        return self.metres < other.metres

    def __contains__(self, metres):
        return metres <= self.metres

    def __getitem__(self, place):
        return self.metres + place

    def __call__(self, x):
        return self.metres - x


@dataclass(order=True)
class Point:
    x: float
    y: float


foot = Length(0.25)
origin = Point(0.0, 0.0)


def measured(x, k):
    made = Length(x)
    answers = made == foot, foot == made, made < foot, foot < made, made != foot, k in foot, foot[k], foot(x)
    return (x * foot).metres, (foot * x).metres, (np.float64(x) * foot).metres, (np.float32(x) * made).metres, answers


def placed(x):
    point = Point(x, x)
    return point == origin, origin == point, point != origin, origin <= point, point < origin


for values in (2.0, 1), (0.25, 0):
    expected, result = measured(*values), npcc.jit(measured)(*values)
    assert repr(result) == repr(expected), (result, expected)
for x in 0.0, 1.0:
    assert npcc.jit(placed)(x) == placed(x)


def many(a):
    return a * foot


try:
    npcc.jit(many)(np.ones(2))
except npcc.CompileError as error:
    assert "array of objects" in str(error)
else:
    raise AssertionError("NumPy makes an array of objects of this")
