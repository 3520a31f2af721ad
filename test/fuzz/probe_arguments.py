"""The arguments of probes: forms, dtypes, and the values that tell conversions apart."""

from __future__ import annotations

import math
import random

import numpy as np

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
PYTHON = ["bool", "int", "float", "complex"]


SPECIAL_FLOATS = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 3.0, 0.1, 100.0, 1e4, math.nan, math.inf, -math.inf]


def specials(dtype):
    """Values that tell conversions apart."""
    if dtype in ("?", "bool"):
        return [False, True]
    if dtype == "int":
        return [0, 1, -1, 2, 3, -3, 7, 63, 64, 100, 300, -300, 2**31, 2**53 + 1, 2**62, -(2**63), 2**63 - 1]
    if dtype == "float":
        return SPECIAL_FLOATS + [0.5, 1e39, -1e300, 5e-324, 2**31 + 0.5]
    if dtype == "complex":
        return [0j, 1 + 0j, 1j, -1 + 2j, complex(2.5, -0.0), complex(math.nan, 1), complex(math.inf, 1)]
    kind = np.dtype(dtype)
    if kind.kind in "iu":
        info = np.iinfo(kind)
        return [
            v
            for v in (0, 1, 2, 3, -1, -3, 7, 8, 31, 100, info.max, info.max - 1, info.min, info.min + 1)
            if info.min <= v <= info.max
        ]
    if kind.kind == "f":
        info = np.finfo(kind)
        return (
            SPECIAL_FLOATS
            + [float(info.max), float(info.tiny), float(info.smallest_subnormal)]
            + ([2.0**31, -(2.0**63), 1e19] if dtype != "f2" else [])
        )
    return [0j, 1 + 0j, 1j, -1 + 2j, complex(-0.0, 0.0), complex(2.5, -1.5), complex(-3, 0.5), complex(0.1, 100)]


MOST_PAIRS = 40  # of two scalars: as many of all pairs, drawn


def value(form, dtype, number):
    """`form`: A0 A1 A2 an array of that many axes, S a NumPy scalar, P a Python scalar."""
    if form == "P":
        return number
    scalar = np.dtype(dtype).type(number)
    return np.array(scalar) if form == "A0" else scalar


def arguments(forms):
    """Tuples of arguments for [(form, dtype)]: all specials meet all."""
    columns = [specials(dtype) for _, dtype in forms]
    if any(form == "A1" for form, _ in forms):
        shared = [k for k, (form, _) in enumerate(forms) if form == "A1"]
        if len(shared) == 2:
            left, right = columns
            yield np.repeat(np.array(left, forms[0][1]), len(right)), np.tile(np.array(right, forms[1][1]), len(left))
            short = [[v for v in c if v == v][1:3] for c in columns]
            yield np.array(short[0] or left[:2], forms[0][1]), np.array(short[1] or right[:2], forms[1][1])
            return
        array = [np.array(c, d) for c, (_, d) in zip(columns, forms)]
        if len(forms) == 1:
            yield array[0],
            return
        other = 1 - shared[0]
        for number in columns[other]:
            pair = [array[shared[0]], value(*forms[other], number)]
            yield tuple(pair if shared[0] == 0 else pair[::-1])
        return
    if forms[0][0] == "A2":
        line = columns[0]
        yield np.array([line, line[::-1]], forms[0][1]),
        return
    if len(forms) == 1:
        for number in columns[0]:
            yield value(*forms[0], number),
        return
    pairs = [(a, b) for a in columns[0] for b in columns[1]]
    if len(pairs) > MOST_PAIRS:
        pairs = random.Random(str(forms)).sample(pairs, MOST_PAIRS)
    for a, b in pairs:
        yield value(*forms[0], a), value(*forms[1], b)
