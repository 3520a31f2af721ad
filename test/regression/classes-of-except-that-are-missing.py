# RUN: %python %s
"""Python looks for the classes of an 'except' when an exception comes to it, not before."""

import numpy as np

import npcc


def inverse(a):
    try:
        b = np.linalg.inv(a)
    except np.linalg.no_such_module.LinAlgError:
        print("singular")
        return a
    return b


def of_two(items, key):
    try:
        return items[key]
    except IndexError:
        return -1.0
    except no_such_name:  # noqa: F821
        return -2.0


compiled = npcc.jit(inverse, target="cpu")
assert np.array_equal(compiled(np.eye(2) * 4), np.eye(2) / 4)
try:
    compiled(np.zeros((2, 2)))
except AttributeError as error:
    assert "no_such_module" in str(error)
else:
    raise AssertionError("no error")

second = npcc.jit(of_two, target="cpu")
assert second([1.0, 2.0], 1) == 2.0 and second([1.0, 2.0], 5) == -1.0
