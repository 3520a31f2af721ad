# RUN: %python %s
"""numpy.linalg.solve() of a small matrix and no right sides was a ValueError of a reshape."""
import numpy as np

import npcc


def solved(a, b):
    return np.linalg.solve(a, b)


for n in (1, 2, 3, 4, 5):
    a, b = np.eye(n) + 1, np.zeros((n, 0))
    np.testing.assert_array_equal(npcc.jit(solved, target="cpu")(a, b), solved(a, b), strict=True)
try:
    npcc.jit(solved, target="cpu")(np.zeros((3, 3)), np.zeros((3, 0)))
except np.linalg.LinAlgError as error:
    assert str(error) == "Singular matrix"
else:
    assert False
