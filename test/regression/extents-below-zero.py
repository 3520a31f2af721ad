# RUN: %python %s
"""A constant extent below 0, which a check in front refuses, ended the compiler: it was taken for none."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def matrix():
    return np.eye(-1) + 1


try:
    matrix()
    raise SystemExit("no error")
except ValueError as error:
    assert str(error) == "negative dimensions are not allowed", error
