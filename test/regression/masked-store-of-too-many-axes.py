# RUN: %python %s
"""A store of an array of several axes where a mask of all axes is true brought the compiler down."""
import numpy as np

import npcc


def store(a, mask, values):
    a[mask] = values
    return a


compiled = npcc.jit(store, target="cpu")
everywhere, rows = np.array([[True, False, True], [False, False, False]]), np.array([True, False])
for mask, values in (everywhere, np.ones((2, 3))), (everywhere, np.ones((1, 1))), (rows, np.ones((2, 2, 3))):
    try:
        compiled(np.zeros((2, 3)), mask, values)
    except (TypeError, ValueError) as error:
        assert "input has 2 dimensions" in str(error) or "shape mismatch" in str(error), error
    else:
        raise AssertionError((mask, values))
for mask, values in (everywhere, np.ones(2)), (everywhere, np.ones(1)), (rows, np.ones((1, 1, 3))), (rows, np.ones((1, 3))), (rows, np.ones(3)):
    assert np.array_equal(compiled(np.zeros((2, 3)), mask, values), store(np.zeros((2, 3)), mask, values))
