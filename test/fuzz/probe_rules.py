"""By which rules a row's results are compared where NumPy itself leaves something open: see probe_table.py.

Each rule takes the row, its arguments, and two results that differ in value, and answers whether the row leaves this
difference open.
"""

from __future__ import annotations

import numpy as np

from .outcome import leaves

NOISE = 8  # units in the last place, as in compare.py


def open_zeros(row):
    """Whether the sign of a zero says nothing."""
    return any(rule in row.rules for rule in ("zeros", "sums"))


def is_open(row, arguments, want, got):
    if "rounded" in row.rules:
        return rounded(row, arguments, want, got)
    if not pairs(want, got):
        return False
    for name, rule in (("ties", ties), ("casts", casts), ("sums", sums), ("divides", divides), ("powers", powers), ("scales", powers)):
        if name in row.rules:
            return rule(row, arguments, want, got)
    return False


def pairs(want, got):
    """The arrays of two results; nothing where they are not alike in dtype and shape."""
    ours = [(np.asarray(a), np.asarray(b)) for (_, a), (_, b) in zip(leaves(want), leaves(got))]
    return ours if all(a.dtype == b.dtype and a.shape == b.shape for a, b in ours) else []


def quotient(above, below, divisor):
    """What bounds the terms of a quotient of two sums: the divisor may cancel."""
    return above / abs(divisor) * (1 + below / abs(divisor))


def sizes(polynomial):
    """The magnitudes of the coefficients, without the zeros of the highest powers."""
    return np.abs(np.poly1d(np.asarray(polynomial).astype(complex)).coeffs)


def evaluate(text, arguments, given=()):
    """The value of an expression of the table; `given` are the arguments whose magnitudes x and y are."""
    names = {"np": np, "quotient": quotient, "sizes": sizes, "given": given, **dict(zip("xy", arguments))}
    with np.errstate(all="ignore"):
        return eval(text, names)  # the table's own text


def ties(row, arguments, want, got):
    """Positions of the same elements, each once."""
    x = np.asarray(arguments[0])
    for a, b in pairs(want, got):
        if np.any(np.sort(a, axis=-1) != np.sort(b, axis=-1)):
            return False
        at, instead = np.take_along_axis(x, a, -1), np.take_along_axis(x, b, -1)
        if not np.array_equal(at, instead, equal_nan=x.dtype.kind in "fc"):
            return False
    return True


def casts(row, arguments, want, got):
    """Where a float is none of uint32's numbers NumPy gives 2**31 in vectors and 0 alone."""
    floats = [np.asarray(a).real for a in arguments if np.asarray(a).dtype.kind in "fc"]
    with np.errstate(all="ignore"):
        isBeyond = any(np.any(~((a > -1) & (a < 2**32))) for a in floats)
    return isBeyond and all(
        a.dtype == np.uint32 and np.all((a == b) | ((a == 2**31) & (b == 0))) for a, b in pairs(want, got)
    )


def rounded(row, arguments, want, got):
    """Printed numbers that are as near as numbers must be."""
    try:
        a, b = complex(want[0].strip()), complex(got[0].strip())
    except ValueError:
        return False
    return abs(a - b) <= NOISE * float(np.finfo(float).eps) * abs(a)


def within(a, b, allowed):
    """Equal, or as near as allowed; where `allowed` is NaN nothing is known."""
    with np.errstate(all="ignore"):
        near = np.abs(a.astype(complex) - b.astype(complex)) <= allowed
        return bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b)) | np.isnan(allowed)))


def sums(row, arguments, want, got):
    """Within the rounding of as many terms as there are elements. Infinities and NaN among the terms, or what the
    dtype does not hold on the way, may meet in another order (and BLAS leaves out what is multiplied by zero)."""
    # Nothing is zero, so that BLAS leaves nothing out here.
    sizes = [np.abs(np.asarray(a).astype(complex)) + np.finfo(float).tiny for a in arguments]
    whole = np.asarray(evaluate(row.rules["sums"] or row, sizes, arguments))
    count = max(np.size(a) for a in arguments)
    for a, b in pairs(want, got):
        if a.dtype.kind not in "fc" or whole.shape != a.shape:
            return False
        info = np.finfo(a.dtype)
        bound = np.where(whole <= float(info.max), NOISE * count * float(info.eps) * whole, np.nan)
        if not within(a, b, bound):
            return False
    return True


def divides(row, arguments, want, got):
    """Whether the quotient and the remainder of both results give the dividend again, within the rounding of their terms."""
    dividend, divisor = (np.atleast_1d(a).astype(complex) for a in arguments)
    for quotient_, rest in (want, got):
        product = np.convolve(quotient_, divisor) if dividend.size >= divisor.size else np.zeros(dividend.size)
        terms = np.convolve(np.abs(quotient_), np.abs(divisor)) if dividend.size >= divisor.size else np.zeros(dividend.size)
        difference = dividend - product
        difference[dividend.size - rest.size:] -= rest
        eps = float(np.finfo(rest.dtype).eps)
        # What is below 1e-8 is left out of the remainder.
        bound = NOISE * dividend.size * eps * (terms + np.abs(dividend)) + np.where(np.arange(dividend.size) < dividend.size - rest.size, 1e-8, 0)
        if not (np.all(np.isfinite(rest)) and np.all(np.isfinite(quotient_)) and np.all(np.abs(difference) <= bound)):
            return False
    return True


def powers(row, arguments, want, got):
    """The logarithm's error, times the exponent, is the result's relative one. Where it leaves no digit, nothing is
    known."""
    base, exponent = (evaluate(text, arguments) for text in operands(row))
    with np.errstate(all="ignore"):
        logarithm = np.abs(np.log(np.asarray(base).astype(complex)))
        turns = np.abs(np.asarray(exponent).astype(complex)) * logarithm
    for a, b in pairs(want, got):
        if a.dtype.kind not in "fc" or (a.dtype.kind == "f" and "powers" in row.rules):
            return False
        relative = NOISE * float(np.finfo(a.dtype).eps) * (1 + turns)
        try:
            relative = np.broadcast_to(relative, a.shape)
        except ValueError:
            return False
        with np.errstate(all="ignore"):
            allowed = np.where(relative < 1, relative * np.abs(a), np.nan)
        if not within(a, b, allowed):
            return False
    return True


def operands(row):
    """The two expressions, which may hold commas in brackets."""
    text = row.rules.get("powers") or row.rules["scales"]
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            return text[:k], text[k + 1 :].strip()
    raise ValueError(f"two operands are needed: {text}")


def same_number(want, got):
    """Whether two results of different types are one number, to float64, or to NumPy's narrow float that a Python number
    has been given."""
    a, b = np.asarray(want[0]), np.asarray(got[0])
    if a.shape != b.shape:
        return False
    if type(want[0]) in (int, float, complex) and b.dtype.char in "efF":
        a = a.astype(complex).astype(b.dtype) if b.dtype.kind == "c" else a.astype(b.dtype)
    a, b = a.astype(complex), b.astype(complex)
    return bool(np.all((a == b) | (np.isnan(a) & np.isnan(b))))
