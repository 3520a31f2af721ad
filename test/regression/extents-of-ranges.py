# RUN: %python %s
"""arange() computes its extent with the numbers' own arithmetic: unsigned differences wrap, small ones overflow, bools
have none, and a Python number that does not fit is too large."""

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


def between(x, y):
    return np.arange(x, y)


def stepped(x, y, step):
    return np.arange(x, y, step)


for x, y in (
    (np.uint8(5), np.uint8(3)),
    (np.int8(100), np.int8(-100)),
    (np.int8(-128), np.int8(127)),
    (np.uint8(1), np.int8(3)),
    (300, np.int8(3)),
    (-1, np.uint8(3)),
    (64, np.array(-127, "i1")),
    (np.bool_(False), np.bool_(True)),
    (False, True),
    (np.uint64(3), np.uint64(1)),
    (np.float32(-1), np.float16(6e-8)),
    (0.5, 3),
    (np.nan, 1.0),
    (0.0, 1e30),
):
    same(between, x, y)
for step in (0, 0.0, np.int8(0), np.float32(0), np.inf, -np.inf, 2, np.int8(2), -1):
    for x, y in ((0, 3), (0.0, 3.0), (np.int8(0), np.int8(3)), (3, 3)):
        same(stepped, x, y, step)
