# RUN: %python %s
"""A lambda that an item of a comprehension makes found the comprehension's targets no more once that had ended: they are what they were last."""
import numpy as np

import npcc


def shifted(v):
    return [f(v) for f in [lambda v: v + k for k in range(3)]], [(lambda: k)() for k in range(3)]


def with_own_names(v):
    k = 10
    fs = [lambda v, p=k: v * p + k for k in range(3)]
    return [f(v) for f in fs], k


def nested(v):
    rows = [[lambda: (i, j, v) for j in range(2)] for i in range(3)]
    return [f() for row in rows for f in row]


def by_names(v):
    table = {name: lambda x: x ** power + scale for power, (name, scale) in enumerate(zip("abc", (1, 2, 3)))}
    return {name: f(v) for name, f in table.items()}


def makers(n):
    return [lambda x: x * k * n for k in (1, 2)]


def made(v, n):
    return [f(v) for f in makers(n)], [f(v) for f in makers(n + 1)]


def of_arrays(x):
    fs = [lambda y: y + part for part in (x, 2 * x)]
    return [f(x) for f in fs]


for function, *arguments in ((shifted, 2.0), (with_own_names, 3), (nested, 0.5), (by_names, 3), (made, 2.0, 3), (of_arrays, np.arange(3.0))):
    assert repr(npcc.jit(function, target="cpu")(*arguments)) == repr(function(*arguments)), function
