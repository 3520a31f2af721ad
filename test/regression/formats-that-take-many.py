# RUN: %python %s
# A value that may be None is written by a format where it is a number; a format takes as many of an array's items as it
# has fields, of a tuple's as many as there are.
import numpy as np

import npcc


def first_above(a, limit):
    for k, value in enumerate(a):
        if value > limit:
            return k, value
    return None, np.inf


def found(a, limit):
    k, value = first_above(a, limit)
    return "%.3f at %d" % (value, k)


def of_row(a, limit):
    return "{:.2f} {:.1f}".format(*a), "{2} {0:.0f}".format(*a)


def of_tuple(a, limit):
    return "%.2f %5.1f" % tuple(a)


for function in found, of_row, of_tuple:
    compiled = npcc.jit(target="cpu")(function)
    for a in np.array([1.0, 4.0, 9.0]), np.array([1.0, 2.0]), np.array([5.0]):
        answers = []
        for called in function, compiled:
            try:
                answers.append(called(a, 3.0))
            except (TypeError, IndexError) as error:
                answers.append((type(error), str(error)))
        assert answers[0] == answers[1], (function.__name__, a, answers)
