# RUN: %python %s
"""nan_to_num() replaces as numpy.copyto() does: arrays of one number for each, and its errors of what cannot be cast."""

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


def replaced(x, nan):
    return np.nan_to_num(x, nan=nan)


numbers = np.array([np.nan, 1, np.inf])
for x in (numbers, numbers.astype("f4"), numbers + 1j, numbers[0], np.array([1, 2, 3])):
    for nan in (1.5, True, 1j, np.float32(0.1), np.complex64(1j), np.bool_(True), np.arange(3.0), np.array([1.0])):
        same(replaced, x, nan)


def in_place(x):
    np.nan_to_num(x, copy=False)
    return x


same(in_place, numbers)
