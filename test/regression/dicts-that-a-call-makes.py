# RUN: %python %s
"""dict(a=1) in a loop was refused as a dict whose keys are computed, which {"a": 1} may be; the function went to Python."""
import numpy as np

import npcc


def log_of(n, x):
    log, change = [], x.min()
    for k in range(n):
        if change < -1:
            break
        change = x.max()
        log.append(dict(k=k, change=change))
    return log


def more_of(n, first):
    return [dict(first, k=k, **{"last": k * k}) for k in range(n)]


x = np.arange(12.0)
assert repr(npcc.jit(target="cpu")(log_of)(3, x)) == repr(log_of(3, x))
assert npcc.jit(target="cpu")(more_of)(3, {"a": 1}) == more_of(3, {"a": 1})
