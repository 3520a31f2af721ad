# RUN: not %python %s 2>&1 | FileCheck %s --strict-whitespace
"""A construct that cannot be compiled: file, line, the source line, a caret, and what to do instead."""
import numpy as np

import npcc


@npcc.jit(cache=False)
def total(x):
    yield np.sum(x)


total(np.ones(3))
# CHECK:       File "{{.*}}unsupported-construct.py", line 10
# CHECK-NEXT:{{^}}    yield np.sum(x)
# CHECK-NEXT:{{^}}    ^
# CHECK-NEXT:npcc.errors.CompileError: {{.*}}yield
