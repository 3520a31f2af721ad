# RUN: %python %s
"""numpy.put() into an array of no elements has an error of its own, where there is any position."""
import numpy as np

import npcc


def put(a, positions, values):
    np.put(a, positions, values)


def wrapped(a, positions, values):
    np.put(a, positions, values, mode="wrap")


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except IndexError as error:
        return str(error)


for function in (put, wrapped):
    for shape in ((0,), (0, 3), (2,)):
        for positions in ([], [0], [1, 0]):
            arguments = np.zeros(shape), np.array(positions, int), np.ones(1)
            wanted, got = outcome(function, *arguments), outcome(npcc.jit(function, target="cpu"), *arguments)
            assert got == wanted, (function.__name__, shape, positions, got, wanted)
