# RUN: %python %s
"""An error that the compiler knew of went past the clauses of `try`; in one arm of an expression, it was raised for the other arm too, and
before what the statement does first."""
import numpy as np

import npcc


def in_one_arm(a, n):
    total = 0.0
    if n > 0:
        t = (1.0, 2.0)
        total = t[0] if n > 3 else t[5]
    return total


def add_one(a):
    a += 1
    return 1.0


def after_an_effect(a, n):
    if n > 3:
        a[0] = add_one(a) + (1.0, 2.0)[5]
    return a.sum()


def by_its_class(a, n):
    try:
        return np.sum(a, axis=3)
    except np.exceptions.AxisError:
        return -1.0


def by_a_base_class(a, n):
    try:
        a[1] = np.reshape(a, (2, -1, -1))[0, 0]
    except (KeyError, ValueError):
        a[0] = n
    return a.sum()


def by_another_class(a, n):
    try:
        return a.nothing
    except KeyError:
        return 1.0
    finally:
        a[2] = n


def on_one_path(a, n):
    try:
        if n > 3:
            a[n] = np.expand_dims(a, 5)[0]
    except IndexError:
        return -1.0
    return a.sum()


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), str(error)


for function in (in_one_arm, after_an_effect, by_its_class, by_a_base_class, by_another_class, on_one_path):
    compiled = npcc.jit(function, target="cpu")
    for n in (3, 4, 3):
        a, b = np.arange(6.0), np.arange(6.0)
        expected, given = outcome(function, a, n), outcome(compiled, b, n)
        assert expected == given and np.array_equal(a, b), (function.__name__, n, expected, given, a, b)
