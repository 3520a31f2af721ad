# RUN: not %python %s 2>&1 | FileCheck %s --strict-whitespace
"""A function of NumPy that cannot be compiled: the caret is under the call."""
import numpy as np

import npcc


@npcc.jit(cache=False)
def text(x):
    return np.random.set_state(x)


text(np.ones(3))
# CHECK:       File "{{.*}}unsupported-function.py", line 10
# CHECK-NEXT:{{^}}    return np.random.set_state(x)
# CHECK-NEXT:{{^}}           ^
# CHECK-NEXT:npcc.errors.CompileError: {{.*}}set_state
