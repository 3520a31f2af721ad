# RUN: npcc %s --emit=np | FileCheck %s
"""What a function called in a loop holds in its names is gone when it ends: the loop carries nothing of it. 25 inlined calls made it carry 600 values."""


def steps(x):
    for _ in range(50):
        y = x * 0.5
        if y < 1.0:
            break
        x = y
    return y


# CHECK-LABEL: func.func @total
# CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9_]+}} = %{{[a-z0-9_]+}}) -> (f64)
# npcc export total(int)
def total(n):
    found = 0.0
    for k in range(n):
        found += steps(k + 0.25)
    return found
