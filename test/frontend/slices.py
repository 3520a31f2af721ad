# RUN: npcc %s --emit=import | FileCheck %s
# RUN: npcc %s --emit=np --sig 'neighbours(float64[:])' | FileCheck %s --check-prefix=NP
"""Basic indexing: offsets, extents and steps; equal extents are one value after CSE."""
import numpy as np


# Three slices that drop two elements have one extent.
# NP-LABEL: func.func @neighbours
# NP: %[[N:.*]] = np.dim %arg0, 0
# NP: %[[S:.*]] = arith.addi %[[N]], %c-2
# NP: %[[E:.*]] = arith.maxsi %[[S]], %c0
# NP-DAG: np.view %arg0 offsets[%c2] axes [0] extents[%[[E]]] steps[%c1]
# NP-DAG: np.view %arg0 offsets[%c0] axes [0] extents[%[[E]]] steps[%c1]
# NP-DAG: np.view %arg0 offsets[%c1] axes [0] extents[%[[E]]] steps[%c1]
# npcc export neighbours(float64[:])
def neighbours(u):
    return u[2:] + u[:-2] - 2 * u[1:-1]


# CHECK-LABEL: func.func @whole
# npcc export whole(float64[:,:])
def whole(a):
    # CHECK: %[[ALL:.*]] = np.view %arg0 {{.*}} -> !np.array<?x?xf64>
    # CHECK: return %[[ALL]]
    return a[:, :]


# CHECK-LABEL: func.func @reversed_axis
# npcc export reversed_axis(float64[:])
def reversed_axis(a):
    # CHECK: %[[N:.*]] = np.dim %arg0, 0
    # CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
    # CHECK: np.view %arg0 offsets[%[[LAST]]] axes [0] extents[%[[N]]] steps[%c-1]
    return a[::-1]


# CHECK-LABEL: func.func @positions
# npcc export positions(float64[:,:], int)
def positions(a, i):
    # CHECK: np.check_index %{{.*}} of %{{.*}} axis 0
    # CHECK: np.check_index %{{.*}} of %{{.*}} axis 1
    # CHECK: np.view %arg0 offsets[%{{.*}}, %{{.*}}] axes [] extents[] steps[] : !np.array<?x?xf64> -> !np.array<f64>
    # CHECK: np.load {{.*}} -> tensor<f64>
    x = a[i, -1]
    # A row of a contiguous array is contiguous; a column is not.
    # CHECK: np.view {{.*}} -> !np.array<?xf64>
    # CHECK: np.view {{.*}} -> !np.array<?xf64, strided>
    return x, a[0], a[:, 0]


# CHECK-LABEL: func.func @new_axes
# npcc export new_axes(float64[:])
def new_axes(a):
    # CHECK: np.view %arg0 offsets[%c0] axes [0, -1] {{.*}} -> !np.array<?x1xf64>
    # CHECK: np.view %arg0 offsets[%c0] axes [-1, 0] {{.*}} -> !np.array<1x?xf64>
    return a[..., None], a[np.newaxis]


# Python's clamping, for bounds of any sign.
# CHECK-LABEL: func.func @dynamic
# npcc export dynamic(float64[:], int, int)
def dynamic(a, lo, hi):
    # CHECK: arith.cmpi slt
    # CHECK: arith.select
    # CHECK: arith.maxsi
    # CHECK: arith.minsi
    # CHECK: np.view
    # A step that is not known goes either way.
    # CHECK: np.assert %{{.*}}, "ValueError" "slice step cannot be zero"
    # CHECK: arith.ceildivsi
    return a[lo:hi], a[::hi]
