# RUN: %python %s
"""Functions of arrays without axes raise NumPy's errors, and of several of a row the first one is reported. An array
is no element of an array."""

import numpy as np

import npcc


def error_of(function, *arguments):
    try:
        function(*arguments)
    except npcc.CompileError as error:
        return error.msg.split(":")[0]
    except Exception as error:
        return type(error).__name__
    return None


def element(a, b):
    a[0] = b
    return a


def element_in_place(a, b):
    a[0] += b
    return a


def filled(a, b):
    a.fill(b)
    return a


number, line = np.int32(1), np.arange(3.0)
for function in (
    lambda x, y: np.trapezoid(x),
    lambda x, y: np.trapezoid(x, y),
    lambda x, y: np.polyval(x, y),
    lambda x, y: np.digitize(x, y),
    lambda x, y: np.digitize(y, x),
    lambda x, y: np.vecdot(x, y),
    lambda x, y: np.vecdot(y, x),
    lambda x, y: np.tensordot(x, y, axes=1),
    lambda x, y: np.tensordot(y, x, axes=1),
    lambda x, y: np.correlate(x, y),
    lambda x, y: np.cross(x, y),
    lambda x, y: np.diff(x, prepend=y),
    lambda x, y: x @ y,
    lambda x, y: x @ x,
    lambda x, y: np.average(y, weights=x),
):
    compiled = npcc.jit(function, target="cpu")
    for x, y in ((number, line), (np.array(number), line), (number, number)):
        assert error_of(compiled, x, y) == error_of(function, x, y), (function, x, y, error_of(function, x, y))
for dtype in ("?", "i4", "f8", "c8", "c16"):
    for function in (element, element_in_place, filled):
        compiled = npcc.jit(function, target="cpu")
        for b in (line, np.ones((2, 2)), number):
            a = np.zeros(3, dtype)
            assert error_of(compiled, a.copy(), b) == error_of(function, a.copy(), b), (function.__name__, dtype, b)
for base in (np.uint8(3), np.array([1], "u1"), np.int8(3)):
    power = npcc.jit(lambda x: x**-1, target="cpu")
    assert error_of(power, base) == error_of(lambda x: x**-1, base), base
close = npcc.jit(lambda x, y: np.isclose(x, y), target="cpu")
with np.errstate(all="ignore"):
    assert close(np.array(2, "f4"), -1e300) == np.isclose(np.array(2, "f4"), -1e300)
