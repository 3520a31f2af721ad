# RUN: %python %s
"""An array of None is Python's object: what is computed beside it stays compiled."""

import numpy as np

import npcc


class Filter:
    def __init__(self, n, m):
        self.x = np.zeros((n, 1))
        self.z = np.array([[None] * m]).T

    def update(self, z):
        if z is None:
            self.z = np.array([[None] * len(self.x)]).T
            return
        self.z = z * 2.0
        self.x = self.x + z


def filtered(n, values):
    f = Filter(n, 1)
    for z in values:
        f.update(z)
    return f.x, f.z


def unused(n):
    f = Filter(n, 2)
    return f.x, f.z


for function, arguments in ((filtered, (2, [1.0, 2.5])), (unused, (3,))):
    want, got = function(*arguments), npcc.jit(function, target="cpu")(*arguments)
    assert repr(want) == repr(got), (want, got)


def as_many_as_asked(n):
    missing = np.array([[None] * n]).T
    x = np.zeros((n, 1))
    return missing, x


want, got = as_many_as_asked(3), npcc.jit(as_many_as_asked, target="cpu")(3)
assert repr(want) == repr(got), (want, got)


class Inverter:
    def __init__(self, n):
        self.z = np.array([[None] * n])
        self.inverse = np.linalg.inv  # a function that the object holds, not its class
        self.s = np.eye(n) * 2.0

    def step(self, z):
        self.s = self.inverse(self.s)
        self.z = z


def inverted(z):
    one = Inverter(2)
    one.step(z)
    return one.s, one.z


want, got = inverted(1.0), npcc.jit(inverted, target="cpu")(1.0)
assert repr(want) == repr(got), (want, got)


class Leaf:
    def __init__(self, value):
        self.value = value


def of_leaves(n):
    leaves = np.empty((n, 2), dtype=object)
    for i in range(n):
        for k in range(2):
            leaves[i, k] = Leaf(i * 2.0 + k)
    total = 0.0
    for i in range(n):
        total += leaves[i, 1].value
    return total


want, got = of_leaves(3), npcc.jit(of_leaves, target="cpu")(3)
assert repr(want) == repr(got), (want, got)
