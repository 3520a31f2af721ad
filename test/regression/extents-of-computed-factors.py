"""The extents of a product in a loop, whose operand is computed from arrays of extents that only the call shows to be equal."""
# RUN: %python %s
import numpy as np
import npcc


@npcc.jit(target="cpu")
def covariance(x, y, beta, lags):
    g = x * (y - x @ beta)[:, None]
    s = g.T @ g
    for lag in range(1, lags + 1):
        c = g[lag:].T @ g[:-lag]
        s = s + (1 - lag / (lags + 1)) * (c + c.T)
    return s


rng = np.random.default_rng(1)
given = rng.random((200, 5)), rng.random(200), rng.random(5), 4
np.testing.assert_allclose(covariance(*given), covariance.__wrapped__(*given), rtol=1e-12)
for target in ("cpu", "cuda"):
    assert "np.kernel" in npcc.jit(target=target)(covariance.__wrapped__).inspect("kernels", arguments=given)
