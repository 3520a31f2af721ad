# RUN: %python %s
# z + w - w was z, log(exp(z)) too: MLIR's complex dialect folds both, and its math dialect the arctangent of two zeros
# to NaN.
import numpy as np

import npcc


def sums(z, w):
    return z + w - w, z - w + w, w + (z - w), z + 0, z + 0j


def functions(z, w):
    return np.log(np.exp(z)), np.exp(np.log(z)), np.exp(np.log(np.exp(w)))


def of_zeros(z, w):
    x = np.zeros(3)
    return np.arctan2(x, x), np.arctan2(-x, -x), np.arctan2(0.0, x), np.arctan2(x, 1.0)


z = np.array([1 + 40j, -3.5 + 0.1j, complex(np.inf, 1), complex(-0.0, 0.0), complex(0.0, -0.0), 1e300 + 1j, -2 + 0j])
w = np.array([0.1 + 1j, 1e20, 1 - 1j, 3j, complex(np.nan, 1), -1e300 + 2j, complex(2, -np.inf)])
with np.errstate(all="ignore"):
    for function in sums, functions, of_zeros:
        for expected, got in zip(function(z, w), npcc.jit(target="cpu")(function)(z, w)):
            for part in np.real, np.imag:
                np.testing.assert_allclose(part(got), part(expected), rtol=1e-14)
                known = ~np.isnan(part(expected))
                np.testing.assert_array_equal(np.signbit(part(got))[known], np.signbit(part(expected))[known])
