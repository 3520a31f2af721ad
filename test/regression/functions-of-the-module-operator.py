# RUN: %python %s
"""Of the module operator, the functions that change their first argument, and those that ask a container, were refused."""
import operator

import numpy as np

import npcc


def in_place(a, b, items):
    operator.iadd(a, 1)
    operator.__imul__(a, b)
    operator.iconcat(items, [5])
    operator.setitem(items, 0, 7)
    operator.delitem(items, 1)
    return a, operator.iadd(3, 4), operator.isub(b, 1), operator.ifloordiv(7, 2), operator.ipow(2, b), operator.ixor(b, 1)


def asked(items, x):
    return (operator.contains(items, x), operator.countOf(items, x), operator.indexOf(items, x), operator.concat(items, [x]), operator.not_(x),
            operator.truth(items), operator.abs(-x), operator.inv(x))


for function in (in_place, npcc.jit(in_place, target="cpu")):
    a, items = np.arange(3), [1, 2, 3]
    result = function(a, 2, items)
    assert result[0] is a and a.tolist() == [2, 4, 6] and items == [7, 3, 5] and result[1:] == (7, 1, 3, 4, 3), (a, items, result)
assert npcc.jit(asked, target="cpu")([1, 2, 3, 2], 2) == asked([1, 2, 3, 2], 2)
