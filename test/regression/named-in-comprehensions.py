# RUN: %python %s
"""A name that `:=` binds in a comprehension is one of the function around it: it was not defined."""
import numpy as np

import npcc


def filtered(text):
    return [part for piece in text.split(",") if (part := piece.strip())]


def chosen(text):
    return [(float(hours) * 60 if ":" in piece and (hours := piece.split(":")[0]) else float(piece)) for piece in text.split(",") if piece.strip()]


def afterwards(a):
    squares = [last := x * x for x in a]
    return squares, last


def running(a):
    total = 0.0
    return [total := total + x for x in a], total


def witness(a, limit):
    if any((found := x) > limit for x in a):
        return found
    return None


def in_a_dict(a):
    halves = {k: half for k in range(len(a)) if (half := a[k] / 2) > 0.5}
    return halves, {third for x in a if (third := round(float(x) / 3)) >= 0}


def nested(n):
    return [[inner := i * j for j in range(n)] + [inner] for i in range(n)]


def before(n):
    y = -1
    values = [y := k for k in range(n)]
    return values, y


a = np.arange(5.0)
CASES = [(filtered, "a, b,  , c"), (chosen, "1:2,3, "), (afterwards, a), (running, a), (witness, a, 2.0), (witness, a, 9.0), (witness, [1, 5, 7], 2),
         (witness, (1, 2), 0), (in_a_dict, a), (nested, 3), (before, 3), (before, 0)]
for function, *arguments in CASES:
    result, expected = npcc.jit(function, target="cpu", cache=False)(*arguments), function(*arguments)
    assert repr(result) == repr(expected), (function.__name__, result, expected)


# A generator function that another function goes over binds names of the function that it is defined in.
def bound_by_a_generator(a):
    found = None

    def up_to():
        nonlocal found
        for x in a:
            found = x
            yield x > 2

    return any(up_to()), found


result, expected = npcc.jit(bound_by_a_generator, target="cpu", cache=False)(a), bound_by_a_generator(a)
assert repr(result) == repr(expected), (result, expected)
