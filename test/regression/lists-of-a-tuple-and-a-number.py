# RUN: %python %s
# A list of a tuple and of a number was refused as an item of a dict whose keys are NumPy's.
import numpy as np

import npcc


def lines(n):
    found = {}
    for k in range(n):
        key = np.int64(k // 2)
        if key in found:
            found[key][1] += 0.5
        else:
            found[key] = [(k, k + 1), np.ones(1)[0]]
    return found


assert repr(npcc.jit(target="cpu")(lines)(5)) == repr(lines(5))
