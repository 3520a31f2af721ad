"""Functions and methods of Python's numbers: round() to digits, digits in other bases, cmath, places in tuples; compiled, against Python."""
import cmath
import math
import random
import unittest

import npcc
from everything import Everything


class PythonNumbers(Everything):
    def test_round_floats(self):
        def rounded(x, n):
            return round(x, n)
        compiled = npcc.jit(rounded)
        draw = random.Random(1)
        for k in range(4000):
            x = (draw.uniform(-1, 1) * 10.0 ** draw.randint(-8, 20), draw.randint(-10**6, 10**6) / 2 ** draw.randint(0, 12),
                 draw.uniform(-1, 1) * 10.0 ** draw.randint(-30, 300), (draw.randint(0, 10**5) + 0.5) / 10 ** draw.randint(0, 5))[k % 4]
            n = draw.randint(-25, 25)
            expected, given = rounded(x, n), compiled(x, n)
            self.assertTrue(expected == given and math.copysign(1, expected) == math.copysign(1, given), (x, n, expected, given))
        self.assertEqual([type(v) for v in (compiled(2.5, 0), compiled(7, 1))], [float, int])
        self.check(lambda x: (round(x, 2), round(x, -1), round(x), round(x, None)), 2.675)
        self.assertTrue(math.isnan(compiled(math.nan, 2)) and compiled(-math.inf, 1) == -math.inf)
        self.check(rounded, 1.7976931348623157e308, -308)

    def test_round_ints(self):
        def rounded(x, n):
            return round(x, n)
        compiled = npcc.jit(rounded)
        draw = random.Random(2)
        for _ in range(1000):
            x, n = draw.randint(-10**17, 10**17), draw.randint(-18, 3)
            self.assertEqual(rounded(x, n), compiled(x, n), (x, n))

    def test_hashes(self):
        def hashes(n, x):
            return hash(n), hash(x), hash(complex(x, n)), hash((n, x)), hash(n > 3), hash(frozenset((n, 7)))
        for n in (0, -1, 5, 2**61 - 1, -2**61, 2**62 + 3):
            for x in (0.0, -1.0, 0.1, -2.5e300, 1e-310, math.inf, -math.inf):
                self.check(hashes, n, x)

    def test_digits(self):
        def digits(n):
            return bin(n), hex(n), oct(n), format(n, "08b"), format(n * 1.5, ".3f"), n.bit_length(), n.bit_count()
        for n in (10, -10, 0):
            self.check(digits, n)
        self.check(lambda x: bin(x), 1.5)

    def test_identity(self):
        def same(flags, n):
            return flags[0] is True, flags[1] is False, (n > 2) is True, (n > 2) is not True, n is None
        self.check(same, [True, True], 4)

    def test_places(self):
        def places(a, b, c):
            if (a, b, c).count(0) != 1:
                raise ValueError("One and only one argument must be 0")
            return (a, b, c).index(0), [a, b, c].index(0), [a, b, c].count(c)
        for arguments in ((0, 1.5, 2), (1, 2.0, 0), (1, 1.0, 1)):
            self.check(places, *arguments)

    def test_complex(self):
        def polar(r, p):
            z = complex(r, p)
            return cmath.rect(r, p), cmath.polar(z), cmath.phase(z), cmath.isclose(z, z * 1.5), cmath.isfinite(z)
        self.check(polar, 2.0, 3.0)

        def functions(z):
            return [cmath.sqrt(z), cmath.exp(z), cmath.log(z), cmath.log(z, 2), cmath.log10(z), cmath.sin(z), cmath.cos(z), cmath.tan(z),
                    cmath.sinh(z), cmath.cosh(z), cmath.tanh(z), cmath.asin(z), cmath.acos(z), cmath.atan(z), cmath.asinh(z), cmath.acosh(z), cmath.atanh(z)]
        for z in (1.5 - 0.5j, -2 + 1e-3j, 0.25j):
            for mine, theirs in zip(npcc.jit(functions)(z), functions(z)):
                self.assertTrue(cmath.isclose(mine, theirs, rel_tol=1e-14, abs_tol=1e-16), (z, mine, theirs))
        self.check(lambda z: cmath.log(z), 0j)
        self.check(lambda z: cmath.exp(z), 1000.0)
        self.check(lambda x: cmath.sqrt(x), -4)


if __name__ == "__main__":
    unittest.main()
