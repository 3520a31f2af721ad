# RUN: %python %s
# A function with the name of a C function was linked with it.
import numpy as np

import npcc


@npcc.jit(target="cpu")
def cbrt(a):
    return np.cbrt(a)


a = np.arange(9.0)
np.testing.assert_allclose(cbrt(a), np.cbrt(a), rtol=1e-14)
