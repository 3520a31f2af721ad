"""Methods that Python calls for an operator, a builtin or a conversion: of objects in compiled functions, against Python."""
import operator
import unittest

import lines
from everything import Everything


class Number:
    def __init__(self, v):
        self.v = v

    def __divmod__(self, other):
        return self.v // other.v, self.v % other.v

    def __rdivmod__(self, other):
        return other // self.v, other % self.v

    def __pow__(self, n, mod=None):
        return self.v**n if mod is None else self.v**n % mod

    def __invert__(self):
        return -self.v - 1

    def __pos__(self):
        return self.v + 100

    def __floor__(self):
        return 11

    def __ceil__(self):
        return 12

    def __trunc__(self):
        return 13

    def __float__(self):
        return self.v / 2

    def __index__(self):
        return int(self.v)

    def __iter__(self):
        return iter([self.v, 2, 3])


def three(a, b, c):
    return a + 10 * b + 100 * c


EXPRESSIONS = [
    "divmod(Number(x), Number(2))",
    "divmod(9, Number(x))",
    "Number(x) ** 2",
    "pow(Number(x), 3, 4)",
    "~Number(x)",
    "+Number(x)",
    "math.floor(Number(x)), math.ceil(Number(x)), math.trunc(Number(x))",
    "math.sqrt(Number(x)), math.hypot(Number(x), 1)",
    "[10, 11, 12, 13, 14, 15][Number(x)]",
    "[k * x for k in range(x + 2)][Number(x)]",
    '"abcdefgh"[Number(x)]',
    "list(range(Number(x)))",
    "operator.index(Number(x)), operator.index(x)",
    "three(*Number(x))",
]


class SpecialMethods(Everything):
    def test_expressions(self):
        made = lines.functions(__name__, [("x", expression) for expression in EXPRESSIONS])
        for expression, function in zip(EXPRESSIONS, made):
            function.__globals__.update(Number=Number, three=three, operator=operator)
            with self.subTest(expression):
                self.check(function, 5)

    def test_errors(self):
        self.check(lambda x: operator.index(x), 5.5)
        self.check(lambda x: divmod(Number(x), "a"), 5)


if __name__ == "__main__":
    unittest.main()
