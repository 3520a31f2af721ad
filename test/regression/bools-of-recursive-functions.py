# RUN: %python %s
"""A function that calls itself with an int and with a bool was one function of ints: the bool was printed as 0."""
import numpy as np

import npcc


def shown(value):
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(shown, value)) + ")"
    return repr(value)


def reached(n):
    return n > 0 if n < 2 else reached(n - 1) and n


def kind(x, n):
    return type(x).__name__ if n == 0 else kind(x, n - 1) + kind(np.float32(x), n - 1)


for value in (([1], False, 5), [(1, 2), (True, 3)], ([1.5], 2, True, None)):
    found = npcc.jit(shown, target="cpu")(value)
    assert found == shown(value), (value, found)
for n in range(4):
    found = npcc.jit(reached, target="cpu")(n)
    assert repr(found) == repr(reached(n)), (n, found)
assert npcc.jit(kind, target="cpu")(np.float64(1), 2) == kind(np.float64(1), 2)
