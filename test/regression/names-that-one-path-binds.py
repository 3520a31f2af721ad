# RUN: %python %s
# A NumPy scalar that is first bound in a loop had no form where it is not bound. And a name that an iteration leaves alone keeps what an
# earlier one bound it to.

import warnings

import npcc
import numpy as np


def convergence(x, tolerance, n):
    for i in range(n):
        error = np.abs(x).max()
        x = x / 2
        if error < tolerance:
            break
    return error, i, x


def on_one_path(x, c):
    if c > 0:
        s = x.sum()
    return s


def inner_counter(n):
    for i in range(n, 0, -1):
        for k in range(i - 2):
            pass
        j = k
    return j, k


def first_iteration_only(n):
    for i in range(n):
        if i == 0:
            x = 5
        y = x
        x = i
    return x, y


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except UnboundLocalError as error:
        return str(error)


array = np.array([3.0, -1.0])
for function, calls in [(convergence, [(array, 0.5, 9), (array, 0.0, 3), (array, 0.5, 0)]), (on_one_path, [(array, 1), (array, 0)]),
                        (inner_counter, [(4,), (2,), (0,)]), (first_iteration_only, [(3,), (1,), (0,)])]:
    compiled = npcc.jit(function, target="cpu")
    for arguments in calls:
        expected, given = outcome(function, *arguments), outcome(compiled, *arguments)
        np.testing.assert_equal(given, expected)


# Views of an array that is bound on a path which is not taken: the diagonals of a cross product, which is an array of vectors or of numbers.
def trace_of_product(a, b):
    b[-2] = np.trace(np.cross(b, b) if a else 2)
    return b


warnings.simplefilter("ignore", DeprecationWarning)
pairs = np.arange(8.0).reshape(2, 2, 2)
expected, given = trace_of_product(np.array(1.0), pairs.copy()), npcc.jit(target="cpu")(trace_of_product)(np.array(1.0), pairs.copy())
assert np.array_equal(given, expected)
