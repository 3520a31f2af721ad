# The extents of a kernel in a loop's iteration were multiplied before the loop, where they are not known, by code that
# nobody needed: valid again once it was gone, but not before.
# RUN: env NPCC_VERIFY=1 npcc %s --target cuda --emit gpu | FileCheck %s
import numpy as np


# CHECK: gpu.launch
# npcc export rows(float64[:,:], float64[:,:], int)
def rows(a, b, n):
    out = np.zeros((a.shape[0], 3))
    for i in range(n):
        out[i] = a[i] @ b
    return out
