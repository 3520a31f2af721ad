# RUN: %python %s
"""numpy.frompyfunc in a compiled function was refused. Its arrays are of objects, so Python makes the function and calls it; what is computed beside it
is compiled."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def combined(a):
    both = np.frompyfunc(lambda x, y: (x + y, x - y), 2, 2)
    total, difference = both(a, 2.0)
    return total, difference, np.cumsum(a) * 2, np.frompyfunc(lambda x: x + 1, 1, 1)(a).astype(np.float64).sum()


for mine, expected in zip(combined(np.arange(3.0)), combined.__wrapped__(np.arange(3.0))):
    assert mine.dtype == expected.dtype and np.array_equal(mine, expected), (mine, expected)
