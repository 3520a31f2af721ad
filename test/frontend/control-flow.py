# RUN: npcc %s --emit=import | FileCheck %s
"""Branches: what is bound on several paths goes through a slot; errors are assertions."""
import numpy as np


# CHECK-LABEL: func.func @join
# npcc export join(float64[:], int)
def join(x, n):
    # CHECK: %[[SLOT:.*]] = np.var "y" : !np.slot<!np.array<?xf64, strided>>
    # CHECK: cf.cond_br
    if n > 0:
        # CHECK: np.set %{{.*}}, %[[SLOT]]
        y = x[::2]
    else:
        # CHECK: np.set %{{.*}}, %[[SLOT]]
        y = x
    # CHECK: np.get %[[SLOT]]
    return y


# int on one path and float on the other is float.
# CHECK-LABEL: func.func @widened
# npcc export widened(int)
def widened(n):
    # CHECK: np.var "r" : !np.slot<f64>
    if n > 3:
        r = n
        print("large")
    else:
        r = 0.5
    return r


# CHECK-LABEL: func.func @returns
# npcc export returns(float64[:], int)
def returns(x, n):
    # CHECK: np.var "%result" : !np.slot<!np.array<?xf64>>
    if n == 0:
        return x
    if n == 1:
        return x * 2
    return -x
    # CHECK: return %{{.*}} : !np.array<?xf64>
    # CHECK-NOT: np.ufunc "sin"
    return np.sin(x)


# CHECK-LABEL: func.func @raising
# npcc export raising(int)
def raising(n):
    # CHECK-NOT: cf.
    # CHECK: np.assert %{{.*}}, "ValueError" "n is {0}"(%arg0) : i64
    if n < 0:
        raise ValueError(f"n is {n}")
    # CHECK: np.assert %{{.*}}, "AssertionError" "too large"
    assert n < 10, "too large"
    return n


# CHECK-LABEL: func.func @logic
# npcc export logic(int, float)
def logic(n, x):
    # Sides that may as well be computed make no branch.
    # CHECK-NOT: cf.
    # CHECK: arith.select
    a = 0 < n < 10 and x > 0 or n == 99
    # CHECK: arith.select
    return x if a else 1


# The right side of `and` is reached only if the left holds: an index may be checked there.
# CHECK-LABEL: func.func @short_circuit
# npcc export short_circuit(float64[:], int)
def short_circuit(x, n):
    # CHECK: cf.cond_br
    # CHECK: np.check_index
    return n < len(x) and x[n] > 0


# CHECK-LABEL: func.func @maybe_unbound
# npcc export maybe_unbound(int)
def maybe_unbound(n):
    if n > 0:
        x = n
    # CHECK: np.assert %{{.*}}, "UnboundLocalError" "cannot access local variable 'x' where it is not associated with a value"
    return x


# CHECK-LABEL: func.func @ambiguous
# npcc export ambiguous(float64[:])
def ambiguous(x):
    # CHECK: np.assert {{.*}}"The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
    return 1 if x > 0 else 2
