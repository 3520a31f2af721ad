# RUN: %python %s
"""A list of lists of ints that becomes one of floats in a loop, given or made: the lists are two alternatives, and not their arrays."""

import npcc


def halves(u):
    return [[0.5] * len(u[0]) for _ in range(len(u))]


def by_a_function(n, u):
    while n > 0:
        n -= 1
        u = halves(u)
    return u


def in_the_loop(n, u):
    for i in range(n):
        u = [[0.5 * i] * len(u) for _ in range(len(u))]
    return u


for n in (0, 1, 3):
    for function in (by_a_function, in_the_loop):
        given = [[1, 2], [3, 4]]
        assert npcc.jit(function, target="cpu")(n, given) == function(n, given), (function, n)
