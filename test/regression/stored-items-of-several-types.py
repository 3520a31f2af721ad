# RUN: %python %s
"""A tuple or list whose numbers are ints on one path and floats on another could not be stored into rows of an array."""
import numpy as np

import npcc


class Color:
    def __init__(self, r, g, b):
        self.r, self.g, self.b = r, g, b

    def __add__(self, other):
        return Color(self.r + other.r, self.g + other.g, self.b + other.b)


def mixed(k, depth):
    if depth == 0:
        return Color(1, 0, k)
    return Color(0.5, 1, 2) + mixed(k, depth - 1) if k % 2 else Color(0, 0.25, True)


def drawn(n, dtype):
    image = np.zeros((n, 3), dtype)
    total = np.zeros(3)
    for k in range(n):
        c = mixed(k, k % 3)
        image[k] = c.r, c.g, c.b
        total += np.array([c.r, c.b, 1], float)
    return image, total


for dtype in (np.float64, np.float32, np.int64):
    found, expected = npcc.jit(drawn, target="cpu")(7, dtype), drawn(7, dtype)
    for one, other in zip(found, expected):
        assert one.dtype == other.dtype and one.tolist() == other.tolist(), (one, other)
