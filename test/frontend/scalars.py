# RUN: npcc %s --emit=import | FileCheck %s
"""Python's numbers have Python's arithmetic and errors; NumPy's scalars have NumPy's."""
import math
import numpy as np


# CHECK-LABEL: func.func @python
# CHECK-SAME: -> (i64 {np.weak}, f64 {np.weak}, i64 {np.weak}, f64 {np.weak})
# npcc export python(int, float)
def python(n, x):
    # CHECK: arith.muli
    # CHECK: arith.addi
    # CHECK: np.assert %{{.*}}, "ZeroDivisionError" "float division by zero"
    # CHECK: arith.divf
    # CHECK: np.assert %{{.*}}, "ZeroDivisionError" "integer modulo by zero"
    # CHECK: np.ufunc "remainder"({{.*}}) : (i64, i64) -> i64
    # CHECK: np.assert %{{.*}}, "ValueError" "math domain error"
    # CHECK: np.ufunc "sqrt"({{.*}}) : (f64) -> f64
    return n * n + 1, n / x, 7 % n, math.sqrt(x)


# CHECK-LABEL: func.func @numpy
# CHECK-SAME: -> (tensor<f64>, tensor<f64>, tensor<f32>)
# npcc export numpy(float, float32)
def numpy(x, y):
    # CHECK-NOT: np.assert
    return np.float64(1) / x, np.sqrt(x), y / 0


# CHECK-LABEL: func.func @conversions
# npcc export conversions(float64[:], float, int)
def conversions(a, x, n):
    # CHECK: np.item
    # CHECK: np.cast {{.*}} : f64 -> i64
    # CHECK: np.cast {{.*}} : i64 -> f64
    return int(a[0]), float(n), bool(n), abs(x), round(x), min(n, 3), divmod(n, 5)[0], complex(x, 1)
