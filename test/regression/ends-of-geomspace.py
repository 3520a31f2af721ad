# RUN: %python %s
"""geomspace() has at least float64, complex ends as they are given, and arrays of them; vander() multiplies in the
dtype that its numbers have with int64."""

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


def spaced(x, y):
    return np.geomspace(x, y, 3)


def close(function, *arguments):
    with np.errstate(all="ignore"):
        want, got = function(*arguments), npcc.jit(function, target="cpu")(*arguments)
    assert want.dtype == got.dtype and want.shape == got.shape, (arguments, want, got)
    np.testing.assert_allclose(got, want, 1e-14)


for x, y in (
    (np.float16(1), np.float32(4)),
    (1j, np.bool_(True)),
    (-1 + 2j, np.complex64(4)),
    (np.array([1, 2], "i1"), np.array([4, 8], "u2")),
    (-1.0, -100.0),
    (np.float32(np.inf), 1j),
):
    close(spaced, x, y)
same(spaced, 0, 1)
for dtype in ("?", "i1", "u8", "f2", "f4", "c8"):
    a = np.array([0, 1, 1] if dtype == "?" else [1, 2, 3], dtype)
    close(lambda a: np.vander(a), a)
    close(lambda a: np.vander(a, 2, increasing=True), a)
