# RUN: %python %s
"""NumPy's complex scalar that is assigned to an item passes for its real part, whose errors it has."""

import warnings

import numpy as np

import npcc


def assigned(a, z):
    a[0] = z
    return a


def outcome(function, z):
    try:
        return function(np.zeros(2, "i4"), z).tolist()
    except Exception as error:
        return type(error).__name__, str(error)


warnings.simplefilter("ignore")
for z in (2.5 + 1j, complex(np.nan, 1), complex(np.inf, 1), 1e10 + 1j):
    z = np.complex128(z)
    assert outcome(assigned, z) == outcome(npcc.jit(assigned, target="cpu"), z), z
