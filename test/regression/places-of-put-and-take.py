# RUN: %python %s
"""put() of no values was an IndexError, took a mask for one, and named the wrong axis; take() and put() knew no mode."""
import numpy as np

import npcc


def outcome(function, a):
    a = a.copy()
    try:
        return function(a), a
    except Exception as error:
        return type(error).__name__, str(error)


a = np.arange(12.0).reshape(3, 4)
for call in (
    lambda a: np.put(a, [1, 2, 3], []),
    lambda a: np.put(a, np.array([True, False]), [7, 8]),
    lambda a: np.put(a, [1, -2], 9),
    lambda a: np.put(a, [1, 40], [5, 6], mode="wrap"),
    lambda a: np.put(a, [-3, 40], [5, 6], mode="clip"),
    lambda a: np.put(a, [12], 9),
    lambda a: np.put(a, np.array([1.5]), 9),
    lambda a: np.take(a, [-3, 5, 40], mode="clip"),
    lambda a: np.take(a, [-3, 5, 40], 1, None, "wrap"),
    lambda a: a.take(7, 0, mode="clip"),
    lambda a: np.take(a, 1, mode="other"),
):
    expected, given = outcome(call, a), outcome(npcc.jit(call, target="cpu"), a)
    assert str(expected) == str(given), (expected, given)
