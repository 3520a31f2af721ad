# RUN: %python %s
"""What `op=` changes in place, where its target or its right side is an array on one path only."""
import npcc
import numpy as np


def rebound_in_a_loop(a, b, n):
    for _ in range(n):
        b -= 0.5 * a
        b = np.tanh(0.5)
    return b


def rebound_before(a, b, n):
    if n > 1:
        b = 0.5
    b -= 1.0
    return b


def right_side_of_other_axes(a, b, n):
    b += a if n > 1 else 0.5
    b[:2] *= a[0] if n > 1 else 2.0
    b[0] -= a[0, 0] if n > 1 else 1
    b[[0, 1]] += a if n > 3 else 1.0


def int_or_float(a, b, n):
    counts = np.zeros(3, np.int64)
    try:
        counts += 1 if n > 1 else 0.5
    except TypeError as error:
        return str(error)
    return counts


def arrays_of_other_axes(a, b, n):
    c = a if n > 1 else b
    c += 1
    c[0] += 2
    return c


def result(function, *arguments):
    a, b = np.arange(4.0).reshape(2, 2), np.ones(2)
    try:
        value = function(a, b, *arguments)
    except ValueError as error:
        value = str(error)
    return repr((value, a, b))


for function in (rebound_in_a_loop, rebound_before, right_side_of_other_axes, int_or_float, arrays_of_other_axes):
    for target in ("cpu", "debug"):
        compiled = npcc.jit(function, target=target)
        for n in (1, 2):
            expected, got = result(function, n), result(compiled, n)
            assert got == expected, (function.__name__, target, n, got, expected)
