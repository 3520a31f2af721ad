# RUN: %python %s
"""The method conj() gives a bool back as it is, where the function makes int8 of it."""

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


for x in (np.bool_(True), np.int8(3), np.float32(2), np.complex64(1j), np.array([True]), np.array(True)):
    same(lambda x: x.conj(), x)
    same(lambda x: x.conjugate(), x)
    same(lambda x: np.conj(x), x)
