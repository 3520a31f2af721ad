# RUN: %python %s
"""A reduction was stored into an output along whose axis it is repeated; NumPy raises ValueError."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def reduced(a, out):
    np.any(a, axis=1, out=out)
    return np.sum(a, axis=1, out=out)


assert reduced(np.ones((2, 3, 2)), np.zeros((2, 2))).tolist() == [[3, 3], [3, 3]]
try:
    reduced(np.ones((1, 3, 2)), np.zeros((2, 2)))
    assert False, "no error"
except ValueError as error:
    assert "non-broadcastable operand" in str(error)
