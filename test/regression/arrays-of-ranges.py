# RUN: %python %s
"""An array of a range whose bounds are elements of arrays was refused."""
import numpy as np

import npcc


def around(a):
    row, column = np.argwhere(a > 2)[0]
    rows = a.take(range(row - 1, row + 2), axis=0, mode="wrap")
    return rows, np.array(range(column, column - 3, -1), dtype=float), np.asarray(range(row, row + 2))


a = np.arange(12.0).reshape(4, 3)
for mine, numpys in zip(npcc.jit(target="cpu")(around)(a), around(a)):
    np.testing.assert_array_equal(mine, numpys, strict=True)
