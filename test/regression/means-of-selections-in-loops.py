# RUN: %python %s
"""The mean of selected elements in a loop, kept in a name, was selected into an array first. What the loop leaves in the name counts still."""
import numpy as np

import npcc


def profile(data, radius, n):
    result = np.zeros(n)
    for k in range(n):
        selected = data[(radius >= k) & (radius < k + 1)]
        result[k] = selected.mean()
    return result


def last(data, n):
    total = 0.0
    for k in range(n):
        selected = data[data > k]
        total += selected.sum() + len(selected)
    return total, selected


rng = np.random.default_rng(3)
data, radius = rng.random(500) * 9, rng.random(500) * 9
np.testing.assert_allclose(npcc.jit(profile, target="cpu", cache=False)(data, radius, 9), profile(data, radius, 9), rtol=1e-13)
(total, selected), (expected, rest) = npcc.jit(last, target="cpu", cache=False)(data, 7), last(data, 7)
np.testing.assert_allclose(total, expected, rtol=1e-13)
np.testing.assert_array_equal(selected, rest)
assert "np.scatter" not in npcc.jit(profile, target="cpu").inspect("np", arguments=(data, radius, 9))
