# RUN: %python %s
"""A small global array could not be taken apart (`a, b, c = POINT`, `f(*POINT)`), and a global array of strings was never equal to a string."""
import numpy as np

import npcc

POINT = np.array([3.0, 1.0, 2.0])
TABLE = np.arange(12.0).reshape(3, 4)
DICT = {"point": POINT}
NAMES = np.array(["b", "a", "cc"])
MANY = np.array([f"n{k % 7}" for k in range(40)]).reshape(4, 10)


def difference(a, b, c):
    return a - b - c


def taken_apart():
    a, b, c = POINT
    (d, e, *f), g, h = TABLE
    i, *j = DICT["point"]
    return a + b * c, d, e, f, g, h, i, j, difference(*POINT), [*POINT, 1], max(*POINT), np.hypot(*POINT[:2])


def too_many():
    a, b = POINT
    return a + b


def strings():
    return (NAMES == "a", NAMES != "a", (NAMES == "cc").sum(), np.where(NAMES < "b", 1, 0), NAMES[NAMES != "b"], np.unique(NAMES), "cc" in NAMES,
            NAMES[2], [name + "!" for name in NAMES], MANY == "n3", MANY[1:, ::3], np.unique(MANY), MANY.shape)


def stored():
    NAMES[0] = "z"


for function in taken_apart, strings:
    result, expected = npcc.jit(function, target="cpu", cache=False)(), function()
    assert repr(result) == repr(expected), (function.__name__, result, expected)

try:
    npcc.jit(too_many, target="cpu", cache=False)()
except ValueError as error:
    assert "too many values to unpack" in str(error), error
else:
    raise AssertionError("no ValueError")

try:
    npcc.jit(stored, target="cpu", cache=False)()
except TypeError:
    assert NAMES[0] == "b"
else:
    assert NAMES[0] == "z"
