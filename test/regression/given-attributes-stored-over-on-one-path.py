# RUN: timeout 120 %python %s
"""An attribute of no type that compiled code has, such as an array of objects, was left as it was where a loop or branch stores something else there."""
import numpy as np

import npcc


class Filter:
    def __init__(self):
        self.x = np.zeros(2)
        self.z = np.array([[None]])

    def step(self, z):
        self.x = self.x + 0.5 * (z - self.x)
        self.z = z


def loop(f, zs):
    for z in zs:
        f.step(z)
    return f.x


def branch(f, zs):
    if zs[0] > 1:
        f.step(zs[0])
    return f.x.sum()


def once(f, zs):
    f.step(zs[1])
    return f.x


for function in (loop, branch, once):
    compiled = npcc.jit(function, target="cpu")
    for zs in (np.arange(4.0), np.array([3.0, 1.0])):
        mine, other = Filter(), Filter()
        np.testing.assert_array_equal(compiled(mine, zs), function(other, zs))
        assert repr(vars(mine)) == repr(vars(other)), (function, vars(mine), vars(other))
    assert str(compiled.explain())
