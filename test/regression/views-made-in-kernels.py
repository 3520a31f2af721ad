# RUN: npcc %s --sig "binned(float64[:,:])" --target cuda --emit=ptx | FileCheck %s
"""Two histograms of one array in one function: a kernel makes a view of the array of its own."""
import numpy as np


def binned(a):
    return np.histogram(a, "scott"), np.histogram(a, "fd")


# CHECK: .entry binned
