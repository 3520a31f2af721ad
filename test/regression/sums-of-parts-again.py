"""A value put together of parts, each computed from parts of the one before: whether it holds a reduction is asked once for each operation, not once for
each way to it. Ten rounds of this took longer than anybody waited."""
# RUN: %python %s
import numpy as np
import npcc


@npcc.jit(target="cpu")
def constrain(old, new, length):
    p = [new[:, k] for k in range(3)]
    for _ in range(10):
        for i, j in ((0, 1), (0, 2), (1, 2)):
            d = p[i] - p[j]
            ref = old[:, i] - old[:, j]
            g = ((d * d).sum(axis=1) - length * length) / (4 * (d * ref).sum(axis=1))
            p[i] = p[i] - g[:, None] * ref
            p[j] = p[j] + g[:, None] * ref
    return np.stack(p, axis=1)


rng = np.random.default_rng(1)
old = np.eye(3)[None] + 0.01 * rng.random((5, 3, 3))
new = old + 0.01 * rng.random((5, 3, 3))
np.testing.assert_allclose(constrain(old, new, 1.4), constrain.__wrapped__(old, new, 1.4))
