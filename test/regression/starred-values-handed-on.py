# RUN: %python %s
# As many arguments as an array has could not go to a function that hands them on, and where they were too many or too few the error was not Python's.
import numpy as np

import npcc


def decay(y, rate, source):
    return -rate * y + source


def step(f, y, h, *parameters):
    return y + h * f(y, *parameters)


def rest(first, *others):
    return first, len(others), others


def solved(parameters):
    volume, *rates = parameters
    return step(decay, volume, 0.5, *rates)


def direct(parameters):
    return decay(*parameters)


def apart(parameters):
    return rest(*parameters), rest(1.0, *parameters), rest(1.0, 2.0, *parameters)


def outcome(function, *args):
    try:
        return repr(function(*args))
    except TypeError as error:
        return str(error)


for function in solved, direct, apart:
    compiled = npcc.jit(function)
    for n in 3, 1, 2, 4, 5:
        values = np.arange(n) + 1.0
        assert outcome(compiled, values) == outcome(function, values), (function, n, outcome(compiled, values), outcome(function, values))
