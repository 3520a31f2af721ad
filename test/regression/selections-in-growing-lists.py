# RUN: %python %s
"""A list that a loop appends to, of arrays computed of a selection, was an internal error where the loop goes on with what another mask selects."""
import numpy as np

import npcc


def cluster(points, radius):
    left, centers = points, []
    while len(left) > 0:
        near = ((left - left[0]) ** 2).sum(axis=1) <= radius
        centers.append(left[near].mean(axis=0))
        left = left[~near]
    return centers, left


points = np.random.default_rng(0).random((60, 2)) * 10
expected, nothing = cluster(points, 4.0)
centers, left = npcc.jit(cluster, target="cpu")(points, 4.0)
assert len(centers) == len(expected) and left.shape == nothing.shape
for a, b in zip(centers, expected):
    np.testing.assert_allclose(a, b, rtol=1e-12)
