# RUN: rm -rf %t && mkdir -p %t
# RUN: npcc %s -o %t/constants.so --target cpu
# RUN: cd %t && %python -I %S/Inputs/use_constants.py %t
"""Signatures that leave out parameters at the end: these have their defaults, as constants; keyword-only ones too."""
import numpy as np


# npcc export scaled(float64[:]), scaled(float64[:], float)
def scaled(x, *, k=2.0, mode=None):
    return x * k if mode is None else x


# npcc export total(float64[:,:])
def total(x, axis=1):
    return helper(np.sum(x, axis=axis))


def helper(x):
    return x + 1


TWICE = scaled(np.ones(3))
