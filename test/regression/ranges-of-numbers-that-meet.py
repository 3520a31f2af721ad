# RUN: %python %s
"""range() of a number that is Python's int on one path and NumPy's on another, as min(k, n - k) is, was refused where a loop went over it, and so was a list
that is repeated a number of times that is NumPy's integer."""
import numpy as np

import npcc


def choose(n, k):
    terms, value = min(k, n - k), 1
    for j in range(1, terms + 1):
        value *= n + 1 - j
        value //= j
    return value, list(range(terms)), range(terms)[-1], len(range(0, terms, 2))


def bounds(a, k):
    first = a[0] if k else 2
    return [i for i in range(first, max(a[1], k), a[2])]


def repeated(a, k):
    zeros = [0] * a[1]
    for j in range(a[1]):
        zeros[j] += j * k
    return zeros, a[0] * [1.5], [0] * max(a[0], k), [k] * (a[0] - 9)


def wrong(a, k):
    return list(range(a[0] if k else 2.5))


for arguments in (np.int64(9), 3), (np.int64(9), 7), (9, np.int64(3)), (np.int32(6), 5), (6, 5):
    expected, found = choose(*arguments), npcc.jit(choose)(*arguments)
    assert repr(found) == repr(expected), (arguments, found, expected)
for function in bounds, repeated:
    for a in np.array([1, 7, 2]), np.array([1, 7, 2], np.int16):
        for k in 0, 3, 9:
            expected, found = function(a, k), npcc.jit(function)(a, k)
            assert repr(found) == repr(expected), (function.__name__, k, found, expected)
assert npcc.jit(wrong)(np.array([2]), 1) == [0, 1]
try:
    npcc.jit(wrong)(np.array([2]), 0)
except TypeError as error:
    assert str(error) == "'float' object cannot be interpreted as an integer", error
else:
    raise AssertionError("no error")
