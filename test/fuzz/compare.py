"""Is the compiler's outcome NumPy's? The first difference, as (verdict, explanation), or None."""
from __future__ import annotations

import numpy as np

from .outcome import leaves

# From the worst on: what a run reports, and what a shrunk program must still show.
FAILURES = ("crash", "hang", "swallowed error", "wrong error", "wrong message", "unexpected error", "wrong type", "wrong dtype",
            "wrong shape", "wrong value", "wrong argument", "wrong aliasing", "internal error")
EXACTLY = object()  # in place of a leaf's spread: no difference is allowed


def difference(expected, got, spread):
    """`spread` is Conditioning.spread of the expected outcome; None: nothing may differ, not even by rounding."""
    if expected.error or got.error:
        found = _errors(expected.error, got.error)
        if found:
            return found
    found = _values(expected.value, got.value, spread)
    if found:
        return found
    for i, (a, b) in enumerate(zip(expected.arguments, got.arguments)):
        found = _values(a, b, spread, f"argument {i}")
        if found:
            return "wrong argument", f"after the call: {found[1]}"
    if not expected.error and sorted(expected.shares) != sorted(got.shares):
        lost = [f"{p} and {q} share memory" for p, q in expected.shares if (p, q) not in got.shares]
        extra = [f"{p} and {q} must not share memory" for p, q in got.shares if (p, q) not in expected.shares]
        return "wrong aliasing", "; ".join(lost + extra)
    return None


def _errors(expected, got):
    if got is None:
        return "swallowed error", f"NumPy raises {expected[0]}: {expected[1]}"
    if expected is None:
        return "unexpected error", f"{got[0]}: {got[1]}"
    if expected[0] != got[0]:
        return "wrong error", f"NumPy raises {expected[0]}: {expected[1]}; got {got[0]}: {got[1]}"
    if expected[1] != got[1]:
        return "wrong message", f"NumPy says {expected[0]}: {expected[1]}; got: {got[1]}"
    return None


def _values(expected, got, spread, path="result"):
    want, have = list(leaves(expected, path)), list(leaves(got, path))
    if type(expected) is not type(got) or len(want) != len(have):
        return "wrong type", f"{path}: {_kind(expected)} expected, got {_kind(got)}"
    for (place, a), (_, b) in zip(want, have):
        found = _leaf(a, b, EXACTLY if spread is None else spread.get(place), place)
        if found:
            return found
    return None


def _kind(value):
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__} of {len(value)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} array of shape {value.shape}"
    return value if isinstance(value, str) and value.startswith("<") else type(value).__name__


def _leaf(a, b, spread, path):
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.dtype != b.dtype:
            return "wrong dtype", f"{path}: {a.dtype} expected, got {b.dtype}"
        if a.shape != b.shape:
            return "wrong shape", f"{path}: {a.shape} expected, got {b.shape}"
    elif isinstance(a, np.generic) and isinstance(b, np.generic) and type(a) is not type(b):
        return "wrong dtype", f"{path}: {_kind(a)} expected, got {_kind(b)}"
    elif type(a) is not type(b):
        return "wrong type", f"{path}: {_kind(a)} expected, got {_kind(b)}"
    if isinstance(a, (str, type(None))):
        return None if a == b else ("wrong value", f"{path}: {a!r} expected, got {b!r}")
    x, y = np.asarray(a), np.asarray(b)
    wrong = _unequal(x, y, spread)
    if not wrong.any():
        return None
    place = np.unravel_index(int(np.argmax(wrong)), x.shape) if x.ndim else ()
    index = f"[{', '.join(map(str, place))}]" if place else ""
    return "wrong value", f"{path}{index}: {x[place]!r} expected, got {y[place]!r} ({int(wrong.sum())} of {x.size} differ)"


def _unequal(x, y, spread):
    """Bit for bit but for floats, which may differ by what rounding noise did to them, and a little around it. Zeros and NaNs have no sign."""
    if x.dtype.name == "bfloat16":
        x, y = x.astype(np.float32), y.astype(np.float32)
    if x.dtype.kind not in "fc":
        return x != y
    if spread is EXACTLY:
        return ~((x == y) | (np.isnan(x) & np.isnan(y)))
    with np.errstate(all="ignore"):
        moved = 0.0 if spread is None else 30 * np.maximum(spread, 0.05 * np.max(spread, initial=0))
        allowed = moved + 8 * float(np.finfo(x.dtype).eps) * np.abs(x).astype(float)
        near = np.abs(x.astype(complex) - y.astype(complex)) <= allowed
        if x.dtype.kind == "c":  # of an infinite number, each part for itself
            near |= ~np.isfinite(x) & _near(x.real, y.real) & _near(x.imag, y.imag)
        return ~(near | (x == y) | (np.isnan(x) & np.isnan(y)))


def _near(x, y):
    return (x == y) | (np.abs(x - y) <= 8 * np.finfo(x.dtype).eps * np.abs(x)) | (np.isnan(x) & np.isnan(y))
