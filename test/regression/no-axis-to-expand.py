# RUN: %python %s
"""np.expand_dims(a, None) added as many axes as there are; NumPy raises TypeError."""
import numpy as np

import npcc

try:
    npcc.jit(lambda a: np.expand_dims(a, None), target="cpu")(np.ones(3))
    assert False, "no error"
except TypeError as error:
    assert str(error) == "'NoneType' object cannot be interpreted as an integer"
