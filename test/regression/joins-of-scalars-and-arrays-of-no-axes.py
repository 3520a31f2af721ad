# RUN: %python %s
"""An array of no axes on one path and a NumPy scalar on another could not be read after they met; squeeze of a number gave a scalar."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def either(a, n):
    x = np.array(3.0)
    if n > 2:
        x = a[0]
    y = x if n > 3 else np.zeros(())
    return x + 1, y * 2


@npcc.jit(target="cpu")
def squeezed():
    return np.squeeze(1)


assert [either(np.arange(3.0) + 5, n) for n in (1, 3, 5, 9)] == [(4.0, 0.0), (6.0, 0.0), (6.0, 10.0), (6.0, 10.0)]
assert isinstance(squeezed(), np.ndarray) and squeezed().shape == ()
