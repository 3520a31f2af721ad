# RUN: %python %s
"""A list or tuple that a loop binds anew in each iteration could not be read behind it: the loop may have no iteration."""
import numpy as np

import npcc


@npcc.jit
def last(n, k):
    for i in range(n):
        squares = [j * j for j in range(k)]
        pair = i, 0.5 * i
    return squares, pair


assert last(3, 4) == ([0, 1, 4, 9], (2, 1.0))
try:
    last(0, 4)
    raise AssertionError("no error")
except UnboundLocalError as error:
    assert str(error) == "cannot access local variable 'squares' where it is not associated with a value", error
