# RUN: %python %s
"""An extent is compared with an int that 64 bits do not hold as Python compares them."""

import numpy as np

import npcc


def compared(a):
    n = a.shape[0]
    return n < 2**63, n <= 2**70, n > 2**64, n >= 2**63, n == 2**64, n != 2**64, -(2**64) < n, 2**64 <= n, n > -(2**63) - 1


given = np.zeros(3)
assert npcc.jit(compared, target="cpu")(given) == compared(given)
