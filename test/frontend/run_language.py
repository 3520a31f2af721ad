# RUN: %python %s
"""Constructs of the language, compiled, against Python."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "Inputs"))
from against_numpy import check  # noqa: E402

table = np.arange(12.0).reshape(3, 4)
signed, unsigned = np.array([3, 1, 2], np.int8), np.array([3, 1, 2], np.uint8)


def nested_loops(a):
    s = 0
    for row in a:
        for v in row:
            if v > 5:
                continue
            s += v
    return s


def loop_with_exits(n, x):
    total = 0.0
    k = 0
    while True:
        k += 1
        if k > n:
            break
        if k % 2:
            continue
        total += k * x
    return total, k


def search(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            break
    else:
        return -1
    return i


def elements(a):
    for i in range(len(a)):
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] * 2 if (i + j) % 2 == 0 else -a[i, j]
    return a.sum()


def fibonacci(n):
    a, b = 0, 1
    while a < n:
        a, b = b, a + b
    return a


def views(a):
    copy = a.copy()
    view = a[::2]
    view += 1
    copy[1] = a[0]
    a[0], a[1] = a[1].copy(), a[0].copy()
    b = a.T
    b[0] = 9
    c = b[1:3, ::2]
    c *= 3
    a[..., -1] = 0
    return copy, view, b, c


def overlap(a):
    a[1:] = a[:-1]
    a[:, ::-1] += a
    return a


def alias_on_a_branch(x, n):
    if n > 2:
        y = x
    else:
        y = x * 2
    y[0] = 7
    return x, y


def positions(a, i):
    return a[i], a[i, 0], a[-1, i], a[i:i + 2, ::-1], a[:, i:], a[1:i + 1], a[::-2, -3:-1], a[5:], a[..., None, i]


def closures(x, coefficients):
    def horner(c, t):
        r = 0
        for k in c:
            r = r * t + k
        return r
    return horner(coefficients, x), horner((1, 2, 3), x), [q for q in (1, 2) if q > 1][0]


def integers(n):
    return (n // 3, n % 3, -n // 3, -n % 3, n ** 2, 2 ** n, n / 3, divmod(-n, 3)[0], n << 2, n >> 1, n & 3, n | 8, n ^ 5, ~n, -n,
            abs(-n), n > 3, not n, n == 3.0, float(n), bool(n), min(n, 2), round(2.5), int(-2.7))


def floats(x):
    return (x // 2, x % 2, -x % 3, x ** 3, x ** -1, abs(x), int(x), round(x), x > 1, x != x, -x, x / 2, bool(x), divmod(x, 2)[1])


def fractional_power(x):
    return x ** 0.5


def dtypes(i, u):
    return (i + u, i * 2, i / 2, i // u, i % u, i ** 2, i << 1, u >> 1, i & 3, ~i, -i, abs(i), i > u, i == 1, i + 1.5, i * 1j, np.sqrt(i),
            u + np.int64(1), i ** i.astype(np.float32), np.floor(i), np.maximum(i, 2), np.sum(i), np.sum(u), np.mean(i), np.prod(u), u - 1)


def integer_powers(i, n):
    return 5 ** i, i ** i, i ** n


def unbound(n):
    if n > 3:
        x = n
    return x


def raising(n):
    if n < 0:
        raise ValueError(f"n is {n}")
    assert n != 1, "one"
    return 1 / n


def truth(x):
    return 1 if x else 2


for function, *arguments in [
        (nested_loops, table), (loop_with_exits, 7, 0.5), (loop_with_exits, 0, 1.0), (search, np.array([1.0, 5, 2]), 4.0),
        (search, np.array([1.0, 5, 2]), 9.0), (search, np.zeros(0), 9.0), (elements, table), (fibonacci, 1000), (views, table), (overlap, table),
        (alias_on_a_branch, np.ones(3), 1), (alias_on_a_branch, np.ones(3), 3), (positions, table, 1), (positions, table, -1),
        (positions, table, 5), (closures, np.full(3, 2.0), (1.0, 2.0)), (closures, 2.5, (1, 2)), (integers, 7), (floats, 2.5), (floats, -1.5),
        (floats, 0.0), (fractional_power, 2.0), (dtypes, signed, unsigned), (integer_powers, signed, 2),
        (integer_powers, -signed, 2), (integer_powers, signed, np.int8(-1)), (unbound, 4), (unbound, 3), (raising, -2), (raising, 0),
        (raising, 1), (raising, 2), (truth, np.array([0.0])), (truth, np.array([[3.0]])), (truth, np.zeros(2)), (truth, np.zeros(0))]:
    check(function, *arguments)
