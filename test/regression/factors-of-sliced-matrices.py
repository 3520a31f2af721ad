# RUN: %python %s
"""What a few rows of an array decide was asked of an offer that the choice function does not have, so the code refused the call that it was made for: it was
made four times before the first call ran."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def factor(x):
    rows = x[:2]
    return np.linalg.cholesky(rows @ rows.T)


x = np.random.default_rng(0).random((180, 4))
compilations = npcc.counters()["compilations"]
np.testing.assert_allclose(factor(x), np.linalg.cholesky(x[:2] @ x[:2].T))
assert npcc.counters()["compilations"] - compilations == 1
