# RUN: %python %s
"""Errors that NumPy raises at the call were CompileErrors of the whole function where the compiler knew of them, also on paths that were not taken."""
import numpy as np

import npcc


def on_one_path(a, n):
    a[0] = 7
    if n > 3:
        return np.sum(a, axis=3)
    return a.sum()


def in_a_choice(a, n):
    return (np.sum(a, axis=3) if n > 3 else a.sum()) + 1


def in_a_loop(a, n):
    total = 0.0
    for k in range(n):
        total += a.sum()
        if k == 4:
            total = np.reshape(a, (2, -1, -1)).sum()
    return total


def along(a, n):
    return np.sum(a, axis=n - 4)


def always(a, n):
    a[1] = 5
    np.squeeze(a, axis=1)
    a[2] = 5


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), str(error)


for function in (on_one_path, in_a_choice, in_a_loop, along, always):
    compiled = npcc.jit(function, target="cpu")
    for n in (3, 4, 5, 3):
        for step in (1, 2):
            a, b = np.arange(6.0)[::step], np.arange(6.0)[::step]
            expected, given = outcome(function, a, n), outcome(compiled, b, n)
            assert expected == given and np.array_equal(a, b), (function.__name__, n, expected, given)

for name, call in (
    ("AxisError", lambda a: np.expand_dims(a, 5)),
    ("TypeError", lambda a: np.sum(a, axes=1)),
    ("TypeError", lambda a: np.sum()),
    ("AttributeError", lambda a: a.nothing),
    ("IndexError", lambda a: a[0, 0]),
    ("LinAlgError", lambda a: np.linalg.det(a)),
):
    expected, given = outcome(call, np.ones(3)), outcome(npcc.jit(call, target="cpu"), np.ones(3))
    assert expected == given and expected[0].__name__ == name, (expected, given)
