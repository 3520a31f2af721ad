# RUN: %python %s
"""What a loop was the first to set of an object that was there before it was missing behind the loop; so was an object
that is returned and lacks an attribute on some path: an AttributeError instead of the object."""
import numpy as np

import npcc


class Fit:
    pass


def counted(n):
    fit = Fit()
    for k in range(1, n):
        fit.rounds = k
    return fit.rounds


def target(n):
    fit = Fit()
    for fit.rounds in range(1, n):
        fit.last = fit.rounds * 0.5
    return fit


def left(a, limit):
    fit, found = Fit(), {}
    for fit.place, found["x"] in enumerate(a):
        if found["x"] > limit:
            fit.is_found = True
            break
    else:
        fit.is_found = False
    return fit, found


def chosen(n):
    fit = Fit()
    if n > 2:
        fit.rounds = n
    return fit, hasattr(fit, "rounds")


def seen(function, *arguments):
    try:
        result = function(*arguments)
    except AttributeError as error:
        return str(error)
    parts = result if isinstance(result, tuple) else (result,)
    return [vars(part) if isinstance(part, Fit) else part for part in parts]


for function, arguments in ((counted, (5,)), (counted, (1,)), (target, (5,)), (target, (1,)), (left, (np.arange(5.0), 2.5)),
                            (left, (np.arange(5.0), 9.0)), (chosen, (3,)), (chosen, (1,))):
    found, expected = seen(npcc.jit(function, target="cpu"), *arguments), seen(function, *arguments)
    assert found == expected, (function.__name__, arguments, found, expected)
