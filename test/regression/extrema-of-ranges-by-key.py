# RUN: %python %s
"""max() and min() of a range or dict with a key took the range or dict itself for the first item."""
import math

import npcc


@npcc.jit(target="cpu")
def best(x):
    worth = {"a": 3, "b": 5, "c": 1}
    return max(range(10, 81, 5), key=lambda k: math.cos(k) * x), min(worth, key=lambda k: worth[k]), max(worth, key=worth.get), min(range(5), key=lambda k: -k)


assert best(2.0) == best.py_func(2.0)
