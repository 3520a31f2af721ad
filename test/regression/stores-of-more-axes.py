# RUN: %python %s
"""What is stored may have more axes than the place where the first ones have one position: that was asked when it was compiled,
so that extents of run time were refused, in words without the shapes."""

import numpy as np

import npcc


def row(a, c):
    c[0] = a


def product(a, b, c):
    c[0] = a @ b


def check(function, *arguments):
    results = []
    for one in (function, npcc.jit(function, target="cpu", cache=False)):
        given = [argument.copy() for argument in arguments]
        try:
            one(*given)
            results.append(given[-1].tolist())
        except ValueError as error:
            results.append(str(error))
    assert results[0] == results[1], results


for shape in ((1, 4), (1, 1, 4), (2, 4), (3, 1, 4), (1, 1)):
    check(row, np.ones(shape), np.zeros((3, 4)))
check(product, np.ones((1, 3)), np.ones((3, 4)), np.zeros((2, 4)))
check(product, np.ones((2, 3)), np.ones((3, 4)), np.zeros((2, 4)))
