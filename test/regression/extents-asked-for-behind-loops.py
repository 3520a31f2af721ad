# RUN: %python %s
"""A message of an error that ends a loop asked for the extent of a value that the loop had made, which was in no array there: an internal error."""
import numpy as np

import npcc


def checked(b):
    for _ in range(2):
        positions = np.asarray([0, -1])
        outside = (positions < -b.size) | (positions >= b.size)
        if np.any(outside):
            raise IndexError(f"{positions[np.argmax(outside)]} is outside")
        b[...] = 3
    return b


def placed(b):
    n = 2
    while n > 0 and b > 0:
        n -= 1
        np.put(b, [0, -1], 2)
    return b


assert npcc.jit(target="cpu")(checked)(np.ones(2)).tolist() == [3, 3]
assert npcc.jit(target="cpu")(placed)(np.array(1.0)) == 2
