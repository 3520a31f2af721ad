"""Elementwise functions and operators that are no ufunc of one table, compiled, against NumPy."""
import functools
import unittest

import numpy as np

from harness import jit
from rows import Rows

ROWS = r"""
A     | np.gradient(a)
V     | np.gradient(a, 0.5)
A     | np.gradient(a, 0.5, 2.0, edge_order=2)
X     | np.gradient(a * a, a)
A     | np.diff(a)
A     | np.diff(a, 2, axis=0)
V     | np.diff(a, prepend=0)
V     | np.ediff1d(a)
A     | np.round(a, 2)
A     | a.round()
I     | np.round(a)
A     | np.deg2rad(a) + np.rad2deg(a) + np.radians(a)
I     | np.degrees(a)
I     | np.float_power(a, 2)
A     | np.heaviside(a - 0.5, 0.5)
A B   | np.logaddexp(a, b)
A B   | np.divmod(a, b)
A     | np.modf(a * 10)
A     | np.divmod(a, 0.3, out=(np.zeros(a.shape), None)), np.modf(a * 10, np.zeros(a.shape), np.zeros(a.shape)), np.frexp(a, out=(None, np.zeros(a.shape, int)))
A     | np.clip(a, 0.2, 0.5, out=np.zeros(a.shape)), np.clip(a, 0.2, None, dtype=np.float64), np.clip(a, 0, 1, dtype=np.int64, casting='unsafe')
A     | np.fix(a * 10 - 5)
A     | np.sinc(a)
C     | np.angle(a)
A     | np.angle(a, deg=True)
A     | np.polyval([1.0, 2.0, 3.0], a)
V A   | np.polyval(a, b)
A     | np.clip(a, 0.2, 0.5)
A     | a.clip(min=0.2)
A     | np.clip(a, None, 0.5)
A B   | np.isclose(a, b, rtol=0.5)
A     | np.allclose(a, a)
A B   | np.array_equal(a, b)
A I   | np.array_equal(a, a)
N     | np.nan_to_num(a)
A B   | np.add.reduce(a), np.maximum.reduce(a, axis=1), np.add.accumulate(b, axis=1), np.multiply.outer(a[0], b[0])
A B   | np.add(a, b, out=np.empty_like(a)), np.sqrt(a, where=a > 0.5, out=np.zeros_like(a))
F A   | np.deg2rad(a, where=b > 0.5, out=np.zeros((2, 4, 5))), np.degrees(a, np.ones((4, 5)), where=a > 0.3, dtype=float)
F A   | np.isinf(b, where=True), np.deg2rad(2.0, where=b[0] > 0.5, out=np.ones(5))
I     | np.isnan(a), np.isfinite(a), np.signbit(a), np.floor(a), np.abs(a), np.conj(a)
U J   | a + 1, a * b, a / b, a // (b + 1), np.power(b, 2), a << 1
J L   | a > 200, b > -1, a < 300
I L   | a < b, a == b, a >= b
C     | np.nan_to_num(a)
A B   | np.logaddexp(a, b)
F     | np.round(a, 1)
A     | a.round(1), a.clip(0.1, 0.5), a.cumsum(0), a.repeat(2), a.diagonal(), a.take([1]), a.conj()
A B   | np.allclose(a, b, rtol=1.0, atol=2.0), np.isclose(a, b, atol=0.3), np.isclose(a, b, rtol=0.0, atol=0.1)
N N   | np.array_equal(a, b, equal_nan=True), np.allclose(a, b, equal_nan=True), np.isclose(a, b, equal_nan=True), np.array_equal(a, b)
A     | np.around(a, decimals=1), np.around(a), np.round(a, 1, out=np.empty((4, 5))), np.around(a * 100, -1)
A     | np.clip(a, min=0.2, max=0.4), np.clip(a, 0.1, 0.3, out=np.empty((4, 5)))
A     | np.deg2rad(a, out=np.zeros((4, 5))), np.degrees(a, out=np.zeros((4, 5))), np.rad2deg(a, out=np.zeros((4, 5))), np.radians(a, out=np.zeros((4, 5)))
A     | np.fix(a * 9 - 4, out=np.zeros((4, 5))), np.float_power(a, 2, out=np.zeros((4, 5)))
N     | np.nan_to_num(a, nan=3.0, posinf=1.0, neginf=2.0), np.nan_to_num(a, copy=True), np.nan_to_num(1 / (a - a), posinf=1.0, neginf=2.0)
V     | np.diff(a, append=1.0)
A     | a.conjugate(), a.conj()
C     | a.conjugate(), a.conj(), np.conj(a), np.conjugate(a)
V X   | np.interp(a * 9, b, b * b, left=1.0, right=-2.0)
*     | a + a, a * 2
*     | np.clip(np.real(a), 0, 3)
*     | np.round(np.real(a))
"""

ERRORS = r"""
V W | a + b[:4]
V   | np.gradient(a[:1])
V W | np.select([a > 1, b[:4] > 1], [a, 2.0])
V W | np.select([a > 1], [b[:4]], 7)
"""


def whole_powers(x):
    return x ** 3, x ** 4, x ** 5.0, np.power(x, 6), x ** 7, x ** 12, x ** 31, x ** 32


def other_powers(x):
    return x ** 1.5, x ** 2.5, x ** 3.5, x ** 7.5, x ** -0.5, x ** -1.5, x ** -2.5, np.power(x, -6.5), x ** -2.0, x ** -3.0, x ** -4.0, x ** -7.0


def given_power(x, exponent):
    return (x ** exponent,)


class Elementwise(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_powers(self):
        """Products that lose nothing: as right as pow(), where the result is not next to the smallest or largest numbers."""
        for function in (whole_powers, other_powers):
            with self.subTest(function=function.__name__):
                self.powers(function)

    def test_given_powers(self):
        compiled = jit(given_power)
        for exponent in (2.0, 1.0, 0.5, 3.0, -1.0, 0.0, -2.0, 2.7, np.inf, np.nan):
            with self.subTest(exponent=exponent):
                self.powers(functools.partial(given_power, exponent=exponent), functools.partial(compiled, exponent=exponent))

    def powers(self, function, compiled=None):
        random = np.random.default_rng(8)
        compiled = compiled or jit(function)
        for dtype in ("f4", "f8"):
            info = np.finfo(dtype)
            root = 0.999 * float(info.max) ** (1 / 3)
            hard = [0.0, -0.0, np.nan, np.inf, -np.inf, 1, -1, info.max, info.tiny, -info.smallest_subnormal, root, 1.01 * root, -root]
            x = np.concatenate([hard, random.standard_normal(3000), 10 ** random.uniform(-3, 3, 3000)]).astype(dtype)
            with np.errstate(all="ignore"):
                expected = function(x)
            for mine, theirs in zip(compiled(x), expected):
                self.assertEqual(mine.dtype, theirs.dtype)
                plain = np.isfinite(theirs) & (np.abs(theirs) > info.tiny / info.eps) & (np.abs(theirs) < info.max * info.eps)
                np.testing.assert_array_max_ulp(mine[plain], theirs[plain], 1)
                np.testing.assert_array_equal(mine[~np.isfinite(theirs)], theirs[~np.isfinite(theirs)])
                np.testing.assert_allclose(mine, theirs, rtol=1e-6, atol=info.tiny)
                np.testing.assert_array_equal(np.signbit(mine[theirs == 0]), np.signbit(theirs[theirs == 0]))

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
