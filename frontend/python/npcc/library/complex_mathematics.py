"""Functions of Python's module cmath: NumPy's of complex numbers, with Python's errors."""

import cmath
import math

import numpy as np

from . import implements
from .mathematics import DOMAIN, RANGE


def _checked(number, result):
    """The result; OverflowError where it is none although the number is finite."""
    if np.isfinite(number) and not np.isfinite(result):
        raise OverflowError(RANGE)
    return complex(result)


def sin(z, /):
    number = complex(z)
    return _checked(number, np.sin(number))


def cos(z, /):
    number = complex(z)
    return _checked(number, np.cos(number))


def tan(z, /):
    number = complex(z)
    return _checked(number, np.tan(number))


def asin(z, /):
    return complex(np.arcsin(complex(z)))


def acos(z, /):
    return complex(np.arccos(complex(z)))


def _pole(number):
    """Where the logarithm of atan() and atanh() is of 0."""
    if number.real == 0 and abs(number.imag) == 1:
        raise ValueError(DOMAIN)


def atan(z, /):
    number = complex(z)
    _pole(number)
    return complex(np.arctan(number))


def sinh(z, /):
    number = complex(z)
    return _checked(number, np.sinh(number))


def cosh(z, /):
    number = complex(z)
    return _checked(number, np.cosh(number))


def tanh(z, /):
    number = complex(z)
    return _checked(number, np.tanh(number))


def asinh(z, /):
    return complex(np.arcsinh(complex(z)))


def acosh(z, /):
    return complex(np.arccosh(complex(z)))


def atanh(z, /):
    number = complex(z)
    _pole(1j * number)
    return complex(np.arctanh(number))


def exp(z, /):
    number = complex(z)
    return _checked(number, np.exp(number))


def log(z, base=None, /):
    number = complex(z)
    if number == 0:
        raise ValueError(DOMAIN)
    result = complex(np.log(number))
    return result if base is None else result / log(base)


def log10(z, /):
    number = complex(z)
    if number == 0:
        raise ValueError(DOMAIN)
    return complex(np.log10(number))


def sqrt(z, /):
    return complex(np.sqrt(complex(z)))


def phase(z, /):
    number = complex(z)
    return math.atan2(number.imag, number.real)


@implements(cmath.polar)
def polar(z, /):
    number = complex(z)
    return abs(number), phase(number)


@implements(cmath.rect)
def rect(r, phi, /):
    if phi == 0:
        return complex(r, r * phi)
    if math.isinf(phi) and not math.isnan(r) and r != 0:
        raise ValueError(DOMAIN)
    return complex(r * np.cos(phi), r * np.sin(phi))


def isnan(z, /):
    return bool(np.isnan(complex(z)))


def isinf(z, /):
    return bool(np.isinf(complex(z)))


def isfinite(z, /):
    return bool(np.isfinite(complex(z)))


@implements(cmath.isclose)
def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    left = complex(a)
    right = complex(b)
    if left == right:
        return True
    if np.isinf(left) or np.isinf(right):
        return False
    difference = abs(left - right)
    return difference <= rel_tol * abs(right) or difference <= rel_tol * abs(left) or difference <= abs_tol
