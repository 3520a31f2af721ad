# RUN: %python %s
"""np.pad in a loop of steps made the larger array in memory each time; and code for extents that the first call does not have was all there was, where
an operation that the call does not reach (np.cross of vectors of two elements) would need others."""
import numpy as np

import npcc


def steps(u, mode, n):
    for _ in range(n):
        p = np.pad(u, 1, mode=mode)
        u = u + 0.1 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)
    return u


def normals(a, b):
    c = np.cross(a, b)
    return c / np.sqrt((c * c).sum(axis=1, keepdims=True))


u = np.random.default_rng(1).random((600, 700))
for mode in "edge", "wrap", "reflect", "symmetric":
    compiled = npcc.jit(steps, target="cpu", cache=False)
    np.testing.assert_allclose(compiled(u, mode, 3), steps(u, mode, 3))
    text = str(npcc.jit(steps, target="cuda", cache=False).explain(u, mode, 3))
    assert text.split("loop of the host")[1].count("    kernel ") == 1, (mode, text)

a, b = np.arange(300.0).reshape(100, 3) ** 2, np.ones((100, 3))
compiled = npcc.jit(normals, target="cpu", cache=False)
np.testing.assert_allclose(compiled(a, b), normals(a, b))
text = str(compiled.explain(a, b))
assert "map over 100  " in text, text
