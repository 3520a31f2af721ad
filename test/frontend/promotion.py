# RUN: npcc %s --emit=import | FileCheck %s
"""NEP 50: Python's numbers take the dtype of what they meet; dtypes promote as NumPy says."""
import numpy as np


# CHECK-LABEL: func.func @weak
# CHECK-SAME: -> (!np.array<?xf32>, !np.array<?xi8>, !np.array<?xf64>, !np.array<?xf64>, !np.array<?xcomplex<f32>>)
# npcc export weak(float32[:], int8[:])
def weak(f, i):
    return f * 2.5, i + 1, i / 2, i + 1.5, f * 1j


# CHECK-LABEL: func.func @strong
# CHECK-SAME: -> (!np.array<?xf64>, !np.array<?xi16>, !np.array<?xf64>, !np.array<?xf64>)
# npcc export strong(float32[:], int8[:], uint8[:], float64, uint64[:])
def strong(f, i, u, s, w):
    return f * s, i + u, i + w, np.sqrt(u) + s


# CHECK-LABEL: func.func @results
# CHECK-SAME: -> (!np.array<?xi1>, tensor<i64>, tensor<ui64>, !np.array<?xi64>, !np.array<?xf32>)
# npcc export results(float32[:], bool[:], uint8[:], int64[:])
def results(f, b, u, i):
    return f > 1, np.sum(b), np.sum(u), np.floor(i), np.where(b, f, 1.0)
