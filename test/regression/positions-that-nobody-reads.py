# RUN: %python %s
"""NumPy looks at all positions of `x[p]` before it does anything else. Compiled code looked at those whose elements it needed, so an error was lost where
only a part was read, and of `y[:] = x[p]` the elements before the wrong position were stored."""
import numpy as np

import npcc


def part(y, x, p):
    return x[p][:3]


def elements(y, x, p):
    z = x[p]
    return z[1] + z[2]


def nothing(y, x, p):
    return x[p][:0]


def replaced(y, x, p):
    z = x[p]
    z[9] = 1
    return z


def in_a_loop(y, x, p):
    z, s = x[p], 0.0
    for k in range(3):
        s += z[k]
    return s


def stored(y, x, p):
    y[:] = x[p]


def added(y, x, p):
    y += x[p] * 2


def stored_part(y, x, p):
    y[2:] = x[p][2:]


def behind_other_positions(y, x, p):
    y[:] = x[p[p]]


def of_two_axes(y, x, p):
    y[:] = np.outer(x, x)[p, p[::-1]]


def joined_for_nobody(y, x, p):
    z = x[p]
    np.append(z, z)
    return y[99]


def outcome(function, arguments):
    try:
        return np.asarray(function(*arguments)).tolist()
    except IndexError as error:
        return str(error)


x = np.arange(16.0)[::-1].copy()
for function in (part, elements, nothing, replaced, in_a_loop, stored, added, stored_part, behind_other_positions, of_two_axes,
                 joined_for_nobody):
    for target in ("cpu", "debug"):
        compiled = npcc.jit(target=target)(function)
        for wrong in (None, 9, 15, 0):
            p = np.arange(16)
            if wrong is not None:
                p[wrong] = 77
            expected, found = [np.ones(16), x, p], [np.ones(16), x, p]
            assert outcome(function, expected) == outcome(compiled, found), (function.__name__, target, wrong)
            assert expected[0].tolist() == found[0].tolist(), (function.__name__, target, wrong)
