# RUN: not %python %s 2>&1 | FileCheck %s
"""All errors of a function come in one exception, the later ones as notes with their own line and caret."""
import numpy as np

import npcc


@npcc.jit(cache=False)
def several(x):
    a = np.random.set_state(x)
    y = x + 1
    b = x.dumps()
    return y


several(np.ones(3))
# CHECK: line 10
# CHECK: a = np.random.set_state(x)
# CHECK: CompileError: {{.*}}set_state
# CHECK: line 12
# CHECK: b = x.dumps()
# CHECK: CompileError: {{.*}}dumps
# CHECK-NOT: CompileError
