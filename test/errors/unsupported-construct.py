# RUN: not %python %s 2>&1 | FileCheck %s --strict-whitespace
"""A construct that cannot be compiled: file, line, the source line, a caret, and what to do instead."""
import numpy as np

import npcc


@npcc.jit(cache=False)
def total(x):
    with open("log") as file:
        return np.sum(x)


total(np.ones(3))
# CHECK:       File "{{.*}}unsupported-construct.py", line 10
# CHECK-NEXT:{{^}}    with open("log") as file:
# CHECK-NEXT:{{^}}    ^
# CHECK-NEXT:npcc.errors.CompileError: {{.*}}with
