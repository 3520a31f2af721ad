# RUN: %python %s
# Python's integers wrapped around at 64 bits without a word. What fits is computed by compiled code. Where something does not fit, Python makes the call
# again, if nobody sees that it was made before; otherwise that is an OverflowError at its line.

import contextlib
import io
import math
import statistics
import traceback

import numpy as np

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
        assert given == expected, (function.__name__, each, given, expected)

# Where nothing can overflow, nothing is checked.
compiled = npcc.jit(linear_congruential, target="cpu")
compiled(1, 10)
assert "OverflowError" not in compiled.inspect("np")

WORDS = "an int of the compiled program does not fit into 64 bits: compute with floats, or leave the function to Python"


def square_and_store(n, a):
    a[0] = 1
    return n * n


def square_and_print(n):
    print("once")
    return n * n


def square_and_draw(n, generator):
    return n * n * generator.random()


def largest(xs, n):
    """No list is written back to before the call ends, and no clause takes an error that Python would not raise."""
    xs.append(n)
    try:
        return max([x ** 5 for x in xs])
    except OverflowError:
        return -1


# What others see is done once, so this is an error, which names the line.
array = np.zeros(1)
for function, arguments in ((square_and_store, (array,)), (square_and_print, ()), (square_and_draw, (np.random.default_rng(1),))):
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            npcc.jit(function, target="cpu")(2**40, *arguments)
    except OverflowError as error:
        line = function.__code__.co_firstlineno + (1 if function is square_and_draw else 2)
        place = traceback.extract_tb(error.__traceback__)[-1]
        assert (place.lineno, place.name, str(error)) == (line, "compiled code", WORDS), (place, error)
    else:
        raise AssertionError("no OverflowError")
    assert output.getvalue() == ("once\n" if function is square_and_print else "")
assert array[0] == 1

numbers = [3, 2**40]
assert npcc.jit(largest, target="cpu")(numbers, 7) == 2**200 and numbers == [3, 2**40, 7]


def known():
    return 2**100


def read(text, n):
    return int(text * n)


def exactly(n):
    """2**53 + 1 is no float64, and was rounded where it met one."""
    return max(n, 1.5)


assert npcc.jit(known, target="cpu")() == 2**100
assert npcc.jit(read, target="cpu")("12", 20) == int("12" * 20)
assert npcc.jit(exactly, target="cpu")(2**53 + 1) == 2**53 + 1


def describe(numbers):
    return statistics.mean(numbers), statistics.variance(numbers)


for numbers in ([2**62, 2**62, 2**62], [3, 0, 3], [1, 2]):
    assert repr(npcc.jit(describe, target="cpu")(numbers)) == repr(describe(numbers)), numbers
