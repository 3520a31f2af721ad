# RUN: %python %s
"""The median of complex numbers is a mean, whose quotient makes NaN of the other part of an infinite one."""

import numpy as np

import npcc


def middle(x):
    return np.median(x)


for x in (complex(np.inf, 1), complex(2, 1), np.array([1j, complex(np.inf, 1), 3]), np.array([1j, 2, complex(np.inf, 1), 3])):
    with np.errstate(all="ignore"):
        assert repr(npcc.jit(middle, target="cpu")(x)) == repr(middle(x)), x
