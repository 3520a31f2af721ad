# RUN: %python %s
"""Rows of 5 to 32 elements, whole vectors on the CPU: each length, dtype, and calls with other lengths than the one that the code was made for."""
import numpy as np

import npcc


def reductions(a):
    return a.sum(axis=1), a.max(axis=1), (a * a).min(axis=-1), (a > 1).any(axis=1), (a * a[:, :1] + 1).sum(axis=1), (a.astype(np.float64) - 0.5).sum(axis=1)


def pairs(a):
    return np.einsum("ij,ij->i", a, a + 1), np.vecdot(a, a), a - a.mean(axis=1, keepdims=True), np.where(a > 2, a, 0).sum(axis=1)


rng = np.random.default_rng(0)


def check(length, dtype):
    a = (rng.random((100, length)) * 5).astype(dtype)
    for function in (reductions, pairs):
        compiled = npcc.jit(function, target="cpu")
        for rows in (a, a[:, ::-1], a[:70, 1:], np.asfortranarray(a), a[:3]):
            for want, got in zip(function(rows), compiled(rows)):
                assert want.dtype == got.dtype, (function, dtype, length, want.dtype, got.dtype)
                tolerance = {np.float16: 2e-2, np.float32: 1e-5}.get(dtype, 1e-13)
                np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


# All lengths with one dtype, and all dtypes with two lengths: whole vectors of each, and not.
for length in (5, 6, 7, 8, 10, 13, 16, 23, 31, 32, 33):
    check(length, np.float64)
for dtype in (np.float32, np.int64, np.int16, np.uint8, np.float16):
    for length in (16, 23):
        check(length, dtype)
equal = np.tile((rng.random(11) - 0.5) * 1e3, (200, 1))
assert len(set(npcc.jit(reductions, target="cpu")(equal)[0].tolist())) == 1  # equal rows have equal sums
