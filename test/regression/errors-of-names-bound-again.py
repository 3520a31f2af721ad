# RUN: %python %s
"""What a branch binds a name to that nobody reads behind it was dropped with its error, where the name is read elsewhere."""
import numpy as np

import npcc


def behind(x, n):
    y = np.arange(3)
    total = 0
    for k in range(n):
        total += y[k]
    if total > 0:
        y = np.where(y, y, x)
    return total


def bound_twice(x, n):
    y = x + np.arange(3)
    y = np.arange(n)
    return y


for function in (behind, bound_twice):
    for target in ("cpu", "debug"):
        compiled = npcc.jit(target=target)(function)
        assert str(compiled(np.ones(3), 3)) == str(function(np.ones(3), 3))
        try:
            compiled(np.ones(2), 3)
            assert False, "no error"
        except ValueError as error:
            assert "could not be broadcast" in str(error), error
