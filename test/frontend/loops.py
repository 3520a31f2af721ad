# RUN: npcc %s --emit=import | FileCheck %s
# RUN: npcc %s --emit=np | FileCheck %s --check-prefix=NP
"""Loops: counters are block arguments, names go through slots; after mem2reg and lifting they are scf.for again."""
import numpy as np


# A swap of two buffers costs nothing.
# NP-LABEL: func.func @swap
# NP: scf.for {{.*}} iter_args(%[[V:.*]] = %arg1, %[[U:.*]] = %arg0)
# NP: scf.yield %[[U]], %[[V]]
# CHECK-LABEL: func.func @swap
# npcc export swap(float64[:], float64[:], int)
def swap(u, v, n):
    # CHECK: cf.br ^[[HEADER:.*]](%c0 : index)
    # CHECK: ^[[HEADER]](%[[I:.*]]: index):
    # CHECK: arith.cmpi slt, %[[I]]
    # CHECK: arith.addi %[[I]], %c1
    # CHECK: cf.br ^[[HEADER]]
    for _ in range(n):
        v[:] = u * 2
        u, v = v, u
    return u


# NP-LABEL: func.func @steps
# CHECK-LABEL: func.func @steps
# npcc export steps(float64[:], int)
def steps(x, n):
    # NP: scf.for %{{.*}} = %c1 to %{{.*}} step %c3
    for i in range(1, n, 3):
        x[i] = 1
    # NP: arith.ceildivsi
    # NP: scf.for
    for i in range(n, 0, -2):
        x[i - 1] = 2


# NP-LABEL: func.func @over_arrays
# CHECK-LABEL: func.func @over_arrays
# npcc export over_arrays(float64[:,:], float64[:])
def over_arrays(a, b):
    # NP: scf.for
    for row in a:
        row[0] = 1
    # NP: arith.minsi
    # NP: scf.for
    for i, (row, x) in enumerate(zip(a, b)):
        row[1] = i * x


# A Python float that becomes a NumPy scalar at the back edge: the loop is imported again.
# NP-LABEL: func.func @accumulate
# CHECK-LABEL: func.func @accumulate
# npcc export accumulate(float32[:])
def accumulate(x):
    # CHECK: np.var "s" : !np.slot<tensor<f32>>
    # NP: scf.for {{.*}} -> (tensor<f32>)
    s = 0.0
    for i in range(len(x)):
        s = s + x[i]
    return s


# NP-LABEL: func.func @search
# NP: scf.while
# CHECK-LABEL: func.func @search
# npcc export search(float64[:], float)
def search(x, limit):
    for i in range(x.size):
        if x[i] < 0:
            continue
        if x[i] > limit:
            break
    else:
        i = -1
    return i


# NP-LABEL: func.func @counting
# NP: scf.while
# CHECK-LABEL: func.func @counting
# npcc export counting(int)
def counting(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


# A name bound in every iteration before it is read is not carried; it may be unbound afterwards.
# NP-LABEL: func.func @late
# CHECK-LABEL: func.func @late
# npcc export late(float64[:], int)
def late(x, n):
    for i in range(n):
        t = x * i
        x[:] = t
    # CHECK: np.assert %{{.*}}, "UnboundLocalError" "cannot access local variable 't'
    return t


# Axes, and items of tuples, must be known: the loop is repeated for each value.
# CHECK-LABEL: func.func @unrolled
# npcc export unrolled(float64[:,:,:])
def unrolled(x):
    # CHECK-NOT: cf.
    # CHECK: np.reduce "add" {{.*}} axes [2]
    # CHECK: np.reduce "add" {{.*}} axes [1]
    # CHECK: np.reduce "add" {{.*}} axes [0]
    for axis in reversed(range(x.ndim)):
        x = np.sum(x, axis=axis)
    parts = [x * k for k in (1, 2)]
    parts.append(x)
    return parts[0] + parts[-1]
