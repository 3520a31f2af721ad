# RUN: %python %s
"""Elements on the edges of bins, beside them by a rounding, and outside, in histograms, whose bins are computed without the edges."""
import numpy as np

import npcc


def weighted(a, w, bins):
    return np.histogram(a, bins, weights=w)[0]


def weighted_between(a, w, bins):
    return np.histogram(a, bins, range=(0.1, 0.7), weights=w)[0]


def counted(a, w, bins):
    return np.histogram(a, bins)[0]


def counted_between(a, w, bins):
    return np.histogram(a, bins, range=(0.1, 0.7))[0]


random = np.random.default_rng(0)
compiled = [(f, npcc.jit(f, target="cpu")) for f in (weighted, weighted_between, counted, counted_between)]
for dtype in ("f8", "f4", "f2", "i4"):
    for bins in (1, 3, 7, 10, 49):
        edges = np.linspace(0.1, 0.7, bins + 1)
        a = np.concatenate([edges, np.nextafter(edges, 0), np.nextafter(edges, 1), [0, 0.05, 0.9, 1]]).astype(dtype)
        if dtype == "i4":
            a = random.integers(-5, 50, 90).astype(dtype)
        w = random.random(a.size)
        for f, g in compiled:
            assert np.allclose(g(a, w, bins), f(a, w, bins), rtol=1e-13, atol=0), (dtype, bins, f)
