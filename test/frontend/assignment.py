# RUN: npcc %s --emit=import | FileCheck %s
"""Assignment: names, tuples, subscripts; augmented assignment is in place for arrays."""
import numpy as np


# CHECK-LABEL: func.func @store
# npcc export store(float64[:,:], float64[:])
def store(a, b):
    # The value goes straight into the region: no array of its own.
    # CHECK: %[[V:.*]] = np.ufunc "multiply"
    # CHECK-NOT: np.new
    # CHECK: %[[R:.*]] = np.view %arg0
    # CHECK: np.store %[[V]], %[[R]]
    a[1:, 0] = b[1:] * 2
    # CHECK: np.store %{{.*}}, %arg0 : f64, !np.array<?x?xf64>
    a[:] = 0


# CHECK-LABEL: func.func @in_place
# npcc export in_place(float64[:], int64[:])
def in_place(a, i):
    # CHECK: %[[S:.*]] = np.ufunc "add"
    # CHECK: np.store %[[S]], %arg0
    b = a
    b += 1
    # CHECK: np.store %{{.*}}, %arg1 as_output : tensor<?xi64>, !np.array<?xi64>
    i *= 2
    # CHECK: return %arg0
    return b


# CHECK-LABEL: func.func @aliases
# npcc export aliases(float64[:])
def aliases(a):
    # b is a; c is a view; d is new.
    # CHECK: %[[C:.*]] = np.view %arg0
    # CHECK: %[[D:.*]] = np.new
    # CHECK: return %arg0, %[[C]], %[[D]]
    b, c, d = a, a[1:], a + 1
    return b, c, d


# CHECK-LABEL: func.func @unpack
# npcc export unpack(float64[:], float64[:])
def unpack(a, b):
    # CHECK: return %arg1, %arg0, %arg1
    a, b = b, a
    first, *rest = (a, b, a)
    (x,), y = rest[:1], rest[-1]
    return first, x, y


# CHECK-LABEL: func.func @rows
# npcc export rows(float64[:,:])
def rows(a):
    # CHECK: np.assert {{.*}}"ValueError" "too many values to unpack (expected 2)"
    # CHECK: np.assert {{.*}}"ValueError" "not enough values to unpack (expected 2, got {0})"
    p, q = a
    return p + q


# CHECK-LABEL: func.func @elements
# npcc export elements(float32[:])
def elements(a):
    # An element is assigned with any cast; a scalar is bound anew.
    # CHECK: np.ufunc "add"({{.*}}) : (tensor<f32>, f32) -> tensor<f32>
    # CHECK: np.store
    a[0] += 0.1
    s = a[1]
    # CHECK: np.ufunc "multiply"
    # CHECK-NOT: np.store
    s *= 2
    return s
