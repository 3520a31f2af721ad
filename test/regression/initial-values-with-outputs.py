# RUN: %python %s
"""max() of integers with a fraction as initial value gave an integer where the output holds floats: NumPy computes in the dtype of both."""
import numpy as np

import npcc


def largest(a, out):
    return np.max(a, axis=0, out=out, initial=0.5), np.min(a, initial=-0.5)


for dtype in (np.float64, np.float32, np.int64):
    a = np.array([[-1, 2, 0], [0, 1, -3]])
    found, expected = npcc.jit(largest, target="cpu")(a, np.zeros(3, dtype)), largest(a, np.zeros(3, dtype))
    assert found[0].tolist() == expected[0].tolist() and found[1] == expected[1], (found, expected)
