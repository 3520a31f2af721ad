# RUN: %python %s
"""A bound of a slice that is None on one path and an int on another, alone, in a tuple, and where is stored."""
import numpy as np

import npcc


@npcc.jit
def runs(x, limit):
    found, start = [], None
    for k, value in enumerate(x):
        if start is None and value > limit:
            start = k
        elif start is not None and value <= limit:
            found.append((start, k))
            start = None
    found.append((start, None))
    return [x[a:b].sum() for a, b in found], max(x[a:b].max() for a, b in found)


@npcc.jit
def cut(a, n):
    first = None if n < 0 else n
    a[first:, 0] += 1
    a[:first, -1] = 9
    return a[first:, ::-1] if n else a[1:first, 1:first]


x = np.array([0.0, 3.0, 4.0, 1.0, 5.0])
assert repr(runs(x, 2.0)) == repr(runs.py_func(x, 2.0))
for n in (-1, 0, 2):
    given, own = np.zeros((3, 2)), np.zeros((3, 2))
    assert np.array_equal(cut(given, n), cut.py_func(own, n)) and np.array_equal(given, own), n
