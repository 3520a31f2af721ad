# RUN: %python %s
"""As many arguments as a list has go to what makes an object, to methods, and to one of several functions. They were refused."""
import math

import npcc

FUNCTIONS = {"sin": math.sin, "atan2": math.atan2, "max": max, "pow": pow}


class Polynomial:
    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __add__(self, other):
        return Polynomial(*[a + b for a, b in zip(self.coefficients, other.coefficients)])

    def at_all(self, first, *others):
        return [sum(c * x**k for k, c in enumerate(self.coefficients)) for x in (first, *others)]


class Measured:
    def __init__(self, name, *values):
        self.name, self.count = name, len(values)


def sums(values):
    above = Polynomial(*[v for v in values if v > 0])
    return (above + above).coefficients, above.at_all(*above.coefficients), Measured(*[v for v in values if v < 0]).count


def applied(names, rows):
    found = []
    for name, row in zip(names, rows):
        found.append(FUNCTIONS[name](*[x for x in row if x >= 0]))
    return found


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except TypeError as error:
        return str(error)


NAMES = ["sin", "max", "pow", "atan2"]
ROWS = [[1.0, -1.0, -1.0], [1.0, 2.0, 5.0], [2.0, 3.0, -1.0], [1.0, 0.5, -1.0]]
CALLS = [(sums, [1.0, -2.0, 3.0]), (sums, [1.0, 2.0]), (sums, [-1.0, -2.0]), (applied, NAMES, ROWS), (applied, NAMES, [[1.0, 2.0], *ROWS[1:]]),
         (applied, NAMES, [*ROWS[:3], [1.0, 2.0, 3.0]])]
for function, *arguments in CALLS:
    expected, found = outcome(function, *arguments), outcome(npcc.jit(function), *arguments)
    assert found == expected, (function.__name__, arguments, found, expected)
