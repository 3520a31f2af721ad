# RUN: %python %s
# A loop over one array decides where its slices end, not where the same slices of another end: taken for equal first, both are decided.

import npcc
import numpy as np


def kernel(alpha, c, a):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            c[i, :i + 1] += alpha * a[i, k] * a[:i + 1, k]


random = np.random.default_rng(0)
for wide in (5, 7):  # the guard holds, and does not
    a, c = random.random((5, 4)), random.random((5, wide))
    expected, compiled = c.copy(), npcc.jit(kernel, target="cpu")
    kernel(0.5, expected, a)
    compiled(0.5, c, a)
    np.testing.assert_allclose(c, expected)
    if wide == 5:
        assert "broadcast_extent" not in compiled.inspect("np"), compiled.inspect("np")
