# RUN: timeout 60 %python %s
"""Whether what goes into a list keeps its extents in a loop was asked of each operand anew: each line of a chain doubled the time."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def chained(f, n):
    for _ in range(n):
        rows = [np.roll(f[k], 1, 0) for k in range(3)]
        total = rows[0] + rows[1]
        for k in range(30):
            total = total * 0.5 + total * rows[2]
        f = np.stack([total, rows[1], rows[0] + total])
    return f


f = np.linspace(0, 0.4, 18).reshape(3, 3, 2)
assert np.allclose(chained(f, 2), chained.py_func(f, 2))
