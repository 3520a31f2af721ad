# RUN: %python %s
"""An array of None that a constructor gives an attribute, and a method replaces before anybody reads it, made the whole object one of Python's."""
import numpy as np

import npcc


class Filter:
    def __init__(self, n):
        self.z = np.array([[None] * n]).T
        self.x = np.zeros((n, 1))

    def update(self, z):
        self.z = z
        self.x = self.x + self.z * 0.5


def filtered(n):
    one = Filter(n)
    for k in range(3):
        one.update(np.full((n, 1), float(k)))
    return one.x


def replaced_on_one_path(n):
    z = np.array([None, 3])
    if n > 2:
        z = np.ones(3)
        return z.sum()
    return 0.0


def read(n):
    one = Filter(n)
    return one.x, one.z


def replaced_in_a_loop(n):
    one = Filter(n)
    for k in range(n):
        one.update(np.full((n, 1), float(k)))
    return one.z


for function in filtered, replaced_on_one_path, read, replaced_in_a_loop:
    compiled = npcc.jit(function, cache=False)
    for n in (3, 2):
        assert repr(compiled(n)) == repr(function(n)), (function, n)
    if function in (filtered, replaced_on_one_path):
        assert "a part that Python runs" not in str(compiled.explain())
