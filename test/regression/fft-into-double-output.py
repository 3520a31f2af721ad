# RUN: %python %s
"""A transform of float32 whose output is of double precision is computed in it: the loop that NumPy takes for both."""
import numpy as np

import npcc


def lines(a, out):
    return np.fft.fft(a, out=out)


def halves(a, out):
    return np.fft.rfft(a, 8, out=out)


def planes(a, out):
    return np.fft.fftn(a, out=out)


def back(a, out):
    return np.fft.irfft(a, 5, out=out)


a = np.random.default_rng(0).normal(size=(4, 5)).astype(np.float32)
for function, out in (lines, np.zeros((4, 5), complex)), (halves, np.zeros((4, 5), complex)), (planes, np.zeros((4, 5), complex)), (back, np.zeros((4, 5))):
    want, got = function(a, out.copy()), npcc.jit(function, target="cpu")(a, out.copy())
    assert want.dtype == got.dtype
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)
