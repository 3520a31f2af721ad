# RUN: %python %s
# Python's sum, min, max, any and all of numbers and arrays without items raise what Python raises.
import numpy as np

import npcc


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except TypeError as error:
        return str(error)


def total(x):
    return sum(x)


def smallest(x):
    return min(x)


def largest(x):
    return max(x)


def some(x):
    return any(x)


def every(x):
    return all(x)


for function in (total, smallest, largest, some, every):
    for value in (np.uint8(0), np.float64(2.5), np.bool_(True), np.array(3.0), 7, 1.5):
        got, expected = outcome(npcc.jit(function), value), outcome(function, value)
        assert got == expected, (function.__name__, value, got, expected)
