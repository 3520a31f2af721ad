# RUN: %python %s
"""How many bytes an array needs was computed in 64 bits, whatever came out: an array of 2^61 float64 numbers had no memory, and stores ended the process."""
import numpy as np

import npcc


def zeros(n):
    return np.zeros(n)


def ones(n):
    return np.ones(n, np.float32)


def counted(n):
    return np.arange(n)


def computed(n):
    return np.full(n, 1j) * 2


def drawn(n):
    return np.random.default_rng(1).random(n)


def transformed(n):
    return np.fft.fft(np.ones(3), n)


def with_an_axis_of_none(n):
    return np.zeros((n, 8, 0))


def rows(n):
    return np.zeros((n, n, 2))


def outcome(function, n):
    try:
        return function(n).shape
    except (ValueError, MemoryError) as error:
        return type(error).__name__.lstrip("_").removeprefix("Array"), str(error).startswith("array is too big")


for function in zeros, ones, counted, computed, drawn, transformed, with_an_axis_of_none, rows:
    for n in (2**61, 2**62):
        expected, given = outcome(function, n), outcome(npcc.jit(function, target="cpu"), n)
        assert expected == given, (function.__name__, n, expected, given)
