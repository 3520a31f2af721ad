# RUN: %python %s
"""[items[0]] + items was refused where the items of `items` are of several types, as are those of a function that gives a float or NumPy's float64."""
import numpy as np

import npcc


def cost(x):
    if x[0] < 0:
        return 1e10
    return np.sum(x * x)


def shrunk(points, rounds):
    values = [cost(x) for x in points]
    for _ in range(rounds):
        order = np.argsort(values)
        values = [values[i] for i in order]
        values = [values[0]] + [cost(x) for x in points[1:]]
    return values, min(values)


points = np.arange(6.0).reshape(3, 2) - 1
assert repr(npcc.jit(target="cpu")(shrunk)(points, 2)) == repr(shrunk(points, 2))
