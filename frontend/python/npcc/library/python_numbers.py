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


def modular_power(base, exp, mod):
    """pow(base, exp, mod) of ints."""
    if mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if mod > 3037000499 or mod < -3037000499:
        raise OverflowError("the square of the modulus must fit into 64 bits in compiled code")
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
