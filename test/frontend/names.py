# RUN: npcc %s --emit=import | FileCheck %s
"""Names are objects: imports under other names, global constants, helpers, lambdas, closures, defaults, keywords."""
import math
from math import tau as full_turn
from numpy import sqrt as root
import numpy as np

FACTOR = 3
SCALE = np.float32(2)


# CHECK-LABEL: func.func @constants
# npcc export constants(float64[:])
def constants(x):
    # Known now: one constant.
    # CHECK: %[[C:.*]] = arith.constant 18.84{{.*}} : f64
    # CHECK: np.ufunc "multiply"(%{{.*}}, %[[C]])
    return x * (FACTOR * full_turn)


# CHECK-LABEL: func.func @renamed
# npcc export renamed(float64[:])
def renamed(x):
    # CHECK: np.ufunc "exp"
    # CHECK: np.ufunc "sqrt"
    function = np.exp
    return root(function(x))


# CHECK-LABEL: func.func @numpy_scalar
# npcc export numpy_scalar(float32[:], float64[:])
def numpy_scalar(x, y):
    # CHECK: np.ufunc "multiply"({{.*}}) : (tensor<?xf32>, f32) -> tensor<?xf32>
    # CHECK: np.ufunc "multiply"({{.*}}) : (tensor<?xf64>, f64) -> tensor<?xf64>
    return x * SCALE, y * SCALE


def helper(x, power=2, *, shift=1.0):
    def inner(y):
        return y * power
    return inner(x) + shift


# Helpers are imported in place; their locations are their own.
# CHECK-LABEL: func.func @helpers
# npcc export helpers(float64[:])
def helpers(x):
    # CHECK-NOT: call
    # CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f64
    # CHECK: np.ufunc "multiply"(%{{.*}}, %[[TWO]])
    # CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f64
    # CHECK: np.ufunc "add"(%{{.*}}, %[[HALF]])
    a = helper(x, shift=0.5)
    # CHECK: %[[SEVEN:.*]] = arith.constant 7.000000e+00 : f64
    # CHECK: np.ufunc "add"(%{{.*}}, %[[SEVEN]])
    return (lambda y: y + 7)(a)


# `if axis is None` and loops over tuples leave nothing behind.
# CHECK-LABEL: func.func @decided
# npcc export decided(float64[:,:])
def decided(x, axis=None):
    # CHECK-NOT: cf.
    # CHECK-COUNT-2: np.ufunc "negative"
    # CHECK-NOT: np.ufunc
    if axis is None and x.ndim == 2:
        for _ in (1, 2):
            x = -x
    else:
        x = np.sin(x)
    return x
