"""How errors of sums, products, dots and cumulative sums grow with length: relative errors in units of the dtype's epsilon."""
from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

LENGTHS = [10, 1_000, 100_000]
REDUCTIONS = ["sum", "mean", "prod", "dot", "cumsum", "var"]


def data(reduction, dtype, length, seed):
    random = np.random.default_rng(seed)
    if reduction == "prod":
        # Not by np.exp, whose last bit differs with the processor's vector instructions: these are the same numbers everywhere.
        return np.array([math.exp(v) for v in random.normal(0, 1 / math.sqrt(length), length)]).astype(dtype)
    return random.uniform(0, 1, length).astype(dtype)


def exact(reduction, x, y):
    """The exact result of the rounded inputs, as a float64 that is right to half a unit."""
    wide = [Fraction(float(v)) for v in x] if reduction in ("prod", "var") and len(x) <= 1000 else None
    if reduction in ("sum", "cumsum"):
        return math.fsum(map(float, x))
    if reduction == "mean":
        return math.fsum(map(float, x)) / len(x)
    if reduction == "dot":
        if x.dtype == np.float32:  # products of two floats of 24 bits are exact in 53
            return math.fsum(x.astype(float) * y.astype(float))
        return _long_dot(x, y)
    if wide is None:
        import mpmath
        mpmath.mp.prec = 200
        if reduction == "prod":
            return float(mpmath.fprod(map(float, x)))
        mean = mpmath.fsum(map(float, x)) / len(x)
        return float(mpmath.fsum((mpmath.mpf(float(v)) - mean) ** 2 for v in x) / len(x))
    if reduction == "prod":
        return float(math.prod(wide))
    mean = sum(wide) / len(wide)
    return float(sum((v - mean) ** 2 for v in wide) / len(wide))


def _long_dot(x, y):
    import mpmath
    mpmath.mp.prec = 200
    return float(mpmath.fdot(map(float, x), map(float, y)))


def rows(apply, seeds=3, lengths=LENGTHS, reductions=REDUCTIONS):
    """Rows {reduction, dtype, length, error, numpy}: the worst of some seeds. The bound is NumPy's own error beside it."""
    for reduction in reductions:
        for dtype in ("float32", "float64"):
            for length in lengths:
                ours, theirs, refused = [], [], None
                for seed in range(seeds):
                    x, y = data(reduction, dtype, length, seed), data("dot", dtype, length, seed + 100)
                    arrays = [x, y] if reduction == "dot" else [x]
                    right = exact(reduction, x, y)
                    eps = float(np.finfo(dtype).eps)
                    theirs.append(abs(_last(getattr(np, reduction)(*arrays)) - right) / (abs(right) * eps))
                    try:
                        ours.append(abs(_last(apply(reduction, arrays)) - right) / (abs(right) * eps))
                    except Exception as error:
                        refused = f"{type(error).__name__}: {str(error).splitlines()[0][:100] if str(error) else ''}"
                row = {"reduction": reduction, "dtype": dtype, "length": length, "numpy": max(theirs)}
                yield dict(row, unsupported=refused) if refused else dict(row, error=max(ours))


def _last(value):
    return float(np.asarray(value).ravel()[-1])
