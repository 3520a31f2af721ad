# RUN: %python %s
"""A float where a function takes an integer was refused; Python and NumPy raise TypeError at the call."""
import numpy as np

import npcc


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except TypeError as error:
        return str(error)


for function in (lambda x: np.eye(x), lambda x: [k for k in range(x)], lambda x: np.identity(np.inf)):
    for number in (2.0, np.float64(2.0), np.float32(2.0)):
        found, expected = outcome(npcc.jit(function, target="cpu"), number), outcome(function, number)
        assert found == expected and "object cannot be interpreted as an integer" in found, (found, expected)
