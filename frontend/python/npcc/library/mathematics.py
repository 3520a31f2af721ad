"""Functions of Python's module math that are computed step by step. Python's ints are of 64 bits here: what does not fit is an OverflowError."""

import math

import numpy as np

from . import implements

DOMAIN = "math domain error"
RANGE = "math range error"
# What these compute are Python's ints: where they do not fit into 64 bits, that is an error.
PYTHONS_INTS = ("lcm", "factorial", "perm", "comb", "prod")


def _whole(number):
    """A Python int, with Python's error for what is none."""
    if not isinstance(number, (int, np.integer)):
        raise TypeError(f"'{type(number).__name__}' object cannot be interpreted as an integer")
    return int(number)


def _divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@implements(math.gcd)
def gcd(*integers):
    result = 0
    for one in integers:
        result = _divisor(abs(_whole(one)), result)
    return result


@implements(math.lcm)
def lcm(*integers):
    result = 1
    for one in integers:
        number = abs(_whole(one))
        if number == 0 or result == 0:
            result = 0
        else:
            result = result // _divisor(result, number) * number
    return result


@implements(math.factorial)
def factorial(x, /):
    n = _whole(x)
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    result = 1
    for k in range(2, n + 1):
        result = result * k
    return result


def _counts(n, k):
    """Of how many things how many are taken."""
    n = _whole(n)
    k = _whole(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    return n, k


@implements(math.perm)
def perm(n, k=None, /):
    if k is None:
        return factorial(n)
    n, k = _counts(n, k)
    result = 1
    if k > n:
        result = 0
    else:
        for i in range(k):
            result = result * (n - i)
    return result


@implements(math.comb)
def comb(n, k, /):
    n, k = _counts(n, k)
    result = 1
    if k > n:
        result = 0
    else:
        for i in range(min(k, n - k)):  # each step ends in a whole number, and is divided before it is multiplied
            common = _divisor(result, i + 1)
            result = result // common * ((n - i) // ((i + 1) // common))
    return result


@implements(math.isqrt)
def isqrt(n, /):
    n = _whole(n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = min(int(math.sqrt(n)), 3037000499)  # the largest root of 64 bits
    while root * root > n:
        root = root - 1
    while n - root * root > 2 * root:
        root = root + 1
    return root


@implements(math.prod)
def prod(iterable, /, *, start=1):
    result = start
    for item in iterable:
        result = result * item
    return result


@implements(math.fsum)
def fsum(seq, /):
    # Partial sums that do not overlap, the least first: of all floats there are fewer than 64.
    parts = np.zeros(64)
    count = 0
    for item in seq:
        x = float(item)
        kept = 0
        for k in range(count):
            y = float(parts[k])
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                parts[kept] = low
                kept = kept + 1
            x = high
        parts[kept] = x
        count = kept + 1
    return _rounded(parts, count)


def _rounded(parts, count):
    """The sum of parts, rounded once: half to even is decided by the part behind."""
    total = 0.0
    rest = 0.0
    n = count
    while n > 0 and rest == 0.0:
        n = n - 1
        x = total
        y = float(parts[n])
        total = x + y
        rest = y - (total - x)
    if n > 0 and ((rest < 0.0 and parts[n - 1] < 0.0) or (rest > 0.0 and parts[n - 1] > 0.0)):
        twice = rest * 2.0
        moved = total + twice
        if twice == moved - total:
            total = moved
    return total


@implements(math.dist)
def dist(p, q, /):
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return vector_norm([float(a) - float(b) for a, b in zip(p, q)])


def _parts(x):
    """A number in two parts, whose products have no rounding error."""
    t = x * 134217729.0  # 2**27 + 1
    high = t - (t - x)
    return high, x - high


def vector_norm(numbers):
    """The length of a vector as CPython computes it: squares are added with their rounding errors, and the root is corrected by what its square
    misses, so that nearly all results are the nearest number."""
    largest = 0.0
    any_infinite = False
    for x in numbers:
        largest = np.maximum(largest, abs(x))
        any_infinite = any_infinite or np.isinf(x)
    if any_infinite:
        return math.inf
    if largest == 0.0 or np.isnan(largest):
        return float(largest)
    exponent = np.frexp(largest)[1]
    down, up = (1.0, 1.0) if abs(exponent) < 400 else (2.0**700, 2.0**-700) if exponent < 0 else (2.0**-700, 2.0**700)
    total = error = 0.0
    for x in numbers:
        high, low = _parts(x * down)
        for square in (high * high, 2.0 * high * low):
            longer = total + square
            error += (total - longer) + square if total >= square else (square - longer) + total
            total = longer
        error += low * low
    root = np.sqrt(total + error)
    high, low = _parts(root)
    rest = (((total - high * high) - 2.0 * high * low) + error) - low * low
    return float((root + rest / (2.0 * root)) * up)


@implements(math.isclose)
def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    a = float(a)
    b = float(b)
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    distance = abs(b - a)
    is_near = distance <= abs(rel_tol * b) or distance <= abs(rel_tol * a) or distance <= abs_tol
    return a == b or (is_near and not math.isinf(a) and not math.isinf(b))


@implements(math.modf)
def modf(x, /):
    x = float(x)
    whole = float(np.trunc(x))
    rest = 0.0 if math.isinf(x) else x - whole
    return float(np.copysign(rest, x)), whole


@implements(math.frexp)
def frexp(x, /):
    mantissa, exponent = np.frexp(np.float64(x))
    return float(mantissa), int(exponent)


@implements(math.ldexp)
def ldexp(x, i, /):
    x = float(x)
    result = float(np.ldexp(np.float64(x), np.int64(_whole(i))))
    if math.isinf(result) and not math.isinf(x):
        raise OverflowError(RANGE)
    return result


@implements(math.nextafter)
def nextafter(x, y, /):
    return float(np.nextafter(np.float64(x), np.float64(y)))


@implements(math.ulp)
def ulp(x, /):
    x = abs(float(x))
    result = x
    if not math.isnan(x) and not math.isinf(x):
        above = float(np.nextafter(np.float64(x), np.float64(np.inf)))
        result = above - x
        if math.isinf(above):
            result = x - float(np.nextafter(np.float64(x), np.float64(0.0)))
    return result


@implements(math.remainder)
def remainder(x, y, /):
    x = float(x)
    y = float(y)
    if (math.isinf(x) or y == 0.0) and not math.isnan(x) and not math.isnan(y):
        raise ValueError(DOMAIN)
    a = abs(x)
    b = abs(y)
    result = x
    if math.isnan(x) or math.isnan(y):
        result = x + y
    elif not math.isinf(b):
        m = float(np.fmod(a, b))
        c = b - m
        if m > c:
            m = -c
        elif m == c:  # half way: to the even multiple
            m = m - 2.0 * float(np.fmod(0.5 * (a - m), b))
        result = float(np.copysign(1.0, x)) * m
    return result


# Lanczos' approximation of the gamma function, as a quotient of two polynomials, the constant terms first.
_SHIFT = 6.024680040776729583740234375
_ABOVE = (
    23531376880.41075968857200767445163675473076, 42919803642.64909876895789904700198885093263, 35711959237.35566804944018545154716670596048,
    17921034426.03720969991975575445893111267140, 6039542586.352028005064291644307297921069938, 1439720407.311721673663223072794912393971549,
    248874557.8620541565114603864132294232163212, 31426415.58540019438061423162831820536287469, 2876370.628935372441225409051620849613599114,
    186056.2653952234950402949897160456992822078, 8071.672002365816210638002902272250613821852, 210.8242777515793458725097339207133627116697,
    2.506628274631000270164908177133837338626431,
)
_BELOW = (0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0, 2637558.0, 357423.0, 32670.0, 1925.0, 66.0, 1.0)


def _quotient(x):
    """The two polynomials at x > 0; of large numbers they are taken in 1 / x, which does not overflow."""
    above = 0.0
    below = 0.0
    if x < 5.0:
        for k in tuple(range(12, -1, -1)):
            above = above * x + _ABOVE[k]
            below = below * x + _BELOW[k]
    else:
        for k in tuple(range(13)):
            above = above / x + _ABOVE[k]
            below = below / x + _BELOW[k]
    return above / below


def _sine_of_pi(x):
    """sin(pi x), by the nearest half."""
    y = float(np.fmod(abs(x), 2.0))
    half = round(2.0 * y)
    if half == 0 or half == 4:
        result = math.sin(math.pi * (y - 0.5 * half))
    elif half == 1:
        result = math.cos(math.pi * (y - 0.5))
    elif half == 2:
        result = math.sin(math.pi * (1.0 - y))
    else:
        result = -math.cos(math.pi * (y - 1.5))
    return float(np.copysign(1.0, x)) * result


def _gamma_of_finite(x):
    size = abs(x)
    if size < 1e-20:
        result = float(np.divide(1.0, x))
    elif size > 200.0:
        result = float(np.inf) if x > 0.0 else 0.0 / _sine_of_pi(x)
    else:
        y = size + _SHIFT - 0.5
        if size > _SHIFT - 0.5:
            lost = y - size
            lost = lost - (_SHIFT - 0.5)
        else:
            lost = y - (_SHIFT - 0.5)
            lost = lost - size
        lost = lost * _SHIFT / y
        if x < 0.0:
            result = -math.pi / _sine_of_pi(size) / size * float(np.exp(y)) / _quotient(size)
            result = result - lost * result
            root = float(np.power(y, size / 2.0 - 0.25))
            result = result / root / root
        else:
            result = _quotient(size) / float(np.exp(y))
            result = result + lost * result
            root = float(np.power(y, size / 2.0 - 0.25))
            result = result * root * root
    return result


@implements(math.gamma)
def gamma(x, /):
    x = float(x)
    result = x
    if math.isinf(x):
        if x < 0.0:
            raise ValueError(DOMAIN)
    elif not math.isnan(x):
        if x <= 0.0 and x == float(np.floor(x)):
            raise ValueError(DOMAIN)
        result = _gamma_of_finite(x)
        if math.isinf(result):
            raise OverflowError(RANGE)
    return result


@implements(math.lgamma)
def lgamma(x, /):
    x = float(x)
    result = x
    if math.isinf(x):
        result = float(np.inf)
    elif not math.isnan(x):
        size = abs(x)
        if x == float(np.floor(x)) and x <= 2.0:
            if x <= 0.0:
                raise ValueError(DOMAIN)
            result = 0.0
        elif size < 1e-20:
            result = -math.log(size)
        else:
            result = math.log(_quotient(size)) - _SHIFT
            result = result + (size - 0.5) * (math.log(size + _SHIFT - 0.5) - 1.0)
            if x < 0.0:
                result = math.log(math.pi) - math.log(abs(_sine_of_pi(size))) - math.log(size) - result
        if math.isinf(result):
            raise OverflowError(RANGE)
    return result
