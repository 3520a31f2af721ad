"""What is probed: one line for each function, operator, method and attribute, over `x` and `y`.

A row is an expression, or statements between "; " of which the last is an expression. A row is tried with every dtype
and kind of argument, so most combinations are errors; these must be NumPy's errors.

What NumPy itself leaves open about a row's results stands behind the row, after two blanks and a `#`: rules by which
its results are compared, which `probe_rules.py` holds.

  zeros              which of two zeros it is
  ties               in which order positions of equal elements come: what stands at them is compared
  casts              what a float gives that uint32 does not hold, which NumPy casts in two ways
  sums EXPRESSION    sums in any order; the expression bounds what the terms come to, where it is not the row itself
  divides            a quotient and what remains, which cancels: both times the divisor and added are what was divided, to rounding
  powers BASE, EXP   complex powers, whose errors grow with the exponent
  scales BASE, EXP   powers of exponents that were computed, so that real ones too are no better
  rounded            what is printed is a quotient of integers that float64 rounds first
  joins              where two paths meet, numbers have the type that holds both: the number itself is compared, rounded to the
                     dtype where that is NumPy's narrow float
"""

from __future__ import annotations

import math
import random
import re

import numpy as np

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
PYTHON = ["bool", "int", "float", "complex"]

OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="]
LITERALS = [
    "0",
    "1",
    "2",
    "-1",
    "300",
    "2**40",
    "True",
    "0.5",
    "2.0",
    "-0.0",
    "np.nan",
    "np.inf",
    "1e40",
    "1j",
    "np.float32(2)",
    "np.float64(2)",
    "np.int8(3)",
    "np.uint64(7)",
    "np.bool_(True)",
]

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

# Printed, one line each.
TEXT_ROWS = [
    "x",
    "str(x)",
    "repr(x)",
    "f'{x}'",
    "f'{x!r}'",
    "f'{x!s}'",
    "f'{x:.3f}'",
    "f'{x:8.2e}'",
    "f'{x:g}'",
    "f'{x:5}'",
    "f'{x:d}'",
    "(x, 1)",
    "[x]",
    "x + 1",
    "x * 0.1",
    "x / 3  # rounded",
]
# Raised: the message is compared.
RAISE_ROWS = [
    "assert x != x, f'{x}'",
    "assert x != x, f'{x:.2f} and {x!r}'",
    "assert x != x, x",
    "raise ValueError(f'bad {x}')",
    "raise ValueError(x)",
    "raise ValueError('bad', x)",
    "raise TypeError(str(x))",
]

