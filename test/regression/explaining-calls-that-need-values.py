# RUN: %python %s
"""explain() of a call was refused where a call compiles: with a large array in a global or a closure, and where an integer must be known."""
import numpy as np

import npcc

TABLE = np.arange(1000.0)
calls = 0


def looked_up(k):
    return TABLE * k


def counted(x):
    global calls
    calls += 1
    return x * calls


def cube(n):
    return np.zeros((2, 2, 2) + (1,) * (n - 3)) + 1


def used(f, x):
    return f(x) + 1


def weighted(n):
    weights = np.ones((n, 3))
    return lambda x: weights @ x


def explained(function, *arguments):
    return str(npcc.jit(target="cpu")(function).explain(*arguments))


assert "kernel 1: map over" in explained(looked_up, 2)
assert "map over 5" in explained(counted, np.ones(5))
assert "map over 2 x 2 x 2" in explained(cube, 3), explained(cube, 3)
assert "map over 1,000" in explained(used, weighted(1000), np.ones(3))
compiled = npcc.jit(target="cpu")(cube)
assert compiled(40).shape == (2, 2, 2) + (1,) * 37  # more axes than npcc's arrays have: Python's
assert "a part that Python runs" in explained(cube, 40) and "a part that Python runs" in str(compiled.explain()), explained(cube, 40)
