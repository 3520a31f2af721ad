# RUN: %python %s
# Python's True was made the number 1 where another path has one of NumPy's, or an int: ~True is -2, and a float has no ~.
import numpy as np

import npcc


def either(x):
    return True if x[0] > 1 else x[1]


def negated(x):
    return -(True if x[0] > 1 else x[1])


def inverted(x):
    return ~(True if x[0] > 1 else x[1])


def of_python(x):
    found = False
    if x[0] > 1:
        found = 3
    return found, found + 1, found * 0.5


def in_loop(x):
    found = False
    for k in range(len(x)):
        if x[k] > 2:
            found = k
    return found


for function in either, negated, inverted, of_python, in_loop:
    for x in np.array([2.0, 3]), np.array([0.0, 1]), np.array([2, 3]), np.array([0, 3]), np.array([2, 3], "f4"):
        answers = []
        for called in function, npcc.jit(target="cpu")(function):
            try:
                value = called(x.copy())
                answers.append((type(value), repr(value)))
            except TypeError as error:
                answers.append(str(error))
        assert answers[0] == answers[1], (function.__name__, x, answers)
