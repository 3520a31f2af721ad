# RUN: %python %s
"""What one array meets another with was found from the numbers that an error would show, too: the last of these was taken for the extent."""
import numpy as np

import npcc


def f():
    rng = np.random.default_rng(3)
    x = np.ones((8, 2)) @ (rng.random((2, 20)) + 1j * rng.random((2, 20))) + (rng.random((8, 20)) + 1j * rng.random((8, 20)))
    return np.einsum("mi,mn->i", np.ones((8, 5)), x @ x.T)


np.testing.assert_allclose(npcc.jit(f, target="cpu")(), f())
