"""Arithmetic of Python's own numbers, as CPython has it."""

import math

import numpy as np

from . import implements


@implements(complex.__pow__)
def complex_power(a, b):
    # Small whole powers are products, others come from polar coordinates.
    if b.imag == 0 and abs(b.real) <= 100 and b.real == np.floor(b.real):
        result = 1 + 0j
        square = a
        n = int(abs(b.real))
        while n > 0:
            if n % 2 == 1:
                result = result * square
            n = n // 2
            if n > 0:
                square = square * square
        if b.real <= 0:
            if result == 0:
                raise ZeroDivisionError("0.0 to a negative or complex power")
            result = 1 / result
    elif a == 0:
        if b.imag != 0 or b.real < 0:
            raise ZeroDivisionError("0.0 to a negative or complex power")
        result = 0j
    else:
        length = np.hypot(a.real, a.imag)
        angle = np.arctan2(a.imag, a.real)
        turn = angle * b.real
        size = np.power(length, b.real)
        if b.imag != 0:
            size = size / np.exp(angle * b.imag)
            turn = turn + b.imag * np.log(length)
        if np.isinf(turn):
            raise ZeroDivisionError("0.0 to a negative or complex power")
        result = complex(size * np.cos(turn), size * np.sin(turn))
    if np.isinf(result):
        raise OverflowError("complex exponentiation")
    return result


def _product(a, b, mod):
    """a * b % mod of 0 <= a, b < mod, where the product may need more than 64 bits: a sum of doubles of a."""
    total = 0
    while b > 0:
        if b % 2 == 1:
            total = total - (mod - a) if total >= mod - a else total + a
        a = a - (mod - a) if a >= mod - a else a + a
        b = b // 2
    return total


def _power_of_large_modulus(base, exp, mod):
    """pow(base, exp, mod) of a modulus whose square does not fit into 64 bits."""
    size = abs(mod)
    factor = base % size
    rest = exp
    if exp < 0:
        factor = _inverse(factor, size)
        rest = -exp
    result = 1
    while rest > 0:
        if rest % 2 == 1:
            result = _product(result, factor, size)
        factor = _product(factor, factor, size)
        rest = rest // 2
    return result + mod if mod < 0 and result > 0 else result


def modular_power(base, exp, mod):
    """pow(base, exp, mod) of ints."""
    if mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if mod > 3037000499 or mod < -3037000499:
        return _power_of_large_modulus(base, exp, mod)
    factor = base % mod
    rest = exp
    if exp < 0:
        factor = _inverse(factor, mod)
        rest = -exp
    result = 1 % mod
    while rest > 0:
        if rest % 2 == 1:
            result = result * factor % mod
        factor = factor * factor % mod
        rest = rest // 2
    return result


def _inverse(number, mod):
    """The number whose product with this one leaves 1."""
    old, new = number, mod
    factor, following = 1, 0
    while new != 0:
        quotient = old // new
        old, new = new, old - quotient * new
        factor, following = following, factor - quotient * following
    if old != 1 and old != -1:
        raise ValueError("base is not invertible for the given modulus")
    return factor * old % mod


def bit_length(number):
    rest = abs(int(number))
    length = 0
    while rest > 0:
        rest = rest // 2
        length += 1
    return length


def bit_count(number):
    rest = abs(int(number))
    count = 0
    while rest > 0:
        count += rest % 2
        rest = rest // 2
    return count


def rounded(number, ndigits):
    """round(number, ndigits) of an int or a float: the nearest decimal number of so many digits, of two the even one,
    as the nearest float. Decided on the float's exact value, as CPython does."""
    if isinstance(number, float):
        return _rounded_float(number, ndigits)
    value = int(number)
    if ndigits >= 0:
        return value
    if ndigits < -18:
        return 0
    unit = 10**-ndigits
    lower = value // unit
    rest = value - lower * unit
    if rest > unit - rest or (rest == unit - rest and lower % 2 == 1):
        lower += 1
    return lower * unit


# Powers of ten up to this one are floats; the errors of products with those above the second overflow.
MOST_EXACT = 22
LARGEST_POWER = 297


def _rounded_float(number, ndigits):
    size = abs(number)
    # Only numbers below 1e-280 have digits there: they stay as they are.
    if ndigits > LARGEST_POWER or not math.isfinite(number):
        return number
    if ndigits < -308:
        return 0.0 * number
    unit, rest = _power_of_ten(abs(ndigits))
    if ndigits >= 0:
        scaled = size * unit
        error = size * rest + _product_error(size, unit, scaled) if scaled < TOO_LARGE else 0.0
    else:
        scaled = size / unit
        product = scaled * unit
        error = (size - product - _product_error(scaled, unit, product) - scaled * rest) / unit if size < LARGEST else 0.0
    if scaled >= TOO_LARGE:
        return number  # its digits end before
    nearest = _nearest(scaled, error)
    if ndigits >= 0:
        result = nearest / unit
        if rest != 0.0:
            product = result * unit
            result += (nearest - product - _product_error(result, unit, product) - result * rest) / unit
    else:
        result = nearest * unit
        if rest != 0.0:
            result += _product_error(nearest, unit, result) + nearest * rest
    if math.isinf(result):
        raise OverflowError("rounded value too large to represent")
    return math.copysign(result, number)


# Floats from here on are whole numbers; the products of those above LARGEST cannot be taken apart.
TOO_LARGE = 2.0**53
LARGEST = 2.0**990


def _power_of_ten(exponent):
    """10**exponent as the sum of two floats."""
    if exponent <= MOST_EXACT:
        return 10.0**exponent, 0.0
    high = 1e22
    low = 0.0
    for k in range(exponent - MOST_EXACT):
        product = high * 10.0
        low = low * 10.0 + _product_error(high, 10.0, product) if product < LARGEST else 0.0
        high = product + low
        low = low - (high - product)
    return high, low


def _nearest(scaled, error):
    """The whole number nearest to scaled + error, which is exact; of two the even one."""
    lower = math.floor(scaled) + 0.0
    above = (scaled - lower - 0.5) + error
    if above > 0.0 or (above == 0.0 and lower % 2.0 == 1.0):
        return lower + 1.0
    return lower


def _parts(number):
    """Two floats of half the digits, whose sum it is."""
    large = number * 134217729.0
    high = large - (large - number)
    return high, number - high


def _product_error(a, b, product):
    """What is missing to the product of two floats, exactly (Dekker's), where nothing of it overflows."""
    a_high, a_low = _parts(a)
    b_high, b_low = _parts(b)
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