# Functions in npcc.supported() that no row calls, and why.
LEFT_OUT = {
    "of shapes and positions: no dtype decides anything": """
        numpy.array_split numpy.split numpy.hsplit numpy.vsplit numpy.broadcast numpy.broadcast_to numpy.broadcast_shapes numpy.diagonal
        numpy.expand_dims numpy.fliplr numpy.flipud numpy.matrix_transpose numpy.linalg.matrix_transpose
        numpy.meshgrid numpy.moveaxis numpy.rollaxis numpy.rot90 numpy.swapaxes numpy.ix_ numpy.take
        numpy.delete numpy.insert numpy.put numpy.compress numpy.extract numpy.triu numpy.dstack
        numpy.fill_diagonal numpy.empty numpy.empty_like numpy.ones numpy.zeros numpy.eye numpy.identity
        numpy.indices numpy.tri numpy.ndarray numpy.fromfunction numpy.lexsort numpy.concat numpy.ndarray.view
        numpy.ndindex numpy.ndenumerate numpy.diag_indices numpy.diag_indices_from numpy.dsplit numpy.mask_indices
        numpy.tril_indices numpy.tril_indices_from numpy.triu_indices numpy.triu_indices_from numpy.ndarray.put
        numpy.polyfit numpy.roots numpy.lib.stride_tricks.as_strided numpy.lib.stride_tricks.sliding_window_view numpy.ndarray.partition
        numpy.frombuffer numpy.unstack numpy.may_share_memory numpy.shares_memory
        numpy.take_along_axis numpy.put_along_axis numpy.ndarray.sort numpy.ndarray.compress numpy.partition numpy.argpartition""",
    "of iteration, and print(), which the rows of text call": """
        builtins.print builtins.callable builtins.enumerate builtins.iter builtins.list builtins.map builtins.next builtins.range builtins.reversed
        builtins.slice builtins.tuple builtins.zip""",
    "of objects and lists: test/run/test_structures.py and test_statements.py": """
        builtins.filter builtins.getattr builtins.hasattr builtins.setattr builtins.sorted copy.copy copy.deepcopy dataclasses.asdict
        dataclasses.astuple""",
    "of an object's attributes: test/regression/dicts-of-attributes.py": "builtins.vars",
    "of polynomials as objects: test/run/test_functions_polynomials.py": "numpy.poly1d",
    "of elements one by one: test/run/test_nditer.py": "numpy.nditer",
    "of characters: test/run/test_texts.py": "builtins.chr builtins.ord",
    "of text: test/run/test_array_texts.py": """
        numpy.array2string numpy.array_str numpy.array_repr numpy.format_float_positional numpy.format_float_scientific
        numpy.base_repr numpy.binary_repr numpy.fromstring numpy.set_printoptions""",
    "of Python's random: test/run/test_python_random.py": "random.random random.getrandbits random.seed random.gauss random.sample",
    "of hashes: test/run/test_python_numbers.py": "builtins.hash",
    "of digits: test/run/test_python_numbers.py": "builtins.bin builtins.format builtins.hex builtins.oct",
    "operators, which the rows of operators call": """
        operator.add operator.sub operator.mul operator.truediv operator.floordiv operator.mod operator.pow operator.and_ operator.or_ operator.xor
        operator.lshift operator.rshift operator.matmul operator.lt operator.le operator.gt operator.ge operator.eq operator.ne operator.neg operator.pos
        operator.invert operator.inv operator.index""",
    "special methods by their names, which the rows of operators call: test/run/test_special_methods_of_arrays.py": """
        numpy.ndarray.__abs__ numpy.ndarray.__add__ numpy.ndarray.__and__ numpy.ndarray.__bool__ numpy.ndarray.__complex__ numpy.ndarray.__contains__
        numpy.ndarray.__copy__ numpy.ndarray.__deepcopy__ numpy.ndarray.__divmod__ numpy.ndarray.__eq__ numpy.ndarray.__float__
        numpy.ndarray.__floordiv__ numpy.ndarray.__ge__ numpy.ndarray.__getitem__ numpy.ndarray.__gt__ numpy.ndarray.__iadd__ numpy.ndarray.__iand__
        numpy.ndarray.__ifloordiv__ numpy.ndarray.__ilshift__ numpy.ndarray.__imatmul__ numpy.ndarray.__imod__ numpy.ndarray.__imul__
        numpy.ndarray.__int__ numpy.ndarray.__invert__ numpy.ndarray.__ior__ numpy.ndarray.__ipow__ numpy.ndarray.__irshift__ numpy.ndarray.__isub__
        numpy.ndarray.__itruediv__ numpy.ndarray.__ixor__ numpy.ndarray.__le__ numpy.ndarray.__len__ numpy.ndarray.__lshift__ numpy.ndarray.__lt__
        numpy.ndarray.__matmul__ numpy.ndarray.__mod__ numpy.ndarray.__mul__ numpy.ndarray.__ne__ numpy.ndarray.__neg__ numpy.ndarray.__or__
        numpy.ndarray.__pos__ numpy.ndarray.__pow__ numpy.ndarray.__radd__ numpy.ndarray.__rand__ numpy.ndarray.__rdivmod__
        numpy.ndarray.__rfloordiv__ numpy.ndarray.__rlshift__ numpy.ndarray.__rmatmul__ numpy.ndarray.__rmod__ numpy.ndarray.__rmul__
        numpy.ndarray.__ror__ numpy.ndarray.__rpow__ numpy.ndarray.__rrshift__ numpy.ndarray.__rshift__ numpy.ndarray.__rsub__
        numpy.ndarray.__rtruediv__ numpy.ndarray.__rxor__ numpy.ndarray.__setitem__ numpy.ndarray.__sub__ numpy.ndarray.__truediv__
        numpy.ndarray.__xor__ numpy.ndarray.__array__ numpy.ndarray.__delitem__ numpy.ndarray.__format__ numpy.ndarray.__hash__ numpy.ndarray.__index__
        numpy.ndarray.__iter__ numpy.ndarray.__repr__ numpy.ndarray.__str__""",
    "of several axes: the transforms of one axis, one after the other": """
        numpy.fft.fft2 numpy.fft.ifft2 numpy.fft.rfft2 numpy.fft.irfft2 numpy.fft.fftn numpy.fft.ifftn numpy.fft.rfftn numpy.fft.irfftn""",
    "of items, whatever they are: test/run/test_generators.py and test_containers.py": """
        itertools.accumulate itertools.chain itertools.combinations itertools.combinations_with_replacement itertools.compress itertools.count
        itertools.cycle itertools.dropwhile itertools.filterfalse itertools.groupby itertools.islice itertools.pairwise itertools.permutations itertools.product itertools.zip_longest
        itertools.repeat itertools.starmap itertools.takewhile bisect.bisect bisect.bisect_left bisect.bisect_right bisect.insort
        bisect.insort_left bisect.insort_right operator.getitem""",
    "clocks": """
        time.time time.perf_counter time.monotonic time.process_time time.time_ns time.perf_counter_ns time.monotonic_ns time.process_time_ns""",
    "matrices: test/run/test_functions_linear_algebra.py has the dtypes": """
        numpy.linalg.cholesky numpy.linalg.det numpy.linalg.eigh numpy.linalg.eigvalsh numpy.linalg.inv
        numpy.linalg.matrix_power numpy.linalg.slogdet numpy.linalg.solve numpy.linalg.vecdot
        numpy.linalg.qr numpy.linalg.svd numpy.linalg.svdvals numpy.linalg.pinv numpy.linalg.cond numpy.linalg.eig
        numpy.linalg.eigvals numpy.linalg.lstsq numpy.linalg.cross numpy.linalg.tensordot numpy.linalg.multi_dot
        numpy.linalg.matrix_norm numpy.linalg.tensorinv numpy.linalg.tensorsolve numpy.linalg.matmul numpy.linalg.trace
        numpy.linalg.diagonal""",
}


