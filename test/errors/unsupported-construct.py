# RUN: not npcc %s -o %t.so 2>&1 | FileCheck %s --strict-whitespace
"""A construct that cannot be compiled: file, line, the source line, a caret, and what to do instead."""
import numpy as np


# npcc export total(float64[:])
def total(x):
    yield np.sum(x)


# CHECK:       File "{{.*}}unsupported-construct.py", line 8
# CHECK-NEXT:{{^}}    yield np.sum(x)
# CHECK-NEXT:{{^}}    ^
# CHECK-NEXT:npcc.errors.CompileError: {{.*}}yield
