# RUN: %python %s
# A row of an array that a loop carried, a branch gave or a product read was taken for the array's first one.
import numpy as np

import npcc


def swapped(a, n):
    u, v = a[1], a[2]
    for i in range(n):
        u[:] = v * 2 + u
        u, v = v, u
    return u


def chosen(a, n):
    u = a[1]
    if n > 2:
        u = a[2]
    return u


def shrinking(a, n):
    u = a[1:]
    while n > 0:
        u = u[1:]
        u[0] = n
        n -= 1
    return u + 1


def product(a, n):
    b = a.reshape(n, 2, 2)
    b[2] = b[1] @ b[n - 1]
    return b


for function in swapped, chosen, shrinking, product:
    a, b = np.arange(20.0).reshape(5, 4), np.arange(20.0).reshape(5, 4)
    n = 5 if function is product else 3
    got, want = npcc.jit(target="cpu")(function)(a, n), function(b, n)
    np.testing.assert_array_equal(got, want, function.__name__)
    np.testing.assert_array_equal(a, b, function.__name__)
