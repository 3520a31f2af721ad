# RUN: %python %s
"""A function of the program that a function of the library calls, and operators that it is given, computed modulo 2**64."""
import functools
import itertools
import operator

import npcc


def multiplied(n):
    return functools.reduce(operator.mul, range(1, n), 1)


def multiplied_by_a_lambda(n):
    return functools.reduce(lambda a, b: a * b, range(1, n), 1)


def running(n):
    return list(itertools.accumulate(range(1, n), lambda a, b: a * b))


def ordered(n):
    return sorted(range(1, n), key=lambda k: -(k**12))


def generated(n):
    def powers():
        for k in range(1, n):
            yield k**12
    return list(itertools.islice(powers(), 1, None))


for function, most in ((multiplied, 21), (multiplied_by_a_lambda, 21), (running, 21), (ordered, 38), (generated, 38)):
    compiled = npcc.jit(target="cpu")(function)
    assert compiled(most) == function(most), function
    assert compiled(most + 20) == function(most + 20), function
