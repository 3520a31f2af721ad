# RUN: %python %s
"""A store along a new axis of extent 1 that takes nothing of it was made for all of it, where the array is a value."""
import numpy as np

import npcc


def nothing(a):
    t = a + 2.0
    t[np.newaxis][1:1, 3] = 0.25
    return t


def of_a_row(a):
    t = a + 2.0
    row = t[4, np.newaxis, :6]
    row[1:1, None, 1] = 0.25
    return t


def up_to(a, n):
    t = a + 2.0
    t[np.newaxis][:n, 3] = 0.25
    return t


a = np.arange(49.0).reshape(7, 7)
for function, arguments in ((nothing, [a[0]]), (nothing, [a]), (of_a_row, [a]), (up_to, [a[0], 0]), (up_to, [a[0], 1]), (up_to, [a, 0])):
    for target in "cpu", "debug":
        got = npcc.jit(function, target=target)(*arguments)
        np.testing.assert_array_equal(got, function(*arguments), f"{function.__name__}, {target}")
