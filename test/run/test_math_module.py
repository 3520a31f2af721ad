"""Python's module math, and pow() with a modulus, compiled, against NumPy."""
import math
import unittest

import npcc
from rows import Rows

ROWS = r"""
n m | math.gcd(a, b), math.lcm(a, b), math.gcd(a, 10, 15), math.gcd(), math.lcm(b, 4)
n   | math.comb(a + 5, 2), math.perm(a, 2), math.factorial(a), math.isqrt(a * 100), math.perm(a), math.comb(a, 9), math.comb(61, a + 20)
x y | math.fsum([a, b, 1e100, 1.0, -1e100]), math.prod([a, b]), math.dist((a, b), (b, a)), math.prod([a, 2], start=3), math.hypot(a, b, 3.0), math.hypot(a)
V   | math.fsum(a), math.prod(a), math.fsum([0.1] * 10), math.fsum(x * 1e10 for x in a), math.dist(a, a * 2), math.prod(range(1, 6))
x y | math.gamma(a), math.lgamma(b), math.gamma(b + 10), math.lgamma(-a), math.gamma(-a), math.lgamma(b * 100)
x y | math.isclose(a, b), math.isclose(a, b, rel_tol=0.5), math.remainder(b, a), math.isclose(a, a + 1e-12), math.isclose(a, b, abs_tol=3.0), math.remainder(-b, 1)
n m | divmod(a, b), pow(a, 2, 3), pow(a, 100, 7), pow(b, 3, 7), pow(a, -1, 7), pow(2, a, -7)
"""

ERRORS = r"""
m   | math.gamma(a)
m   | math.lgamma(a)
m   | math.factorial(a)
m   | math.isqrt(a)
m n | math.comb(a, b)
x   | math.remainder(a, 0)
x   | math.isclose(a, 1, rel_tol=-a)
x   | math.factorial(a)
n   | pow(a, 2, 0)
n   | pow(a - 1, -1, 2)
"""


def factorial(n):
    return math.factorial(n)


def binomial(n):
    return math.comb(n, n // 2)


def arranged(n):
    return math.perm(n, n // 2)


def multiplied(n):
    return math.prod([k + 1 for k in range(n)])


def added(n):
    return sum([k * 3 * 10**15 for k in range(n)])


class MathModule(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)

    def test_what_does_not_fit(self):
        for function, argument in ((factorial, 21), (binomial, 80), (arranged, 40), (multiplied, 22), (added, 93)):
            compiled = npcc.jit(function)
            self.assertEqual(compiled(argument), function(argument))
            self.assertEqual(compiled(argument // 2), function(argument // 2))


if __name__ == "__main__":
    unittest.main()
