# RUN: %python %s
# Globals, closure cells, containers, attributes and helpers were what they had been at the first call.

import types

import npcc
import numpy as np

ALPHA = 2.0
TABLE = np.array([1.0, 2.0, 3.0])
ITEMS = [1.0, 2.0]
PARAMETERS = {"a": 1.0}
SETTINGS = types.SimpleNamespace(beta=3.0)


class Config:
    gamma = 1.5


def helper(x):
    return x + ALPHA


def program(x):
    return helper(x) * TABLE.sum() + sum(ITEMS) + PARAMETERS["a"] + SETTINGS.beta + Config.gamma + abs(-1)


compiled = npcc.jit(program, target="cpu")
x = np.arange(3.0)


def check(what):
    np.testing.assert_array_equal(compiled(x), program(x), what)


check("at first")
signatures = compiled.signatures
assert len(signatures) == 1
ALPHA = 5.0
check("a global")
ALPHA = 2.0
check("a global that is again what it was")


def helper(x):
    return x - ALPHA


check("a helper that is defined again")
helper.__code__ = (lambda x: x * 3).__code__
check("a helper's code")
TABLE[1] = 100
check("an item of a global array")
ITEMS[0] = 7.0
check("an item of a list")
ITEMS.append(1.0)
check("a list that grows")
PARAMETERS["a"] = 9.0
check("a value of a dict")
SETTINGS.beta = -1.0
check("an attribute of an object")
Config.gamma = 22.0
check("an attribute of a class")


def abs(value):
    return 100 * value


check("a global with the name of a builtin")
del abs
check("the builtin again")
assert compiled.signatures == signatures


def make():
    factor = 1.0

    def inner(x):
        return x * factor

    def change(value):
        nonlocal factor
        factor = value
    return inner, npcc.jit(inner, target="cpu"), change


inner, compiled_inner, change = make()
np.testing.assert_array_equal(compiled_inner(x), inner(x))
change(4.0)
np.testing.assert_array_equal(compiled_inner(x), inner(x))


# What a function changes of a global list is changed at each call.
def grows(x):
    ITEMS.append(3.0)
    return x


def shrinks(x):
    return x * ITEMS.pop()


before = list(ITEMS)
grown, shrunk = npcc.jit(grows, target="cpu"), npcc.jit(shrinks, target="cpu")
for calls in (1, 2):
    grown(x)
    assert ITEMS == before + calls * [3.0], ITEMS
for calls in (2, 1):
    assert np.array_equal(shrunk(x), x * 3.0)
assert ITEMS == before
