# RUN: %python %s
"""An extent of 1 beside a longer one: vecdot() raises, einsum() stretches it where it is known to be 1, and
numpy.array() names the shape as far as the items have one."""

import numpy as np

import npcc


def error_of(function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)
    raise AssertionError((function, arguments))


def products(x, y):
    return np.vecdot(x, y)


def together(x, y):
    return np.array([x, y, x])


def summed(x, y):
    return np.einsum("i,i->", x, y)


def summed_of_some(x, y, n):
    return np.einsum("i,i->", x, y[:n])


three, one, square = np.arange(3.0), np.ones(1), np.ones((2, 3))
for function, x, y in (
    (products, three, one),
    (products, one, three),
    (products, square, one),
    (together, three, one),
    (together, square, np.ones((2, 2))),
    (together, square, np.ones((1, 3))),
    (together, np.ones((4, 2, 3)), np.ones((4, 2, 1))),
):
    assert error_of(function, x, y) == error_of(npcc.jit(function, target="cpu"), x, y), (function.__name__, x, y)
assert npcc.jit(summed, target="cpu")(three, one) == npcc.jit(summed, target="cpu")(one, three) == 3
assert error_of(npcc.jit(summed_of_some, target="cpu"), three, three, 1)[0] == "NotImplementedError"
assert npcc.jit(summed_of_some, target="cpu")(three, three, 3) == 5
