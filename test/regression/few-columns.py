# RUN: %python %s
"""Stacks of small matrices, whose 5 to 32 columns are whole vectors on the CPU: products and reductions, and calls with other extents than the first."""
import numpy as np

import npcc


def products(a, b):
    return a @ b, np.einsum("bij,bjk->bik", a, b), a @ np.swapaxes(a, 1, 2), np.maximum(a @ b - 1, 0)


def reductions(a, b):
    return a.sum(axis=1), b.max(axis=1), (b * 2).min(axis=1), b.mean(axis=1), (b > 1).any(axis=1), b - b.sum(axis=1, keepdims=True)


rng = np.random.default_rng(0)


def check(extents, dtype):
    rows, terms, columns = extents
    a, b = (rng.random((80, rows, terms)) * 5).astype(dtype), (rng.random((80, terms, columns)) * 5).astype(dtype)
    for function in products, reductions:
        if dtype is np.complex128 and function is reductions:
            continue
        compiled = npcc.jit(function, target="cpu")
        for given in (a, b), (a[::-1], b), (a[:, :, ::-1], b[:, ::-1]), (a[:3], b[:3]), (a[:, :1], b), (a, b[:, :, :4]):
            for want, got in zip(function(*given), compiled(*given)):
                assert want.dtype == got.dtype and want.shape == got.shape
                tolerance = 1e-4 if dtype is np.float32 else 1e-11
                np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


# All extents with one dtype, and all dtypes with two extents: whole vectors of each, and not.
for extents in (8, 8, 8), (5, 6, 7), (10, 10, 10), (12, 3, 13), (16, 16, 16), (4, 20, 5), (1, 32, 31), (20, 20, 20), (3, 33, 6), (8, 8, 33):
    check(extents, np.float64)
for dtype in np.float32, np.int64, np.int16, np.complex128:
    for extents in (8, 8, 8), (12, 3, 13):
        check(extents, dtype)
