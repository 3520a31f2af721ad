# RUN: %python %s
# zip() of a few known objects, dicts or functions and of an array chooses among them; a dict was left to Python, and
# refused where a comprehension had a name of the same spelling.
import numpy as np

import npcc

CITIES = [{"name": "Berlin", "lat": 52.5}, {"name": "Paris", "lat": 48.5}]


class Meter:
    def __init__(self, total):
        self.total = total


def names(x):
    line = ",".join(c["name"] for c in CITIES)
    for c, value in zip(CITIES, x):
        line += f" {c['name']}={value * c['lat']}"
    return line


def meters(x):
    made = [Meter(1), Meter(2)]
    for meter, value in zip(made, x):
        meter.total += value
    return [meter.total for meter in made]


def functions(x):
    total = 0.0
    for function, value in zip((np.sin, lambda t: t * t), x):
        total += function(value)
    return total


def dicts(x):
    rows = [{"a": 1.0}, {"b": 3}]
    for row, value in zip(rows, x):
        row["a"] = value
    return rows


for function in names, meters, functions, dicts:
    compiled = npcc.jit(target="cpu")(function)
    for x in np.array([0.5, 0.25]), np.array([0.5]), np.array([0.5, 2.0, 3.0]):
        assert repr(compiled(x)) == repr(function(x)), (function.__name__, x, compiled(x))
