# RUN: %python %s
"""Small whole powers of complex numbers are products in NumPy's order, which decides what becomes of infinities;
Python's own complex powers are CPython's, with its errors. Infinite directions have a sign."""

import functools

import numpy as np

import npcc

compiled = functools.cache(functools.partial(npcc.jit, target="cpu"))  # once for each function


def same(function, *arguments):
    """The compiled function gives what Python gives: value, dtype, kind, sign of zero, or error with its words."""
    with np.errstate(all="ignore"):
        want = outcome(function, arguments)
        got = outcome(compiled(function), arguments)
    assert want == got, (function.__name__, arguments, want, got)


def outcome(function, arguments):
    try:
        value = function(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
    except npcc.CompileError as error:  # "TypeError: its words"
        return tuple(error.msg.splitlines()[0].split(": ", 1))
    except Exception as error:
        return type(error).__name__.lstrip("_"), str(error)
    return type(value).__name__, str(np.asarray(value).dtype), np.shape(value), repr(value)


def ufunc(z, n):
    return np.power(z, n)


def operator(z, n):
    return z**n


for n in (-5, -2, -1, 0, 1, 2, 3, 7, 100):
    for z in (np.array([complex(np.inf, 1), 0, 1j, complex(2, -0.0), complex(1, np.nan)]), np.complex128(complex(-np.inf, 0))):
        for exponent in (n, np.float64(n), complex(n)):
            same(ufunc, z, exponent)
            same(operator, z, exponent)
for z in (0j, 1j, complex(np.inf, 1), complex(1, np.inf), 3 + 4j, complex(np.nan, 1)):
    for exponent in (-2 + 0j, 0j, 3 + 0j, 100 + 0j, 101 + 0j, 1000 + 0j, 0.5 + 1j, complex(np.inf, 0)):
        same(operator, z, exponent)
same(lambda z: np.sign(z), np.array([complex(np.inf, 1), complex(1, -np.inf), complex(np.inf, np.inf), complex(np.nan, np.inf)]))
same(lambda z: z**-1, np.array([complex(-np.inf, 0), 0, 2j]))
