# RUN: %python %s
"""`x[p]` looks at its positions before what is done with it looks at extents: of both errors, the first counts. The extents were looked at first, because the
positions are looked at by the kernel that needs them."""
import numpy as np

import npcc


def added(x, p, y):
    return x[p] + y


def chosen(x, p, y):
    return np.where(x[p] > 1, y, 0.25)


def stored(x, p, y):
    y[:] = x[p]


def changed(x, p, y):
    x[p] *= y[7]


def beside(x, p, y):
    z = x[p]
    return z, x + y


def outcome(function, arguments):
    try:
        return str(function(*arguments))
    except (IndexError, ValueError) as error:
        return type(error).__name__, str(error)


for target in ("cpu", "debug"):
    for function in (added, chosen, stored, changed, beside):
        compiled = npcc.jit(target=target)(function)
        for last in (2, 9):
            for extent in (3, 8, 5):
                arguments = np.arange(3.0), np.array([0, 1, last]), np.arange(extent * 1.0)
                copies = [a.copy() for a in arguments]
                assert outcome(function, arguments) == outcome(compiled, copies), (function.__name__, target, last, extent)
                assert all(map(np.array_equal, arguments, copies)), (function.__name__, target, last, extent)
