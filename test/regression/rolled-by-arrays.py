# RUN: %python %s
"""`np.roll` by the items of an array was refused, and so was `np.diff` of an order that is known at run time only."""
import numpy as np

import npcc


def rolled(a, by):
    return np.roll(a, by, axis=(0, 1)), np.roll(a, by + 1, (1, 0)), np.roll(a, by), np.roll(a, by, axis=1), np.roll(a, by[:1], axis=(0, 1))


def streamed(f, velocities):
    f = f.copy()
    for k, velocity in enumerate(velocities):
        f[k] = np.roll(f[k], velocity, axis=(0, 1))
    return f


def wrong(a, by):
    return np.roll(a, by, axis=(0, 1))


def differences(y, orders):
    return [np.diff(y, n=order) for order in orders], np.diff(y > 3, n=len(orders))


def seen(function, *arguments):
    try:
        return repr(function(*arguments))
    except ValueError as error:
        return str(error)


a = np.arange(12.0).reshape(3, 4)
for function, arguments in ((rolled, (a, np.array([1, -2]))), (streamed, (np.arange(24.0).reshape(2, 3, 4), np.array([[0, 1], [2, -1]]))),
                            (wrong, (a, np.array([1, 2, 3]))), (wrong, (a, np.ones((2, 2), int))), (differences, (np.arange(8.0) ** 2, [1, 2, 0]))):
    assert seen(npcc.jit(function, target="cpu"), *arguments) == seen(function, *arguments), function.__name__
