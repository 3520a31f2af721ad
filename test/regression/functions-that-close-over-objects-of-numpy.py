# RUN: rm -rf %t && env NPCC_TIERS=0 NPCC_CACHE=1 NPCC_CACHE_DIR=%t %python %s
"""Functions of one text that close over different objects of NumPy's, or over different names of npcc.cuda's, were taken for the same function, and
the second got the code of the first."""
import numpy as np

import npcc
from npcc import cuda


def adds(limits):
    @npcc.jit(target="cpu")
    def function(x):
        return x + limits.eps
    return function


for dtype in (np.float32, np.float64):
    assert adds(np.finfo(dtype))(np.zeros(1)) == np.finfo(dtype).eps


def applies(called):
    @npcc.jit(target="cpu")
    def function(x):
        return called(x)
    return function


for own in (lambda v: v * 2, lambda v: v - 5):
    assert applies(np.vectorize(own))(np.ones(1)) == own(1)


def evaluates(polynomial):
    @npcc.jit(target="cpu")
    def function(x):
        return np.polyval(polynomial, x)
    return function


for coefficients in ([1, 2, 3], [4, 5, 6]):
    assert evaluates(np.poly1d(coefficients))(np.ones(1)) == sum(coefficients)


def positions(of):
    @cuda.jit(target="cpu")
    def kernel(out):
        out[cuda.grid(1)] = of.x
    return kernel


for of, expected in ((cuda.threadIdx, [0, 1, 0, 1]), (cuda.blockIdx, [0, 0, 1, 1])):
    out = np.zeros(4)
    positions(of)[2, 2](out)
    assert out.tolist() == expected
