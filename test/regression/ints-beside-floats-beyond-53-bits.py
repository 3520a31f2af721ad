# RUN: %python %s
"""An int and a float were compared as float64; Python compares them exactly. And no clause of the program takes an OverflowError that Python has not: of a
number that compiled code has as a narrow float, because its name holds one of NumPy's on another path."""
import math

import numpy as np

import npcc


def compared(n, x):
    return n == x, n != x, n < x, n <= x, n > x, n >= x, x == n, x != n, x < n, x <= n, x > n, x >= n


def of_products(n):
    return n * n - 0.5 == n * n, n * n + 1 > n * n * 1.0, float(n * n) != n * n + 1, n * n < 2.0**60, 9007199254740993 == n * 1.0


def largest(numbers, x):
    return [k for k in numbers if k > x]


def caught(x, y):
    try:
        return max(x, y)
    except OverflowError:
        return "caught"


for target in ("cpu", "debug"):
    f, g, h = (npcc.jit(one, target=target) for one in (compared, of_products, largest))
    for n in (0, 3, -3, 2**53, 2**53 + 1, -(2**53) - 1, 2**53 + 2, 2**60 + 1, 2**62 - 1, 2**63 - 1, -(2**63)):
        for x in (float(n), math.nextafter(float(n), math.inf), math.nextafter(float(n), -math.inf), 0.5, -0.0, math.nan, math.inf, -math.inf):
            assert f(n, x) == compared(n, x), (n, x, f(n, x), compared(n, x))
    for n in (1, 3, 2**27 + 1, 3037000499, 9007199254740992):
        if n < 2**32:
            assert g(n) == of_products(n), n
    assert h([2**53, 2**53 + 1, 2**53 + 3], 2.0**53) == [2**53 + 1, 2**53 + 3]
for x, y in (np.float32(1), 1e39), (np.float16(1), 10**6), (np.float32(1), 0.5):
    assert repr(npcc.jit(caught, target="cpu")(x, y)) == repr(caught(x, y)), (x, y)
