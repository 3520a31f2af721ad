"""Is the outcome of a compiled call NumPy's? And by which rules it may differ.

What NumPy leaves open, or npcc's documents except, is a rule of this file, with its reason; there is no list of calls or tests.
"""

from __future__ import annotations

import numpy as np

import npcc
from fuzz.compare import difference
from fuzz.noise import Noise
from fuzz.outcome import Outcome, leaves

SEEDS = (1, 2, 3, 4)  # of the noise that shows how far rounding moves a result
# Python's and NumPy's errors that the compiler names at the head of its own: "AxisError: axis 5 is out of bounds ...".
ERRORS = (
    "ValueError TypeError IndexError OverflowError ZeroDivisionError AttributeError AxisError UFuncTypeError RuntimeError LinAlgError "
    "ComplexWarning UFuncNoLoopError UFuncBinaryResolutionError DTypePromotionError KeyError"
).split()


LIMIT = "number of index arrays cannot be above"  # of NumPy's iterator: npcc sees another fault of such an index first


def kind_of(error):
    """What a type of error is where it is caught: NumPy's own types of ufuncs and promotions are TypeErrors."""
    word = error.lstrip("_")
    return "TypeError" if word.startswith("UFunc") or word == "DTypePromotionError" else error


def named_error(message):
    """The error of NumPy's that a message of the compiler names, or None."""
    head = message.partition(":")[0]
    return head if head in ERRORS else None


def is_open(function):
    """NumPy does not say what the result is: random numbers, memory as it was, the order of what is less and of what is greater."""
    return function.startswith("np.random.") or function.endswith("partition") or function in ("np.empty", "np.empty_like", "ndarray.resize")


def compare(function, want, got, repeat):
    """The first difference, as (verdict, explanation), or None. `repeat(noise)` is the outcome of NumPy's call of disturbed arguments."""
    if want.error and got.error and kind_of(want.error[0]) == kind_of(got.error[0]):
        # Which word NumPy's own classes have for themselves says nothing.
        got.error = (want.error[0], got.error[1])
        if want.error[0] == "MemoryError" or LIMIT in want.error[1]:
            got.error = want.error  # each names what the machine has
    found = difference(want, got, {})
    if found and found[0] == "wrong value" and not want.error:
        found = difference(want, got, spread_of(want, repeat))
    if not found and not want.error and keeps_signs(function):
        found = signs(want.value, got.value)
    return found


def spread_of(want, repeat):
    """How far each float moves when the arguments' last places do: sums in another order, and functions near their zeros, err as much. None where
    the disturbed results are of another kind, so that nothing may differ."""
    spread = {}
    exact = dict(leaves(want.value))
    for seed in SEEDS:
        other = repeat(Noise(seed))
        if other.error:
            return {}
        for path, value in leaves(other.value):
            a, b = np.asarray(exact.get(path)), np.asarray(value)
            if a.dtype != b.dtype or a.shape != b.shape or a.dtype.kind not in "fc":
                continue
            with np.errstate(all="ignore"):
                moved = np.abs(a.astype(complex) - b.astype(complex))
            spread[path] = np.maximum(spread.get(path, 0), np.where(np.isfinite(moved), moved, 0))
    return spread


def keeps_signs(function):
    """Functions whose zeros have a sign that IEEE 754 or C's library gives. Which of two zeros is the greater, and what zeros sum to, is open."""
    name = function.removeprefix("np.")
    return isinstance(getattr(np, name, None), np.ufunc) and name not in ("maximum", "minimum", "fmax", "fmin", "matmul", "vecdot", "matvec", "vecmat")


def signs(want, got):
    """The signs of zeros."""
    for (path, a), (_, b) in zip(leaves(want), leaves(got)):
        x, y = np.asarray(a), np.asarray(b)
        if x.dtype.kind == "f":
            wrong = (x == 0) & (np.signbit(x) != np.signbit(y))
            if wrong.any():
                return "wrong sign", f"{path}: the sign of zero, {int(wrong.sum())} of {x.size}"
    return None


def plain_outcome(value=None, error=None, arguments=(), shares=()):
    return Outcome(value, list(arguments), list(shares), error)


def is_compiler_error(error):
    return isinstance(error, npcc.CompileError)
