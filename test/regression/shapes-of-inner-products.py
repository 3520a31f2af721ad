# RUN: %python %s
"""numpy.inner() exchanges the last two axes of its second operand, and its error says so, of more than two axes too. numpy.dot() of an array of more axes than
BLAS takes and a number is numpy.multiply(), whose output may be of another dtype."""
import numpy as np

import npcc


def inner(a, b):
    return np.inner(a, b)


def scaled(a, b):
    np.dot(a, 1.5, out=b)
    return b


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except (TypeError, ValueError, npcc.CompileError) as error:
        return str(error).split("ValueError: ")[-1].splitlines()[0]


for left in ((2,), (2, 3), (1, 0), (2, 2, 3)):
    for right in ((3,), (4, 3), (1, 1, 1), (2, 4, 3), (2, 1, 4, 3)):
        arguments = np.arange(np.prod(left), dtype=float).reshape(left), np.arange(np.prod(right), dtype=float).reshape(right)
        assert outcome(npcc.jit(inner, target="cpu"), *arguments) == outcome(inner, *arguments), (left, right)
for shape in ((2,), (2, 2), (2, 1, 2), (1, 1, 1)):
    for dtype in (np.float32, np.float64):
        arguments = np.ones(shape, np.float32), np.zeros(shape, dtype)
        assert outcome(npcc.jit(scaled, target="cpu"), *arguments) == outcome(scaled, *arguments), (shape, dtype)
