# RUN: %python %s
"""A call of NumPy's that cannot be compiled was an error. Python makes it, with the arrays that it is given, and the rest stays compiled."""
import numpy as np

import npcc


def blocks(x):
    y = x * 2
    return np.asarray(np.bmat([[y, y], [y, y]])) + 1


def unstacked(x):
    total = 0.0
    for row in np.unstack(x + 1, axis=1):
        total += row.max()
    return total


def tiled(x, n):
    return np.tile(x * 2, (2,) * n) + 1


def days(x, steps):
    u = x.copy()
    for k in range(steps):
        u = u * 1.5 + k
    return u, np.busday_count("2020-01-01", "2020-03-01") + steps


# The array changes behind the call: Python's views of it have to see that.
def changed_later(x):
    y = x + 1
    rows = np.unstack(y)
    y[0] = 7
    return rows, y


def stored_into(x):
    y = x * 2
    np.unstack(y)[1][:] = 5
    return y


def caught(x):
    try:
        found = np.busday_count("2020-01-01", "no date")
    except ValueError:
        found = -1
    return found, x * 2


def raising(x):
    return x * 2, np.unstack(x, axis=x.shape[0])


# What a call leaves undefined is refused, and so is what asks for errors that compiled code does not raise.
def undefined(x):
    return np.clip(x, 0.2, 0.5, where=x > 0.1)


def asking_for_errors(x):
    np.seterr(divide="raise")
    return 1 / x


x = np.arange(12.0).reshape(3, 4)
for function, arguments in ((blocks, ()), (unstacked, ()), (tiled, (3,)), (days, (4,)), (changed_later, ()), (stored_into, ()), (caught, ())):
    expected, got = function(x.copy(), *arguments), npcc.jit(function, cache=False)(x.copy(), *arguments)
    np.testing.assert_equal(got, expected, function.__name__)
errors = []
for run in (raising, npcc.jit(raising, cache=False)):
    try:
        run(x)
    except Exception as error:
        errors.append((type(error), str(error)))
assert len(errors) == 2 and errors[0] == errors[1], errors
for function in (undefined, asking_for_errors):
    try:
        npcc.jit(function, cache=False)(x)
        raise AssertionError(function.__name__)
    except npcc.CompileError:
        pass
# The steps are compiled: Python counts days.
compiled = npcc.jit(days, cache=False)
compiled(x, 4)
lines = str(compiled.explain()).split("\n")
parts = [after.strip() for line, after in zip(lines, lines[1:]) if "a part that Python runs" in line]
assert parts and not any("u *" in part for part in parts), parts
