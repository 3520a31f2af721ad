# RUN: %python %s
"""A parameter of random numbers out of its bounds is found when the draw runs: a clause that would take the error cannot be compiled."""

import numpy as np

import npcc


def guarded(n, p):
    try:
        return np.random.binomial(n, p)
    except ValueError:
        return -1


def guarded_by_another(n, p):
    try:
        return np.random.binomial(n, p)
    except KeyError:
        return -1


def guarded_constant():
    try:
        return np.random.normal(0.0, 1.0)
    except ValueError:
        return 2.0


try:
    npcc.jit(guarded, target="cpu")(-1, 0.5)
except npcc.CompileError as error:
    assert "out of their bounds are an error that compiled code cannot catch" in str(error), error
else:
    raise AssertionError("compiled")
try:
    npcc.jit(guarded_by_another, target="cpu")(-1, 0.5)
except ValueError as error:
    assert str(error) == "n < 0", error
else:
    raise AssertionError("not raised")
np.random.seed(3)
drawn = npcc.jit(guarded_constant, target="cpu")()
np.random.seed(3)
assert drawn == guarded_constant()
