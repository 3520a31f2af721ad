"""The probed functions and statements of two arguments `x` and `y`, and the rules of ufuncs; probe_table.py says what a row is."""

# Of ufuncs.
RULES = {
    **dict.fromkeys(("np.power", "np.pow", "np.float_power"), "powers"),
    **dict.fromkeys(("np.matmul", "np.vecdot"), "sums"),
    **dict.fromkeys(("np.maximum", "np.minimum", "np.fmax", "np.fmin"), "zeros"),
}
BINARY_ROWS = """
np.allclose(x, y)
np.append(x, y)
np.array_equal(x, y)
np.convolve(x, y)  # sums
np.correlate(x, y)  # sums
np.dot(x, y)  # sums
np.isclose(x, y)
np.isin(x, y)
np.kron(x, y)
np.inner(x, y)  # sums
np.outer(x, y)
np.vdot(x, y)  # sums
np.union1d(x, y)  # zeros
np.intersect1d(x, y)  # zeros
np.setdiff1d(x, y)  # zeros
np.setxor1d(x, y)  # zeros
np.searchsorted(np.sort(x), y)
np.full_like(x, y)  # casts
np.digitize(x, y)
np.polyval(x, y)
np.cross(x, y)
np.trapezoid(x, y)
divmod(x, y)
pow(x, y)  # powers x, y
max(x, y)  # joins
min(x, y)  # joins
math.pow(x, y)
math.atan2(x, y)
math.copysign(x, y)
math.fmod(x, y)
math.hypot(x, y)
math.log(x, y)
complex(x, y)
x and y  # joins
x or y  # joins
x @ y  # sums
x in (1, y)
np.where(x, x, y)
np.where(y, x, y)
np.where(True, x, y)
np.array([x, y])
np.concatenate([np.atleast_1d(x), np.atleast_1d(y)])
np.hstack([x, y])
np.stack([x, y])
np.clip(x, y, y)  # zeros
np.clip(x, 0, y)  # zeros
np.arange(x, y)
np.linspace(x, y, 3)
np.geomspace(x, y, 3)  # scales 10.0, np.log10(y / x)
np.logspace(x, y, 3)  # scales 10.0, np.linspace(x, y, 3)
np.heaviside(x, y)
np.logaddexp(x, y)
np.float_power(x, y)
np.array_equiv(x, y)
np.polyadd(x, y)
np.polysub(x, y)
np.polymul(x, y)  # sums np.convolve(sizes(given[0]), sizes(given[1]))
np.polydiv(x, y)  # divides
np.interp(x, [0.0, 1.0], [y, 3.0])
np.select([x > 1], [x], y)
np.select([x > 1, x > 2], [x, y], 0)
np.full_like(x, y)  # casts
np.full(2, x, dtype=y.dtype)  # casts
np.average(x, weights=y)  # sums quotient(np.sum(x * y), np.sum(y), np.sum(given[1] + 0.0))
np.isclose(x, y)
np.result_type(x, y).type(1)
np.einsum('i,i->', x, y)  # sums
np.diff(x, prepend=y)
np.add(x, y, dtype=np.float32)
np.multiply(x, y, dtype=np.float64)
np.nan_to_num(x, nan=y)
np.pad(x, 1, constant_values=y)
np.piecewise(x, [x > 1], [y, 0])  # casts
np.add.outer(x, y)
np.tensordot(x, y, axes=1)  # sums
np.maximum(x, y) - np.minimum(x, y)
x if x else y  # joins
t = x; t += y; t
t = x; t -= y; t
t = x; t *= y; t
t = x; t /= y; t
t = x; t //= y; t
t = x; t %= y; t
t = x; t **= y; t  # powers x, y
t = x; t &= y; t
t = x; t |= y; t
t = x; t <<= y; t
t = x.copy(); t[...] = y; t  # casts
t = x.copy(); t[0] = y; t
t = x.copy(); t[:1] = y; t  # casts
t = x.copy(); t[[0]] = y; t  # casts
t = x.copy(); t[t > 1] = y; t  # casts
t = x.copy(); t[0] += y; t
t = x.copy(); t[:1] *= y; t
t = x.copy(); t[[0, 1]] += y; t
t = x.copy(); t.fill(y); t
t = x.copy(); np.copyto(t, y); t
t = x.copy(); np.add(t, y, out=t); t
t = x.copy(); np.multiply(t, y, out=t, where=t > 1); t
t = x; t = y if x > 1 else t; t  # joins
"""
