# RUN: %python %s
"""Tuples that get longer in a loop of any number of iterations, in names and attributes, as keys of dicts and as what is returned."""
import numpy as np

import npcc


def numbers(n):
    t = ()
    for k in range(n):
        t = t + (k,)
    return t, len(t), sum(t), t[1:3], t[::-1], 2 in t


def from_others(n):
    t = (0.5,)
    for k in range(n):
        t += (k * 0.5,)
    first, *rest = t
    return t, first, rest, np.array(t).sum()


def on_some_paths(values):
    t = ()
    for x in values:
        if x > 0:
            t += (x,)
    return t, t[-1] if t else None, max(t, default=0), t == (1, 2)


def unpacked(n):
    t = ()
    for k in range(n):
        t = (*t, k)
    return t, sorted(t), list(t)


def in_front(n):
    t = (0,)
    while len(t) < n:
        t = (len(t),) + t
    return t


def longest(n):
    best, t = (), ()
    for k in range(n):
        t = t + (k * 3 % 7,) if k % 5 else ()
        if len(t) > len(best):
            best = t
    return best


def as_keys(n):
    seen, key = {}, ()
    for k in range(n):
        key = key + (k % 2,)
        seen[key] = len(key)
        seen[key[:1]] = -1
    return seen, (0, 1) in seen


def of_several_types(n):
    t = ()
    for k in range(n):
        t += (k, "x", None)
    return t


def of_pairs(n):
    t = ()
    for k in range(n):
        t += ((k, k * 2),)
    return t, sum(b for a, b in t)


class Walk:
    def __init__(self):
        self.path = ()

    def go(self, x):
        self.path += (x,)
        return len(self.path)


def in_attributes(n):
    walk = Walk()
    return [walk.go(k) for k in range(n)], walk.path


def shape(a):  # a few known items: the loop is unrolled
    extents = ()
    for axis in range(a.ndim):
        extents += (a.shape[axis] + 1,)
    return np.zeros(extents).shape


for function in numbers, from_others, unpacked, in_front, longest, as_keys, of_several_types, of_pairs, in_attributes:
    compiled = npcc.jit(function, target="cpu")
    before = npcc.counters()["compilations"]
    for n in range(1, 30, 4):
        want, got = function(n), compiled(n)
        assert repr(got) == repr(want), (function.__name__, n, got, want)
    assert npcc.counters()["compilations"] <= before + 2, function.__name__  # not one for each n
compiled = npcc.jit(on_some_paths, target="cpu")
for values in [1, 2], [-1], [3, -1, 4, 1, 5] * 4:
    want, got = on_some_paths(values), compiled(values)
    assert repr(got) == repr(want), (got, want)
for array in np.zeros(3), np.zeros((2, 3)):
    assert npcc.jit(shape, target="cpu")(array) == shape(array)
