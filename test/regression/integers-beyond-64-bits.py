# RUN: %python %s
# Python's integers wrapped around at 64 bits without a word. What fits is Python's, what does not is an OverflowError at its line.

import math
import traceback

import npcc

LARGEST = 2**63 - 1


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def factorial(n):
    r = 1
    for i in range(1, n + 1):
        r *= i
    return r


def square(n):
    return n * n


def cube(n):
    return n ** 3


def power(n, k):
    return n ** k


def shift(n, k):
    return n << k


def difference(n, m):
    return n - m


def negative(n):
    return -n


def quotient(n, m):
    return n // m


def opposite(n):
    return n // -1


def magnitude(n):
    return abs(n)


def whole(x):
    return int(x)


def floor(x):
    return math.floor(x)


def nearest(x):
    return round(x)


def linear_congruential(s, n):
    for i in range(n):
        s = (s * 1103515245 + 12345) % 2147483648
    return s


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except (OverflowError, ValueError) as error:
        return type(error), str(error)


calls = [(fibonacci, [(10,), (91,), (93,), (100,)]), (factorial, [(20,), (21,), (66,)]), (square, [(3,), (3037000499,), (-3037000500,), (2**40,)]),
         (cube, [(2097151,), (2097152,), (-2097153,)]), (power, [(2, 62), (2, 63), (3, 39), (3, 40), (10, 18), (10, 19), (LARGEST, 1), (1, 100000)]),
         (shift, [(1, 62), (1, 63), (0, 100), (-1, 63), (3, 61), (3, 62), (1, 64)]), (difference, [(5, 7), (-2, LARGEST), (-1, LARGEST)]),
         (negative, [(5,), (-LARGEST - 1,), (LARGEST,)]), (magnitude, [(-5,), (-LARGEST - 1,)]),
         (quotient, [(7, -1), (-LARGEST - 1, -1), (-LARGEST - 1, 2)]), (opposite, [(7,), (-LARGEST - 1,)]),
         (whole, [(1e18,), (1e19,), (-9.3e18,), (-2.0**63,), (2.0**63,), (math.nan,), (math.inf,)]), (floor, [(1.5,), (1e30,), (math.nan,), (-math.inf,)]),
         (nearest, [(2.5,), (1e30,), (math.nan,)]), (linear_congruential, [(1, 10)])]
for function, arguments in calls:
    compiled = npcc.jit(function, target="cpu")
    for each in arguments:
        expected, given = outcome(function, *each), outcome(compiled, *each)
        if isinstance(expected, int) and not -LARGEST - 1 <= expected <= LARGEST:
            expected = (OverflowError, "an int of the compiled program does not fit into 64 bits: compute with floats, or leave the function to Python")
        assert given == expected, (function.__name__, each, given, expected)

# Where nothing can overflow, nothing is checked.
compiled = npcc.jit(linear_congruential, target="cpu")
compiled(1, 10)
assert "OverflowError" not in compiled.inspect("np")

# The error names the line.
try:
    npcc.jit(square, target="cpu")(2**40)
except OverflowError as error:
    line = square.__code__.co_firstlineno + 1
    place = traceback.extract_tb(error.__traceback__)[-1]
    assert (place.lineno, place.name) == (line, "compiled code"), place
else:
    raise AssertionError("no OverflowError")
