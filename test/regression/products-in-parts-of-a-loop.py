# RUN: env NPCC_VERIFY=1 python3 %s
"""The extents of a kernel in a loop's iteration were multiplied before the loop, where they are not known, by code that nobody needed: the module was
invalid until that code was gone."""
import numpy as np

import npcc


@npcc.jit(target="cuda", arch="sm_90")
def rows(a, b, n):
    out = np.zeros((a.shape[0], 3))
    for i in range(n):
        out[i] = a[i] @ b
    return out


assert "gpu.launch" in rows.inspect("gpu", arguments=(np.ones((70, 4)), np.ones((4, 3)), 70))
