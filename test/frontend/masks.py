# RUN: npcc %s --emit=import \
# RUN:   | npcc-opt --pass-pipeline="builtin.module(builtin.module(func.func(npcc-raise-names,cse,npcc-move-selections,npcc-expand-selections)))" \
# RUN:   | FileCheck %s
"""Masks and integer arrays as indices."""
import numpy as np


# What is stored through the mask it was selected by is computed for every element and stored under the mask.
# CHECK-LABEL: func.func @update
# npcc export update(float64[:], float64[:])
def update(a, b):
    # CHECK-NOT: np.empty
    # CHECK-NOT: np.scan
    # CHECK: %[[V:.*]] = np.ufunc "sqrt"
    # CHECK: np.store_masked %[[V]], %[[M:.*]], %arg0
    m = b > 0
    a[m] = np.sqrt(a[m] * 2 + b[m])
    # CHECK: np.store_masked %{{.*}}, %{{.*}}, %arg0 : f64
    a[a < 0] = 0
    # CHECK: np.ufunc "add"
    # CHECK: np.store_masked
    a[m] += 1


# The mask covers leading axes; the rest of the index acts on the others.
# CHECK-LABEL: func.func @flip
# npcc export flip(float64[:,:,:], bool[:])
def flip(images, which):
    # CHECK: np.view {{.*}} steps[%c1{{.*}}, %c1{{.*}}, %c-1{{.*}}]
    # CHECK: np.store_masked
    images[which] = images[which][..., ::-1]


# CHECK-LABEL: func.func @sums
# npcc export sums(float64[:])
def sums(a):
    # No array of the selected elements.
    # CHECK: np.ufunc "where"
    # CHECK: np.reduce "add"
    # CHECK-NOT: np.scatter
    return np.sum(a[a > 0])


# An array of unknown extent: positions by a running count.
# CHECK-LABEL: func.func @select
# npcc export select(float64[:], bool[:])
def select(a, m):
    # CHECK: np.assert {{.*}}"IndexError" "boolean index did not match indexed array along axis 0; size of axis is {0} but size of corresponding boolean axis is {1}"
    # CHECK: np.scan "add"
    # CHECK: np.empty
    # CHECK: np.scatter
    # CHECK-NOT: np.compress
    return a[m]


# CHECK-LABEL: func.func @gather
# npcc export gather(float64[:,:], int64[:])
def gather(a, i):
    # CHECK: np.gather %{{.*}}[%{{.*}}] axes [0] {{.*}} -> tensor<?x?xf64>
    b = a[i]
    # CHECK: np.gather %{{.*}}[%{{.*}}, %{{.*}}] axes [0, 1] {{.*}} -> tensor<?xf64>
    c = a[i, i]
    # CHECK: np.scatter
    a[:, i] = 5
    return b, c, a[[0, -1]]
