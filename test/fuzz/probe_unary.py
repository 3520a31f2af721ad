"""The probed functions, operators and methods of one argument `x`; probe_table.py says what a row is."""

# The functions of one argument, with a rule behind a `#`.
UNARY = {
    "numpy": """
        all any amax#zeros amin#zeros max#zeros min#zeros sum prod mean#sums std var median#zeros ptp argmax
        argmin argsort#ties sort#zeros cumsum cumprod count_nonzero nansum nanprod nancumsum nancumprod nanargmax nanargmin nanmax#zeros
        nanmin#zeros nanmean#sums nanstd nanvar angle argwhere around round asanyarray asarray ascontiguousarray
        asfortranarray atleast_1d atleast_2d atleast_3d average#sums copy corrcoef cov diag diagflat diff
        ediff1d fix flatnonzero flip gradient imag real iscomplexobj isfortran isrealobj isscalar nan_to_num ndim nonzero
        ones_like zeros_like ravel shape sinc size squeeze trapezoid transpose permute_dims unique#zeros vander
        array bincount arange iscomplex isreal isposinf isneginf iterable sort_complex#zeros trim_zeros unwrap
        nanmedian#zeros i0 real_if_close asarray_chkfinite cumulative_sum cumulative_prod unique_all unique_counts
        unique_inverse packbits unpackbits poly polyder polyint histogram_bin_edges block broadcast_arrays
        bartlett blackman hamming hanning common_type""",
    "builtins": "abs bool complex float int round len sum min#zeros max#zeros any all",
    "math": """
        acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs factorial floor frexp
        gamma isfinite isinf isnan isqrt lgamma modf ulp log log10 log1p log2 radians sin sinh sqrt tan tanh trunc""",
}
UNARY_ROWS = """
-x
+x
~x
not x
1 if x else 0  # joins
x.real
x.imag
x.T
x.ndim
x.size
x.shape
x.itemsize
x.byteswap()
x.nbytes
x.sum()
x.prod()
x.mean()  # sums
x.std()
x.var()
x.max()  # zeros
x.min()  # zeros
x.any()
x.all()
x.argmax()
x.argmin()
x.cumsum()
x.cumprod()
x.round()
x.round(1)
x.conj()
x.conjugate()
x.copy()
x.flatten()
x.ravel()
x.reshape(-1)
x.item()
x.tolist()
x.squeeze()
x.transpose()
x.clip(0, 1)  # zeros
x.clip(-1, 100)  # zeros
x.repeat(2)
x.astype(x.dtype)
np.round(x, 1)
np.round(x, -1)
np.sum(x, axis=0)
np.mean(x, axis=0)  # sums
np.max(x, axis=0)  # zeros
np.std(x, axis=0)
np.any(x, axis=0)
np.cumsum(x, axis=0)
np.sort(x, axis=0)  # zeros
np.argsort(x, kind='stable')
np.sum(x, keepdims=True)
np.sum(x, dtype=np.float32)  # sums
np.mean(x, dtype=np.float32)  # sums
np.add.reduce(x)
np.multiply.accumulate(x)
np.clip(x, 0, 1)  # zeros
np.clip(x, 0.5, 2.5)  # zeros
np.clip(x, None, 3)  # zeros
np.where(x, 1, 0)
np.where(x, x, 0)
np.where(x, 1.5, x)
np.polyval([1, 2], x)
np.polyval([1.5, 2], x)
np.polyval(x, 2)
np.heaviside(x, 0.5)
np.heaviside(x, 1)
np.logaddexp(x, 1)
np.logaddexp(1.5, x)
np.array([x, 1])
np.array([x, 1.5])
np.array([1, x])
np.array([x, x])
np.array(x, dtype=np.float32)
np.asarray(x, dtype=np.int16)
np.full(2, x)
np.full_like(np.zeros(2, np.int16), x)
np.full_like(x, 1)
np.full_like(x, 1.5)
np.full((2,), x, dtype=np.float32)
np.arange(x, dtype=np.float32)
np.arange(0, x)
np.arange(0, 3, x)
np.linspace(0, x, 3)
np.linspace(x, 1, 3)
np.linspace(x, 1, 3, retstep=True)
np.logspace(0, x, 3)  # scales 10.0, x
np.geomspace(1, x, 3)  # scales 10.0, np.log10(x)
np.append(x, 1)
np.concatenate([x, x])
np.hstack([x, x])
np.vstack([x, x])
np.row_stack([x, x])
np.stack([x, x])
np.column_stack([x, x])
np.interp(x, [0.0, 1.0], [1.0, 3.0])
np.select([x > 1], [x], 0)
np.piecewise(x, [x > 1], [1, 0])
np.pad(x, 1)
np.tile(x, 2)
np.repeat(x, 2)
np.roll(x, 1)
np.outer(x, x)
np.dot(x, x)
np.vdot(x, x)
np.inner(x, x)
np.kron(x, x)
np.linalg.norm(x)
np.fft.fft(x)  # sums np.sum(x) + 0 * abs(np.fft.fft(x))
np.fft.ifft(x)  # sums np.sum(x) + 0 * abs(np.fft.ifft(x))
np.fft.rfft(x)  # sums np.sum(x) + 0 * abs(np.fft.rfft(x))
np.fft.ihfft(x)  # sums np.sum(x) + 0 * abs(np.fft.ihfft(x))
np.fft.irfft(x)  # sums 2 * np.sum(x) + 0 * abs(np.fft.irfft(x))
np.fft.hfft(x)  # sums 2 * np.sum(x) + 0 * abs(np.fft.hfft(x))
np.fft.fft(x, 5)  # sums np.sum(x) + 0 * abs(np.fft.fft(x, 5))
np.fft.rfft(x, norm='ortho')  # sums np.sum(x) + 0 * abs(np.fft.rfft(x))
np.fft.fftshift(x)
np.fft.ifftshift(x)
np.fft.fftfreq(4, x)
np.fft.rfftfreq(4, x)
np.linalg.vector_norm(x)
np.linalg.vector_norm(x, ord=1)  # sums
np.linalg.matrix_rank(x)
np.linalg.outer(x, x)
np.quantile(x, 0.5)  # zeros
np.percentile(x, 50)  # zeros
np.histogram(x, bins=2, range=(0, 4))[0]
np.searchsorted([0, 1, 2], x)
np.digitize(x, [0, 1, 2])
np.isin(x, [1, 2])
np.isclose(x, 1)
np.allclose(x, x)
np.array_equal(x, x)
np.diff(x, prepend=0)
np.nan_to_num(x, nan=1.0)
np.unique(x, return_counts=True)[1]
np.trace(x)
np.tril(x)
np.copysign(x, -1)
np.nanquantile(x, 0.5)  # zeros
np.nanpercentile(x, 50)  # zeros
np.choose(x, [1, 2, 3], mode='clip')
np.choose([0, 1, 1], [x, 1])
np.astype(x, np.float32)
np.resize(x, 3)
np.require(x)
np.kaiser(3, x)
np.emath.sqrt([x, 1])
np.emath.log([x, 1])
np.emath.log2([x, 1])
np.emath.log10([x, 1])
np.emath.logn(2, [x, 1])
np.emath.power([x, 1], 2)
np.emath.arccos([x, 1])
np.emath.arcsin([x, 1])
np.emath.arctanh([x, 0.5])
np.apply_along_axis(np.sum, 0, x)
np.apply_over_axes(np.sum, x, 0)
np.vectorize(lambda v: v * 2)(x)
np.sort(np.unique_values(x))  # zeros
np.unravel_index(x, (300, 2))
np.ravel_multi_index((x, 1), (400, 2))
np.histogram2d(x, x, 2, [[0, 4], [0, 4]])[0]
np.histogramdd((x, x), 2, [[0, 4], [0, 4]])[0]
np.fromiter([x, 1], np.float32)
np.gcd.reduce([x, 6])
np.hypot.accumulate([x, 1])
np.fmax.reduce(x)
t = x.copy(); np.place(t, t > 1, [1, 2]); t
t = x.copy(); np.putmask(t, t > 1, [1, 2]); t
t = np.zeros(3); np.putmask(t, [True, False, True], x); t
math.pow(x, 2)
math.comb(x, 2)
math.perm(x, 2)
math.gcd(x, 6)
math.lcm(x, 6)
math.isclose(x, 1)
math.remainder(x, 2)
math.nextafter(x, 1)
math.ldexp(x, 2)
math.ldexp(1.5, x)
math.fsum([x, 0.5])
math.prod([x, 2])
math.dist((x, 1), (2, x))
pow(x, 2, 5)
math.hypot(x, 1.0)
divmod(x, 2)
pow(x, 2)  # powers x, 2
sum([x, 1])
max(x, 1)  # joins
min(x, 1)  # joins
max(x, 1.5)  # joins
round(x, 1)
isinstance(x, float)
isinstance(x, int)
isinstance(x, np.ndarray)
[x, 1]
(x, 1.0)
x if x > 1 else 1  # joins
abs(x)
t = x; t += 1; t
t = x; t *= 1.5; t
t = x; t -= True; t
t = x; t /= 2; t
t = x; t **= 2; t  # powers x, 2
t = np.zeros(3); t[0] = x; t[1] += x; t
t = 0; t += x; t
t = 0.0; t = t + x; t
t = x.copy(); t[...] = 1; t
t = x.copy(); t[0] = 1.5; t
t = x.copy(); t[0] = -1; t
t = x.copy(); t[0] = 300; t
t = x.copy(); t[0] = np.nan; t
t = x.copy(); t[0] = np.inf; t
t = x.copy(); t[0] = 1j; t
t = x.copy(); t[...] = np.nan; t
t = x.copy(); t[...] = 70000; t
t = x.copy(); t[:2] = [1, 2.5]; t
t = x.copy(); t[[0]] = 3.7; t
t = x.copy(); t[[0]] = 300; t
t = x.copy(); t[t > 1] = np.nan; t
t = x.copy(); t[t > 1] = 1; t
t = x.copy(); t.fill(2.5); t
t = x.copy(); t.fill(300); t
t = x.copy(); t[0] += 1.5; t
t = x.copy(); t[0] = np.float64(2.5); t
t = x.copy(); t[0] = np.float64(np.nan); t
t = x.copy(); np.copyto(t, 1); t
"""
