"""What arrays and dtypes are, and arrays of other forms, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
A       | 0.5 in a, a[1, 2] in a, 3 not in a, a[0, 0] in a[:0], [k in a > 0.5 for k in (True, 2)]
*       | np.iscomplex(a), np.isreal(a)
*       | np.isposinf(a), np.isneginf(a)
N       | np.isposinf(a / 0), np.isneginf(-a / 0, out=np.zeros((4, 5), bool))
*       | np.iterable(a), np.iterable((1, 2)), np.iterable(3)
A I F C | np.zeros(3, np.common_type(a, b)), np.zeros(3, np.common_type(c)), np.zeros(3, np.common_type(c, d)), np.zeros(3, np.common_type(a, d))
A B V5  | np.array_equiv(a, b), np.array_equiv(a, a), np.array_equiv(c, np.stack((c, c))), np.array_equiv(a, c), np.array_equiv([1, 2], [[1, 2]])
A B V5  | np.array_equiv(a, a[:3])
A       | np.asarray_chkfinite(a), np.asarray_chkfinite([1, 2], dtype=float)
C       | np.max(a), np.min(a, axis=0), np.max(a, axis=1, keepdims=True), a.max(), np.max(a, initial=5), np.min(a, out=np.zeros((), complex))
A I     | np.isdtype(a.dtype, 'real floating'), np.isdtype(b.dtype, ('integral', 'bool')), np.issubdtype(a.dtype, np.floating)
A I     | np.zeros(2, np.promote_types(a.dtype, b.dtype)), np.zeros(2, np.min_scalar_type(7))
A F     | np.finfo(a.dtype).eps, np.finfo(b.dtype).max, np.finfo(np.float32).tiny, np.iinfo(np.int32).max, np.iinfo(np.uint8).min, np.finfo(a.dtype).bits
A F     | np.can_cast(a.dtype, b.dtype), np.can_cast(np.int32, np.float64, 'safe')
I J     | np.round(a * 37, -1), np.round(b, -2), a.round(-1)
C D     | np.round(a, 1), np.around(b, 2), np.round(a * 100, -1), a.round(2), np.round(a, 1, np.zeros((4, 5), complex))
L U     | np.round(a * 37, -1), np.round(b, -1)
y       | np.round(17, -1), np.round(np.int32(17), -1), np.round(a * 1j, 1)
C       | np.nanmax(a), np.nanmin(a, initial=0), np.nanmax(a * np.nan, axis=0), np.nanmax(a, axis=1, initial=5)
C       | np.nanmin(np.where(a.real > 0.5, a, np.nan), axis=1)
A       | np.nanmax(a, axis=1), np.nanvar(a, out=np.zeros(())), np.median(a, axis=(0, 1)), np.quantile(a, 0.3, axis=(1, 0))
V W     | a.compress(a > 0.5), np.setdiff1d(a, b), np.isin(a, b)
*       | a.flags.c_contiguous, a.flags.f_contiguous, a.flags.forc, a.flags.fnc, a.flags.writeable, a.flags.aligned, np.isfortran(a)
*       | a.flags['C_CONTIGUOUS'], a.flags['F'], a.flags['W'], a.flags['CARRAY'], a.flags['FA'], a.flags.contiguous, a.flags.fortran, a.flags.behaved
*       | np.ascontiguousarray(a) if not a.flags.c_contiguous else a + a, a.T.flags.c_contiguous, a[..., ::2].flags.c_contiguous, a.copy().flags.writeable
A       | np.copy(a, order='F').flags.fnc, np.zeros((3, 4), order='F').flags.c_contiguous, np.broadcast_to(a, (2, 4, 5)).flags.writeable
A       | a.sum().flags.writeable, a[1:].flags.forc
A       | np.resize(a, (3, 3)), np.resize(a, 7), np.resize(a, (5, 4, 3)), np.resize(a, (0, 3)), np.resize([1, 2], (2, 3)), np.resize(np.zeros(0), 3)
A       | np.require(a, np.float32), np.require(a), np.require([1, 2], float, ['C', 'A']), np.require(a, requirements='F')
A I     | np.astype(a, np.float32), np.astype(b, np.float64, copy=False), np.astype(a, np.float64, copy=False)
A V5    | np.broadcast_arrays(a, b), np.broadcast_arrays(a, 3), np.broadcast_arrays(b), np.broadcast_arrays(b[:, None], b)
n       | np.fromiter((x * x for x in range(5)), float), np.fromiter(range(5), int, 3), np.fromiter([1.5, 2], np.float32)
V       | np.fromiter(a, float), np.fromiter((x + 1 for x in a), dtype=np.float64)
A V5    | np.matvec(a, b), np.matvec(np.stack((a, a)), b), np.matvec(a, np.stack((b, b, b))[:, None, :][:, 0])
A V4    | np.vecmat(b, a), np.vecmat(b, np.stack((a, a + 1)))
C       | np.vecmat(a[:, 0], a), np.matvec(a, a[0])
A B     | np.logaddexp2(a, b), np.logaddexp2(a, a), np.logaddexp2(1, a), np.logaddexp2(np.inf, a)
A       | np.percentile(a, 30, axis=1), np.quantile(a, [0.1, 0.4], method='weibull'), np.quantile(a, 0.4, weights=a, method='inverted_cdf')
"""

ERRORS = r"""
A     | a.flags['x']
A     | a.flags[0]
A     | np.isfortran([1.0])
P     | np.common_type(a)
N     | np.asarray_chkfinite(a)
N     | np.nanmean(a, axis=1, out=np.zeros(4, int))
N     | np.nanstd(a, out=np.zeros((), int))
N     | np.median(a, axis=(0, -2))
A     | np.resize(a, (3, -1))
A     | np.require(a, requirements=['F', 'C'])
A Y   | np.broadcast_arrays(a, b)
A V4  | np.matvec(a, b)
V4 V5 | np.matvec(a, b)
"""


class Classifying(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
