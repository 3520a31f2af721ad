# RUN: %python %s
"""A copy, tuple or part of a list of views had copies of their elements: what was stored into one of them did not reach the array, or was a ValueError."""
import numpy as np

import npcc


def tuple_of_comprehension(x):
    return tuple([r for r in x])


def tuple_of_generator(x):
    return tuple(r for r in x)


def tuple_of_name(x):
    rows = [r for r in x]
    return tuple(rows)


def tuple_of_array(x):
    return tuple(x.T)


def tuple_of_appended(x):
    rows = []
    for r in x:
        rows.append(r)
    return tuple(rows)


def copied(x):
    rows = [r for r in x]
    return rows.copy()


def sliced(x):
    return list(x)[1:]


def added(x):
    rows = []
    for r in x:
        rows.append(r)
    return rows + []


def stored_into(function):
    def storing(x):
        row = function(x)[1]
        row[0] = 99
        return x

    return storing


for function in (tuple_of_comprehension, tuple_of_generator, tuple_of_name, tuple_of_array, tuple_of_appended, copied, sliced, added):
    for one in (function, stored_into(function)):
        expected, given = one(np.arange(9.0).reshape(3, 3)), npcc.jit(one, target="cpu")(np.arange(9.0).reshape(3, 3))
        assert type(expected) is type(given), (function.__name__, type(given))
        np.testing.assert_array_equal(given, expected, function.__name__)
