# RUN: %python %s
"""A complex number divided by a real one is a quotient of complex numbers, by 1 too: of an infinite one the other part
is NaN. Means and medians of one number are such quotients."""

import numpy as np

import npcc


def same(function, x):
    with np.errstate(all="ignore"):
        want, got = function(x), npcc.jit(function, target="cpu")(x)
    assert repr(want) == repr(got), (function.__name__, x, want, got)


def by_one(z):
    return z / 1


def by_a_real_number(z):
    return z / -2.5


def by_zero(z):
    return z / 0


def mean(z):
    return np.mean(z)


def median(z):
    return np.median(z)


def means(z):
    return np.mean(np.expand_dims(z, -1), axis=-1)


numbers = np.array([complex(np.inf, 1), complex(1, -np.inf), 2 + 1j, complex(-0.0, 0.0), complex(np.nan, 1)])
for x in (numbers, numbers.astype("c8"), numbers[0], np.array([1j, 2, complex(np.inf, 1), 3])):
    for function in (by_one, by_a_real_number, by_zero, median, means):
        same(function, x)
same(mean, complex(np.inf, 1))
same(median, complex(np.inf, 1))
