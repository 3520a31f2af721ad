# RUN: %python %s
"""a @ b of two small arrays that globals hold was a TypeError."""
import numpy as np

import npcc

PHASE = np.array([[1, 0], [0, 1j]])
SWAP = np.array([[0, 1], [1, 0]])


def products(x):
    return PHASE @ PHASE, SWAP @ PHASE @ x, SWAP @ SWAP


for target in ("cpu", "debug"):
    for got, expected in zip(npcc.jit(target=target)(products)(np.ones(2)), products(np.ones(2))):
        assert got.dtype == expected.dtype and (got == expected).all()
