# RUN: %python %s
"""A constant of NumPy's beside an object of Python's could not be written into the part that Python runs: comparing it with () gives an array."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def mixed(data):
    h = np.uint64(14695981039346656037)
    for byte in data:
        h = h ^ np.uint64(byte)
    return h


result = mixed(b"hello")
assert result == mixed.py_func(b"hello") and type(result) is np.uint64
