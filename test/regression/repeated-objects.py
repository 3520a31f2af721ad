# RUN: %python %s
"""A list of an object could be repeated a known number of times only; else that was a TypeError, as if of Python's, as it was of a list of one list."""
import npcc


class Fraction:
    def __init__(self, top, bottom=1):
        self.top, self.bottom = top, bottom

    def __add__(self, other):
        return Fraction(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)


def product(left, right):
    result = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] = result[i + j] + Fraction(a * b)
    return [(f.top, f.bottom) for f in result]


assert npcc.jit(product)([1, 2, 3], [4, 5]) == product([1, 2, 3], [4, 5])


def shared(n):
    rows = [[0] * 2] * n
    rows[0][1] = 7
    return rows


assert npcc.jit(shared)(3) == shared(3)
