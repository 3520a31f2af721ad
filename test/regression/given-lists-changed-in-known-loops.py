# RUN: %python %s
"""What a loop of a known number of steps stored into a list of arrays that is an argument was lost: it went into a copy of the list."""
import numpy as np

import npcc


def steps(values, n):
    for _ in range(n):
        values[0] = values[0] + values[1] * 0.5


def known_steps(values, n):
    for k in (0, 1):
        if k < n:
            values[k] = values[1 - k] * 0.5
    return values


def positions(values, n):
    for k in range(n):
        values[k] = values[1] * 0.5


a = np.arange(3.0)
for function in steps, known_steps, positions:
    for make in (lambda: [a, a * 2]), (lambda: [1.5, 2.0]):
        mine, others = make(), make()
        function(others, 2)
        npcc.jit(function, target="cpu", cache=False)(mine, 2)
        assert repr(mine) == repr(others), (function.__name__, mine, others)
