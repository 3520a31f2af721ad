# RUN: %python %s
# A value stored at positions may have more axes than they, of extent 1; others are an error in NumPy's words.
import numpy as np

import npcc


def at_positions(a, value):
    a[np.arange(5)] = value


def at_rows(a, value):
    a[np.arange(4)[::-1]] = value


def in_new_axis(a):
    a[np.arange(5)[::-1]] = a[np.newaxis, :]


def at_mask(a, mask, value):
    a[mask] = value


def outcome(function, *arguments):
    arguments = [a.copy() for a in arguments]
    try:
        function(*arguments)
        return arguments[0].tolist()
    except (ValueError, TypeError) as error:
        return type(error).__name__, str(error)


line, rows = np.arange(5.0), np.arange(12.0).reshape(4, 3)
mask = np.array([True, False, True, True])
for function, *arguments in ((at_positions, line, np.arange(5.0)[None]), (at_positions, line, np.ones((1, 1, 5))), (at_positions, line, np.ones((1, 1))),
                             (at_positions, line, np.ones((2, 5))), (at_positions, line, np.ones((1, 4))), (at_positions, line, np.ones((1, 2, 5))),
                             (at_rows, rows, np.ones((1, 4, 3))), (at_rows, rows, np.ones((2, 4, 3))), (at_rows, rows, np.ones((1, 4, 2))),
                             (in_new_axis, line), (at_mask, rows, mask, np.ones((1, 3, 3))), (at_mask, rows, mask, np.ones((2, 3, 3)))):
    want = outcome(function, *arguments)
    for target in ("cpu", "debug"):
        got = outcome(npcc.jit(target=target)(function), *arguments)
        assert got == want, (function.__name__, [a.shape for a in arguments], target, got, want)
