# RUN: %python %s
"""Keyword arguments of a call of an object with __call__() were dropped."""
import npcc


class Line:
    def __init__(self, slope):
        self.slope = slope

    def __call__(self, x, order=0, *, shift=0.0):
        return self.slope * x + shift if order == 0 else self.slope


@npcc.jit(target="cpu")
def values(slope):
    line = Line(slope)
    return line(2.0), line(2.0, order=1), line(x=3.0, shift=1.0)


assert values(0.5) == values.py_func(0.5) == (1.0, 0.5, 2.5)
