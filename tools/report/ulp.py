"""Error of computed floats in units in the last place, against results of many more digits."""
from __future__ import annotations

import math

import numpy as np

from . import functions

SPECIALS = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0]


def inputs(dtype, low, high, hard, count, seed):
    """Random numbers of the domain, both uniform and spread over its magnitudes, then the hard ones and their neighbours."""
    random = np.random.default_rng(seed)
    info = np.finfo(dtype)
    uniform = random.uniform(low, high, count)
    small = max(float(info.tiny), 1e-300) * 4
    top = max(abs(low), abs(high), small * 10)
    spread = np.exp(random.uniform(math.log(small), math.log(top), count)) * (random.choice([-1.0, 1.0], count) if low < 0 else 1.0)
    spread = spread[(spread >= low) & (spread <= high)]
    fitting = np.array([h for h in hard if abs(h) <= float(info.max) and (low >= 0) <= (h >= 0)])
    with np.errstate(over="ignore"):
        near = fitting.astype(dtype)
    steps = [near, np.nextafter(near, dtype(np.inf)), np.nextafter(near, dtype(-np.inf))]
    with np.errstate(all="ignore"):
        values = np.concatenate([uniform.astype(dtype), spread.astype(dtype), *steps])
    return values[np.isfinite(values)]


def unit(exact, dtype):
    """Distance between neighbouring numbers of the dtype at `exact` (an mpf): subnormals included."""
    info = np.finfo(dtype)
    if exact == 0:
        return float(info.smallest_subnormal)
    import mpmath
    exponent = int(mpmath.frexp(abs(exact))[1]) - 1
    return math.ldexp(1.0, max(exponent, int(info.minexp)) - int(info.nmant))


def error(computed, exact, dtype):
    """Units in the last place between a computed number and its exact value; None where they overflow alike."""
    import mpmath
    if isinstance(exact, mpmath.mpc):  # outside the domain: a neighbour of its end
        return None if np.isnan(computed) else math.inf
    largest = mpmath.mpf(float(np.finfo(dtype).max))
    if abs(exact) > largest * (1 + mpmath.mpf(2) ** -(np.finfo(dtype).nmant + 2)):
        return None if np.isinf(computed) else math.inf
    if not np.isfinite(computed):
        return math.inf
    return float(abs(mpmath.mpf(float(computed)) - exact) / unit(exact, dtype))


def complex_error(computed, exact, dtype):
    """Of a complex number as a whole: distance over the unit of its magnitude, since single parts may cancel."""
    import mpmath
    part = np.float32 if dtype == np.complex64 else np.float64
    if not np.isfinite(computed):
        return math.inf
    distance = abs(mpmath.mpc(float(computed.real), float(computed.imag)) - exact)
    return float(distance / unit(abs(exact), part))


def summarise(errors, values):
    pairs = [(e, v) for e, v in zip(errors, values) if e is not None]
    if not pairs:
        return None
    worst = max(pairs, key=lambda p: p[0])
    return {"max": worst[0], "mean": float(np.mean([min(e, 1e6) for e, _ in pairs])), "worst": repr(worst[1]), "count": len(pairs)}


def compiled(expression):
    import mpmath
    return eval(f"lambda x, y=None: {expression}", {"mp": mpmath.mp})


def elementwise(apply, count, seed=11, step=1):
    """Rows {function, dtype, max, mean, worst} of every function; `apply(name, arrays)` computes it with the compiler. step: judge one of so many random
    inputs, and all hard ones."""
    import mpmath
    mpmath.mp.prec = 240  # 53 bits, and what the reduction of 1e22 by pi takes
    for name, (expression, low, high, hard) in functions.REAL.items():
        for dtype in map(np.dtype, functions.FLOATS):
            values = inputs(dtype.type, low, high, hard, count, seed)
            yield row(apply, name, [values], compiled(expression), dtype, step, 3 * len(hard))
    for name, expression in functions.COMPLEX.items():
        for dtype in map(np.dtype, functions.COMPLEXES):
            random = np.random.default_rng(seed)
            values = (random.uniform(-8, 8, count) + 1j * random.uniform(-8, 8, count)).astype(dtype)
            yield row(apply, name, [values], compiled(expression), dtype, step)
    for name, (expression, low, high) in functions.BINARY.items():
        for dtype in map(np.dtype, functions.FLOATS):
            random = np.random.default_rng(seed)
            x, y = (random.uniform(low, high, count).astype(dtype) for _ in range(2))
            if name == "power":
                y = (y / 8).astype(dtype)
            yield row(apply, name, [x, y], compiled(expression), dtype, step)


def row(apply, name, arrays, exact, dtype, step=1, hard=0):
    import mpmath
    result = {"function": name, "dtype": dtype.name}
    try:
        computed = apply(name, arrays)
    except Exception as refused:
        return dict(result, unsupported=f"{type(refused).__name__}: {str(refused).splitlines()[0][:100] if str(refused) else ''}")
    computed = np.asarray(computed)
    chosen = np.arange(len(computed)) % step == 0
    chosen[len(computed) - hard:] = True
    computed, arrays = computed[chosen], [a[chosen] for a in arrays]
    errors = []
    for items in zip(computed, *arrays):
        if dtype.kind == "c":
            argument = mpmath.mpc(float(items[1].real), float(items[1].imag))
            value = exact(argument)
            errors.append(complex_error(items[0], value, dtype.type) if np.iscomplexobj(items[0]) else error(items[0], value, items[0].dtype.type))
        else:
            try:
                value = exact(*(mpmath.mpf(float(v)) for v in items[1:]))
            except (ZeroDivisionError, ValueError):  # a pole: what is right there is the special values' matter
                errors.append(None)
                continue
            errors.append(error(items[0], value, dtype.type))
    return dict(result, **(summarise(errors, [tuple(v) if len(v) > 1 else v[0] for v in zip(*arrays)]) or {}))


def specials(apply):
    """Functions that treat 0, -0, inf, -inf, nan, 1, -1 otherwise than NumPy: sign of zero and kind of non-finite alike."""
    for name in functions.REAL:
        for dtype in functions.FLOATS:
            values = np.array(SPECIALS, dtype=dtype)
            with np.errstate(all="ignore"):
                want = getattr(np, name)(values)
                try:
                    got = np.asarray(apply(name, [values]))
                except Exception:  # the rows above say that it is unsupported
                    continue
            for value, a, b in zip(values, want, got):
                same = (np.isnan(a) and np.isnan(b)) or (np.isfinite(a) and np.isfinite(b) and a != 0 and b != 0) or \
                    (a == b and np.signbit(a) == np.signbit(b))
                if not same:
                    yield {"function": name, "dtype": dtype, "input": repr(float(value)), "numpy": repr(float(a)), "got": repr(float(b))}
