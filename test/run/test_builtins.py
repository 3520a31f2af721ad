"""Python's built-in functions and its math module, compiled, against Python."""
import unittest

from rows import Rows

BUILTINS = r"""
n     | abs(a), abs(-a), bool(a), float(a), int(a), complex(a)
x     | abs(-a), bool(a), float(a), int(a), complex(a), complex(a, 2), round(a)
y     | round(a), round(-a), int(-a), pow(a, 2), a ** 0.5
y x   | divmod(a, b)
y x   | divmod(-a, b)
z     | abs(a), complex(a), bool(a)
t     | abs(a), int(a), float(a), round(a)
n m   | divmod(a, b)
n m   | divmod(b, a)
n m   | pow(a, 2), pow(b, 3), max(a, b), min(a, b), max(a, b, 7), round(a)
x y   | max(a, b), min(a, b), max((a, 2.0)), sum((a, b)), sum([a, a], 1.0)
V     | len(a), abs(a), max(a[0], a[1]), float(a[0]), int(a[1] * 10), bool(a[2])
A     | len(a), len(a[0]), all([True, len(a) > 2]), any((False, a[0, 0] > 5))
n     | isinstance(a, int), isinstance(a, float), isinstance(a, (int, str)), type(a) is int, callable(np.sin), callable(a)
A     | isinstance(a, np.ndarray), isinstance(a, int), callable(a)
n     | tuple([k * 2 for k in (1, 2, a)])
n     | tuple(list((a, 2)))
n     | tuple(map(lambda k: k + a, (1, 2, 3)))
n     | s = 0; return sum([k for k in (1, 2, a)])
V     | a[slice(1, 4)], a[slice(None, None, -1)], a[slice(2)]
V W   | tuple([x * y for x, y in zip((1, 2), (a[0], b[0]))])
V W   | tuple([k * x for k, x in enumerate((a[0], b[0], 3))])
V     | tuple([x for x in reversed((a[0], 2))])
n     | s = [k for k in range(1, 9, 3)]; return s[0] + s[1] * a, s[-1]
n     | print('n', a, sep='=')
n     | print(str(a), a)
V     | tuple([k * x for k, x in enumerate((a[0], 3), start=2)])
n     | print(repr(a), repr('x'))
"""

MATH = r"""
x     | math.acos(a), math.asin(a), math.atan(a), math.atanh(a), math.acosh(a + 1), math.asinh(a)
x y   | math.atan2(a, b), math.copysign(a, -b), math.fmod(b, a), math.hypot(a, b), math.pow(b, a)
x     | math.cbrt(a), math.ceil(a), math.floor(a), math.trunc(-a), math.fabs(-a)
y     | math.ceil(a), math.floor(-a), math.trunc(a)
x     | math.cos(a), math.sin(a), math.tan(a), math.cosh(a), math.sinh(a), math.tanh(a)
x     | math.degrees(a), math.radians(a)
x     | math.erf(a), math.erfc(a), math.exp(a), math.exp2(a), math.expm1(a)
x     | math.log(a), math.log(a, 3), math.log10(a), math.log1p(a), math.log2(a), math.sqrt(a)
x     | math.isfinite(a), math.isinf(a), math.isnan(a), math.isinf(a * float('inf')), math.isnan(a * float('nan'))
n     | math.sqrt(a), math.floor(a), math.ceil(a), math.log(a), math.hypot(a, 2), math.fabs(a), math.isnan(a)
t     | math.sqrt(a), math.exp(a)
V     | math.sin(a[0]), math.exp(a[1]), math.floor(a[2])
"""

ERRORS = r"""
x | math.sqrt(-a)
x | math.log(-a)
x | math.acos(a + 1)
n | math.log(a - 5)
n | divmod(a, a - 5)
n | pow(a - 5, -1)

"""


class Builtins(Rows):
    def test_builtins(self):
        self.results(BUILTINS)

    def test_math(self):
        self.results(MATH)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
