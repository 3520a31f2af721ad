# RUN: %python %s
# A number that is complex on one path only was complex on the other, too.
import cmath

import npcc


def chosen(x):
    y = x.real if not x.imag else x
    return y


def roots(a, b, c):
    d = cmath.sqrt(b * b - 4 * a * c)
    both = ((-b + d) / (2 * a), (-b - d) / (2 * a))
    return [r.real if not r.imag else r for r in both]


def assigned(x, is_turned):
    y = 1
    if is_turned:
        y = x * 1j
    return y, y + 1, isinstance(y, complex), f"{y}"


def summed(values):
    total = 0
    for x in values:
        if x > 0:
            total += x * 1j
    return total, abs(total)


for function, arguments in [(chosen, (3 + 0j,)), (chosen, (3 + 1j,)), (roots, (1, 2, 1)), (roots, (1, 2, 5)),
                            (assigned, (2, True)), (assigned, (2, False)), (assigned, (2.5, False)),
                            (summed, ([1.0, -2.0],)), (summed, ([-1.0],))]:
    expected = repr(function(*arguments))
    assert repr(npcc.jit(function)(*arguments)) == expected, (function.__name__, arguments, expected)
