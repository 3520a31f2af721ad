# RUN: %python %npcc_src/test/fuzz/run.py --file %s --target cpu
# What is read in a loop over range(0) only: the positions are looked at all the same.
import numpy as np


def program(a):
    y = a[np.arange(8)]
    for _ in range(0):
        y *= a


def arguments():
    return [np.array([1.0])]
