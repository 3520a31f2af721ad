# RUN: %python %s
"""A function that gives an object of Python's on one path and an array on another was refused."""
import datetime

import numpy as np

import npcc


def date_or_array(x, k):
    if k > 1:
        return datetime.date(2020, 1, k)
    return x * 2


def date_or_tuple(x, k):
    if k > 1:
        return datetime.date(2020, 1, k)
    return "none", x * 2, k


def helper(x, k):
    if k > 1:
        return datetime.date(2020, 1, k)
    return x + 1


def of_helper(x, k):
    found = helper(x, k)
    return found, x.sum()


x = np.arange(3.0)
for function in (date_or_array, date_or_tuple, of_helper):
    for k in (1, 2, 3):
        expected, got = function(x, k), npcc.jit(function, cache=False)(x, k)
        assert type(got) is type(expected), (function.__name__, got)
        np.testing.assert_equal(got, expected, function.__name__)
