# RUN: %python %s
"""A loop that reads through one view what it wrote through another was run in parallel."""
import numpy as np

import npcc


def of_a_new_array(n):
    a = np.zeros((n, 1))
    b = a.reshape(-1)
    for i in range(1, n):
        b[i] = a[i - 1, 0] + 1.0
    return a


def of_an_argument(a):
    b = a.reshape(-1)
    for i in range(1, a.shape[0]):
        b[i] = a[i - 1, 0] + 1.0
    return a


def of_one_of_two(a, flag):
    b = np.zeros(a.shape[0])
    if flag:
        b = a.reshape(-1)
    for i in range(1, a.shape[0]):
        b[i] = a[i - 1, 0] + 1.0
    return b


def of_a_loop(a, n):
    b = np.zeros(a.shape[0])
    for k in range(n):
        b = a.reshape(-1)
    for i in range(1, a.shape[0]):
        b[i] = a[i - 1, 0] + 1.0
    return b


def check(function, *arguments):
    copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    wanted = function(*arguments)
    got = npcc.jit(target="cpu")(function)(*copies)
    assert np.array_equal(got, wanted), function.__name__
    for copy, argument in zip(copies, arguments):
        assert np.array_equal(copy, argument), function.__name__


column = np.arange(200000.0).reshape(-1, 1) % 7
check(of_a_new_array, 100)
check(of_an_argument, column.copy())
check(of_one_of_two, column.copy(), True)
check(of_one_of_two, column.copy(), False)
check(of_a_loop, column.copy(), 0)
check(of_a_loop, column.copy(), 2)
