# RUN: not npcc %s -o %t.so 2>&1 | FileCheck %s
# RUN: not ls %t.so
"""Ahead of time, the errors of all functions come at once, each once although two signatures have it; nothing is written."""
import numpy as np


# npcc export first(float64[:]), first(float32[:])
def first(x):
    return np.busday_count(x)


# npcc export second(float64[:])
def second(x):
    return np.frompyfunc(abs, 1, 1)


# CHECK: errors-of-a-script.py", line 9
# CHECK: CompileError: {{.*}}busday_count
# CHECK: errors-of-a-script.py", line 14
# CHECK: CompileError: {{.*}}frompyfunc
# CHECK-NOT: CompileError
