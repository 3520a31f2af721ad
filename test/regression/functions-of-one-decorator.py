# RUN: %python %s
"""A function whose decorator had also made a function that it calls was taken for one that calls itself, and ran until Python's stack ended."""
import functools

import numpy as np

import npcc


def checked(function):
    @functools.wraps(function)
    def checking(*given):
        return function(*given)

    return checking


def scaled(factor):
    def by_factor(function):
        def scaling(x):
            return factor * function(x)

        return scaling

    return by_factor


@checked
def doubled(a):
    return a * 2


@checked
def moved(a):
    return doubled(a) + 1


@scaled(3.0)
def squared(x):
    return x * x


@scaled(5.0)
def twice_squared(x):
    return squared(squared(x))


@checked
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@checked
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@checked
def depth(n):
    return 0 if n < 2 else 1 + depth(n // 2)


def program(a, n):
    return moved(a).sum(), twice_squared(a), is_even(n), is_odd(n), depth(n)


for n in (0, 7, 100):
    a = np.arange(3.0)
    expected, given = program(a, n), npcc.jit(program, target="cpu")(a, n)
    assert repr(given) == repr(expected), (given, expected)
