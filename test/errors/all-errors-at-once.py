# RUN: not %python %s 2>&1 | FileCheck %s
"""All errors of a function come in one exception, the later ones as notes with their own line and caret."""
import numpy as np

import npcc


@npcc.jit(cache=False)
def several(x):
    a = np.busday_count(x)
    y = x + 1
    b = np.frompyfunc(abs, 1, 1)
    return y


several(np.ones(3))
# CHECK: line 10
# CHECK: a = np.busday_count(x)
# CHECK: CompileError: {{.*}}busday_count
# CHECK: line 12
# CHECK: b = np.frompyfunc(abs, 1, 1)
# CHECK: CompileError: {{.*}}frompyfunc
# CHECK-NOT: CompileError
