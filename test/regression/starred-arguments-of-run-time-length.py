# RUN: %python %s
"""`f(a, *values)`, where how many values there are is known when the call is made only, gave a function with defaults as many as it needs at least, and raised
where there were more."""
import numpy as np

import npcc


class Quaternion:
    def __init__(self, w, x=0.0, y=0.0, z=0.0):
        self.parts = np.array([w, x, y, z])

    def moved(self, by, scale=1.0):
        return self.parts * scale + by


def polynomial(x, a, b=10.0, c=100.0):
    return a + b * x + c * x * x


def of_a_class(axis):
    return Quaternion(0.5, *(axis * 2)).parts


def of_a_function(values):
    return polynomial(2.0, *values)


def before_others(values):
    return polynomial(*values, 3.0)


def beside_keywords(values):
    return polynomial(2.0, *values, c=1.0)


def of_a_method(values):
    return Quaternion(1.0).moved(*values)


for function in (of_a_class, of_a_function, before_others, beside_keywords, of_a_method):
    compiled = npcc.jit(target="cpu")(function)
    for count in range(6):
        values = np.arange(1.0, 1.0 + count)
        try:
            wanted = function(values)
        except TypeError:
            try:
                compiled(values)
            except TypeError:
                continue
            raise AssertionError(f"{function.__name__} takes {count} values")
        assert np.array_equal(compiled(values), wanted), (function.__name__, count)
