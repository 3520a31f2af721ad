# RUN: %python %s
"""a[b] of a single bool, Python's or NumPy's, has an axis in front, with one element or none; it is stored into and updated in place, too."""
import numpy as np

import npcc


def indexed(a, b, c):
    x, y = a[b], a[np.bool_(c)]
    a[b] = 7.0
    a[c > 3] = 9
    a[c > 1] += 1
    return x, y, a[True], a[False].shape, np.float64(c)[True], a[c > 100].size


compiled = npcc.jit(indexed)
for b in (True, False, np.True_, np.array(False)):
    for c in (0, 2, 5):
        first, second = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
        for want, got in zip(indexed(first, b, c), compiled(second, b, c)):
            assert type(want) is type(got) and np.shape(want) == np.shape(got) and np.array_equal(want, got), (b, c, want, got)
        assert np.array_equal(first, second)
