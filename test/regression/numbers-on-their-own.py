# RUN: %python %s
"""Dtypes and errors of numbers beside arrays: functions that NumPy has as ufuncs took Python's numbers for float64,
        lists took them for weak, and what a cast
gives of NaN and of what is too large differed."""

import math

import numpy as np

import npcc


def ufuncs(x):
    return (
        np.heaviside(x, 1),
        np.heaviside(x, 0.5),
        np.logaddexp(x, 1),
        np.logaddexp(1.5, x),
        np.deg2rad(x),
        np.float_power(x, 2),
        np.divmod(x, 2)[0],
        np.modf(x)[1],
    )


def joined(x):
    return (
        np.array([x, 1]),
        np.array([1.5, x]),
        np.polyval([1, 2], x),
        np.polyval([1.5, 2], x),
        np.sinc(x),
        np.angle(x),
        np.arange(x),
        np.arange(0, x),
    )


def alike(x):
    return (
        x.copy(),
        np.copy(x),
        np.asarray(x),
        np.ascontiguousarray(x),
        x.astype(np.int16),
        np.argsort(x),
        round(x),
        np.cumsum(x),
        x ** np.float64(2),
    )


def casts(x):
    return (
        x.astype(np.int8),
        x.astype(np.int16),
        x.astype(np.int32),
        x.astype(np.int64),
        x.astype(np.uint8),
        x.astype(np.uint16),
        x.astype(np.uint64),
    )


def powers(z):
    return z**0j, z ** (z * 0), z**2.5, np.vdot(z != 0, z != 0)


def beside_complex(z, x, a):
    return z + x, x + z, z == x, a ** np.float64(2), a ** 2, a ** np.float32(2)


def builtin(a):
    return sum(a), any(a), all(a), min(a), max(a)


def check(function, *arguments):
    with np.errstate(all="ignore"):
        want, given = function(*arguments), npcc.jit(function, target="cpu")(*arguments)
    for x, y in zip(want, given, strict=True):
        assert type(x) is type(y) and np.asarray(x).dtype == np.asarray(y).dtype and np.shape(x) == np.shape(y), (
            function.__name__,
            arguments,
            want,
            given,
        )
        np.testing.assert_allclose(y, x, 1e-3 if np.asarray(x).dtype == "f2" else 2e-6, 1e-12)


for x in (np.float32(3), np.float16(3), np.int8(3), np.uint8(3), np.bool_(True)):
    for function in (joined, alike):
        if x.dtype != bool or function is joined:
            check(function, x)
    if x.dtype != bool:
        check(ufuncs, x)
for dtype in ("f2", "f4", "f8"):
    with np.errstate(all="ignore"):
        check(
            casts,
            np.array(
                [0, -0.5, 1.5, -1.5, 300, -300, 7e4, 3e9, -3e9, 1e19, 2e19, -1e19, np.nan, np.inf, -np.inf], dtype
            ),
        )
check(powers, np.array([0, 1j, 2 + 1j, -3.0]))
check(beside_complex, 1j, np.float64(2), np.arange(3, dtype="f4"))
check(beside_complex, 1j, np.float64(2), np.arange(3, dtype="f2"))
check(beside_complex, 1j, np.float64(2), np.array([False, True]))
for a in (np.array([3, 1, 2], "i1"), np.array([1.0, np.nan, -2]), np.array([np.nan, 1]), np.array([True, False])):
    check(builtin, a)


def raises(words, function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        assert f"{type(error).__name__}: {error}" == words, error
    try:
        npcc.jit(function, target="cpu")(*arguments)
    except Exception as error:
        assert words in f"{type(error).__name__}: {error}", (words, error)
    else:
        raise AssertionError(function)


def below_nothing(x):
    with np.errstate(all="raise"):
        return 1 / x


def shown(x):
    assert x > 100, f"{x} {x:.2f} {x!r}"


for x in (np.float32(0.1), np.float16(0.1), 0.1, 3, np.uint8(7), np.complex64(0.1j).real):
    raises(f"AssertionError: {x} {x:.2f} {x!r}", shown, x)
raises("OverflowError: math range error", lambda x: math.exp(x), 1e4)
raises("ValueError: math domain error", lambda x: math.sin(x), math.inf)
raises("OverflowError: cannot convert float infinity to integer", lambda x: int(x), math.inf)
raises("OverflowError: (34, 'Numerical result out of range')", lambda x: x**2, 1e200)
raises(
    "ValueError: could not broadcast input array from shape (3,) into shape (2,)", lambda a: np.full(2, a), np.ones(3)
)
raises(
    "TypeError: Cannot cast array data from dtype('float64') to dtype('int8') according to the rule 'same_kind'",
    lambda a, b: np.copyto(a, b),
    np.ones(3, "i1"),
    np.ones(3),
)
try:
    npcc.jit(below_nothing, target="cpu")(np.zeros(2))
except npcc.CompileError as error:
    assert "numpy.errstate with anything but 'ignore' and 'warn'" in str(error)
else:
    raise AssertionError("errstate")
