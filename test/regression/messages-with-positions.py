# RUN: %python %s
"""The message of a caught IndexError shows a position and an extent: str() of it was an internal error."""
import numpy as np

import npcc


def item(a, i):
    try:
        return a[i]
    except IndexError as error:
        return str(error)


def row(a, i, j):
    try:
        return float(a[i, j])
    except IndexError as error:
        return f"no: {error}"


a = np.arange(6.0).reshape(2, 3)
for i in (0, -1, 9, -7):
    assert npcc.jit(target="cpu")(item)(a[0], i) == item(a[0], i)
    assert npcc.jit(target="cpu")(row)(a, 1, i) == row(a, 1, i)
