# RUN: %python %s
# A name that holds None or a number, and the number an int on one path and a float on another, lost that it is an int;
# where a bool was there too, an int became a bool.
import numpy as np

import npcc


def none(n):
    if n == 1:
        return 7
    if n == 2:
        return n / 4
    return None


def none_of_paths(n):
    value = None
    if n == 1:
        value = 7
    elif n == 2:
        value = 2.5
    return value


def bools(n):
    if n == 1:
        return n == 1
    if n == 2:
        return n
    return n / 2


def complexes(n):
    if n == 1:
        return 1j
    if n == 2:
        return n
    return n / 2


def text(n):
    if n == 1:
        return str(n)
    if n == 2:
        return n
    return n / 2


def numpys(n):
    if n == 1:
        return None
    if n == 2:
        return 0.5
    return np.ones(2)[1]


def in_tuple(n):
    pair = (0, 1)
    for k in range(n - 1):
        pair = (pair[0] + 0.5, 2)
    return pair


def in_loop(n):
    found = None
    for k in range(n):
        if k == 1:
            found = k if n == 2 else k / 2
    return found


for called in none, none_of_paths, bools, complexes, text, numpys, in_tuple, in_loop:

    def outer(n):
        value = called(n)
        return [value, 1], value

    for function in called, outer:
        compiled = npcc.jit(target="cpu")(function)
        for n in range(1, 4):
            assert repr(compiled(n)) == repr(function(n)), (called.__name__, n, compiled(n), function(n))