def ufuncs(inputs):
    import npcc

    for entry in npcc.supported():
        function = getattr(np, entry["name"].removeprefix("numpy."), None)
        if isinstance(function, np.ufunc) and function.nin == inputs:
            yield f"np.{entry['name'].removeprefix('numpy.')}"


class Row(str):
    """The text of a row, with its rules: what follows each rule's name."""

    rules: dict

    def __new__(cls, text, **rules):
        row = super().__new__(cls, text)
        row.rules = rules
        return row


def row(line):
    text, _, rules = line.partition("  # ")
    split = [rule.strip().partition(" ") for rule in rules.split(";") if rule]
    return Row(text, **{name: operands for name, _, operands in split})


def rows_of(text):
    return [row(line) for line in text.strip().splitlines() if line]


def unary():
    rows = [Row(f"{name}(x)") for name in ufuncs(1)]
    for module, names in UNARY.items():
        prefix = {"numpy": "np.", "builtins": "", "math": "math."}[module]
        for name in names.split():
            name, _, rule = name.partition("#")
            rows.append(Row(f"{prefix}{name}(x)", **({rule: ""} if rule else {})))
    rows += rows_of(UNARY_ROWS)
    for dtype in DTYPES:
        name = np.dtype(dtype).name if dtype != "?" else "bool_"
        rows += [
            Row(f"x.astype(np.{name})", casts=""),
            Row(f"np.{name}(x)", casts=""),
            Row(f"t = np.zeros(3, np.{name}); t[0] = x; t"),
            Row(f"t = np.zeros(3, np.{name}); t[...] = x; t"),
        ]
    return rows


def constants():
    """Operators between x and what is known at compile time."""
    return (
        [operation("x", op, value) for op in OPERATORS for value in LITERALS]
        + [operation(value, op, "x") for op in OPERATORS for value in LITERALS]
        + [
            called(f"np.{f}", "x", value)
            for f in ("maximum", "arctan2", "fmod", "copysign", "hypot", "logical_and", "power")
            for value in LITERALS
        ]
    )


def operation(left, op, right):
    return Row(f"{left} {op} {right}", **({"powers": f"{left}, {right}"} if op == "**" else {}))


def called(name, left, right):
    """A function of two arguments, with what is said of it in RULES."""
    rule = RULES.get(name)
    rules = {rule: f"{left}, {right}" if rule == "powers" else ""} if rule else {}
    return Row(f"{name}({left}, {right})", **rules)


def binary():
    rows = [operation("x", op, "y") for op in OPERATORS] + [called(name, "x", "y") for name in ufuncs(2)]
    return rows + rows_of(BINARY_ROWS)


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


def combinations():
    """Every (rows' name, [(form, dtype)])."""
    for dtype in DTYPES:
        for form in ("A1", "A2", "A0", "S"):
            for rows in ("unary", "constants") if form != "A2" else ("unary",):
                yield rows, [(form, dtype)]
        yield "text", [("S", dtype)]
    for dtype in PYTHON:
        for rows in ("unary", "constants", "text"):
            yield rows, [("P", dtype)]
    for a in DTYPES:
        for b in DTYPES:
            for forms in (("A1", "A1"), ("S", "S"), ("A1", "S"), ("S", "A1")):
                yield "binary", [(forms[0], a), (forms[1], b)]
        for b in PYTHON:
            for form in ("A1", "A0", "S"):
                yield "binary", [(form, a), ("P", b)]
                yield "binary", [("P", b), (form, a)]
        yield "binary", [("A0", a), ("A0", a)]
        yield "binary", [("A0", a), ("S", a)]
    for a in PYTHON:
        for b in PYTHON:
            yield "binary", [("P", a), ("P", b)]


def uncovered():
    """Functions in npcc.supported() that no row calls and LEFT_OUT does not name."""
    import npcc

    rows = " ".join(unary() + binary() + constants() + TEXT_ROWS)
    named = {name for names in LEFT_OUT.values() for name in names.split()}
    short = {entry["name"]: entry["name"].split(".")[-1] for entry in npcc.supported()}
    return [
        name
        for name, last in short.items()
        if name not in named
        and not name.startswith("numpy.random.")  # test/run/test_random_*.py have the dtypes
        and not re.search(rf"\b{last}\(|\b{last}[.]", rows)
    ]
