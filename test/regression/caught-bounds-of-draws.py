# RUN: %python %s
"""Bounds of random integers, and choices of more than there are, left the call though a clause would take the error: an integer parameter was taken for
constant, after which the draw was no longer found to fail late. Other constants were in bounds where they were not negative."""
import numpy as np

import npcc


def below(g, n):
    missed, drawn = "", []
    for i in range(n):
        try:
            drawn.append(g.integers(0, i))
        except ValueError as error:
            missed += str(error)
    return missed, drawn, g.random()


def between(g, n):
    try:
        return g.integers(3, n, 4), g.integers(-5, n, endpoint=True), g.integers(0, n, 2, dtype=np.int8), g.integers(-1, 5, dtype=np.uint8)
    except ValueError as error:
        return str(error), g.random()


def chosen(g, n):
    try:
        return g.choice(5, n, replace=False), g.choice(n)
    except ValueError as error:
        return str(error), g.random()


def legacy(n):
    try:
        return np.random.RandomState(3).randint(2, n), np.random.RandomState(3).choice(4, n, False)
    except ValueError as error:
        return str(error)


for function in (below, between, chosen):
    compiled = npcc.jit(target="cpu")(function)
    for n in (0, 2, 5, 6, 200, -6):
        expected, got = (repr(f(np.random.default_rng(1), n)) for f in (function, compiled))
        assert expected == got, (function, n, expected, got)
for n in (0, 3, 9):
    assert repr(legacy(n)) == repr(npcc.jit(target="cpu")(legacy)(n)), n


def constant(g):
    try:
        return g.binomial(5, 1.5)
    except ValueError:
        return -1


assert npcc.jit(target="cpu")(constant)(np.random.default_rng(1)) == -1
