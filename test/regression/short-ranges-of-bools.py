# RUN: %python %s
"""A range of bools has two elements at most; a longer one was made without an error."""
import numpy as np

import npcc


def counted(n):
    return np.arange(n, dtype=bool)


for n in range(5):
    try:
        wanted = counted(n).tolist()
    except TypeError as error:
        wanted = str(error)
    try:
        got = npcc.jit(counted, target="cpu")(n).tolist()
    except TypeError as error:
        got = str(error)
    assert got == wanted, (n, got, wanted)
