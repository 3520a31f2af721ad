"""Functions of complex numbers: branch cuts, special values (C99's, as NumPy's are) and accuracy."""
import unittest
import warnings

import numpy as np

from harness import jit

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, np.inf, -np.inf, np.nan, 1e-300, 1e300, 1e-20, -1e20, 710.0, np.pi / 2]


# Made of functions of real numbers in compiler/kernels/ComplexOps.cpp.
def made(a):
    return (np.arcsin(a), np.arccos(a), np.arctan(a), np.arcsinh(a), np.arccosh(a), np.arctanh(a), np.log1p(a), np.expm1(a), np.reciprocal(a))


# Made of operations of the complex dialect, which are the C library's on the CPU and compiler/gpu/ComplexMath.cpp on a GPU.
def operations(a):
    return np.sinh(a), np.cosh(a), np.exp2(a), np.log2(a), np.log10(a), np.exp(a), np.log(a), np.sin(a), np.cos(a), np.tan(a), np.tanh(a), np.sqrt(a)


def differ(x, y, tolerance):
    near = np.isfinite(x) & np.isfinite(y) & (np.abs(x - y) <= tolerance * np.abs(y))
    return ~(near | (np.isnan(x) & np.isnan(y)) | ((x == y) & (np.signbit(x) == np.signbit(y))))


class Complex(unittest.TestCase):
    def compare(self, function, a):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected, given = function(a), jit(function)(a)
            tolerance = 40 * np.finfo(a.dtype).eps
            for k, (x, y) in enumerate(zip(given, expected)):
                wrong = differ(x.real, y.real, tolerance) | differ(x.imag, y.imag, tolerance)
                # C99 leaves the sign of an infinity beside a NaN open.
                wrong &= ~(np.isinf(x) & np.isinf(y) & (np.isnan(x.real) == np.isnan(y.real)) & (np.isnan(x.imag) == np.isnan(y.imag))
                           & (np.isnan(x.real) | np.isnan(x.imag)))
                # Sums that cancel lose what NumPy's own formulas lose.
                wrong &= np.abs(x - y) > tolerance * np.abs(y) if np.isfinite(a).all() else True
                self.assertFalse(wrong.any(), (function.__name__, k, a[wrong][:3], x[wrong][:3], y[wrong][:3]))

    def test_special_values(self):
        for dtype in (np.complex128, np.complex64):
            with np.errstate(all="ignore"):
                a = np.array([complex(x, y) for x in SPECIAL for y in SPECIAL]).astype(dtype)
            self.compare(made, a)
            self.compare(operations, a)

    def test_accuracy(self):
        random = np.random.default_rng(0)
        for dtype in (np.complex128, np.complex64):
            a = random.uniform(-2, 2, 2000) + 1j * random.uniform(-2, 2, 2000)
            self.compare(made, a[np.abs(a + 1) > 0.1].astype(dtype))
            self.compare(operations, a[np.abs(a - 1) > 0.1].astype(dtype))


if __name__ == "__main__":
    unittest.main()
