"""What reduces or accumulates, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
A     | np.mean(a)
A     | np.mean(a, axis=1, keepdims=True)
I     | a.mean(axis=0)
F     | a.mean()
A     | np.var(a, axis=0, ddof=1)
C     | np.var(a)
F     | a.std(axis=(0, 1))
A B   | np.average(a, axis=0, weights=b)
A V4  | np.average(a, axis=0, weights=b)
A     | np.ptp(a, axis=1)
A     | np.cov(a)
N     | np.nansum(a, axis=0)
N     | np.nanmean(a, axis=1)
N     | np.nanvar(a, axis=1)
N     | np.nanstd(a)
N     | np.nanmax(a, axis=1)
N     | np.nanmin(a)
N     | np.nanprod(a)
N     | np.nancumsum(a, axis=1)
N     | np.nancumprod(a, axis=0), np.nancumprod(a), np.nanargmax(a), np.nanargmin(a)
N     | np.nanmean(a, where=a > 0.3), np.nanvar(a, axis=1, where=a > 0.1, correction=1), np.nanmax(a, axis=0, initial=0.5), np.nansum(a, initial=2.0, where=a < 0.7)
A     | np.mean(a, axis=0, where=a > 0.1), np.var(a, where=a > 0.3), np.std(a, axis=1, mean=np.mean(a, axis=1, keepdims=True)), np.std(a, correction=1)
A     | np.trapezoid(a, axis=0)
X     | np.trapezoid(a * a, a)
I     | np.sum(a, axis=(0, -1))
U     | np.sum(a)
P     | np.prod(a)
A     | np.sum(a, axis=1, keepdims=True)
F     | np.sum(a, dtype=np.float64)
A     | a.max(axis=0)
A     | a.min()
P     | np.any(a), np.all(a)
A     | np.argmax(a), a.argmin(axis=1)
C D   | np.argmax(a), np.argmin(a), np.argmax(a, axis=0), a.argmin(1), np.argmax(b, axis=-1), np.argmin(b, axis=0, keepdims=True), np.argmax(a, keepdims=True), np.nanargmax(a, axis=1), np.nanargmin(b)
C     | b = np.round(a * 3); b[1, 2] = complex(np.nan, 1); b[3] = -np.inf; b[:, 4] = b[0, 4]; return np.argmax(b), np.argmax(b, 1), np.argmin(b, 0), np.argmax(b.real + 0j, 1), np.argmin(b.imag * 1j), np.nanargmax(b), np.nanargmin(b, 0)
I     | np.count_nonzero(a), np.count_nonzero(a, axis=0)
I     | np.cumsum(a), np.cumsum(a, axis=1), np.cumprod(a, axis=0)
A     | np.corrcoef(a)
A     | a.sum(0), a.mean(1), a.std(0), a.var()
A     | np.all(a > 0.1, axis=0), np.all(a, axis=1, keepdims=True), np.all(a > 0.5, where=a > 0.2)
A     | np.any(a > 0.9, axis=0, keepdims=True), np.any(a > 0.5, where=a < 0.1), np.any(a > 0.5, axis=0, out=np.zeros(5, dtype=bool))
A     | np.all(a > 0.5, axis=1, out=np.zeros(4, dtype=bool))
A     | np.max(a, axis=0, keepdims=True), np.amax(a, axis=1, keepdims=True, initial=0.7), np.amax(a, initial=0.1, where=a < 0.5)
A     | np.amin(a, axis=0, keepdims=True, initial=0.2, where=a > 0.1), np.min(a, axis=1, keepdims=True, initial=0.5, where=a > 0.3)
A     | np.max(a, axis=0, out=np.zeros(5)), np.amax(a, axis=0, out=np.zeros(5)), np.min(a, axis=1, out=np.zeros(4)), np.amin(a, out=np.zeros(()))
A     | np.sum(a, axis=0, out=np.zeros(5)), np.prod(a, axis=1, out=np.zeros(4)), np.mean(a, axis=0, out=np.zeros(5))
A     | np.std(a, axis=0, out=np.zeros(5)), np.var(a, axis=1, out=np.zeros(4)), np.ptp(a, axis=0, keepdims=True), np.ptp(a, axis=0, out=np.zeros(5))
A     | np.argmax(a, axis=0, keepdims=True), np.argmin(a, axis=1, keepdims=True), np.argmax(a, keepdims=True)
A     | np.argmax(a, axis=0, out=np.zeros(5, dtype=np.int64)), np.argmin(a, axis=0, out=np.zeros(5, dtype=np.int64))
F     | np.mean(a, dtype=np.float64), np.std(a, dtype=np.float64, ddof=1), np.var(a, dtype='f8', keepdims=True)
F     | np.prod(a, axis=0, dtype='f8', keepdims=True, initial=2), np.cumsum(a, dtype='f8'), np.cumprod(a, axis=1, dtype='f8')
A     | np.cumsum(a, axis=0, out=np.zeros((4, 5))), np.cumprod(a, axis=1, out=np.zeros((4, 5)))
A     | np.prod(a, where=a > 0.3), np.sum(a, where=a > 0.3, initial=1.0)
N     | np.nanmax(a, axis=0, keepdims=True), np.nanmin(a, axis=1, keepdims=True), np.nanmax(a, axis=0, out=np.zeros(5)), np.nanmin(a, axis=0, out=np.zeros(5))
N     | np.nansum(a, axis=0, keepdims=True), np.nansum(a, axis=0, out=np.zeros(5)), np.nanprod(a, axis=1, keepdims=True), np.nanprod(a, axis=1, out=np.zeros(4))
N     | np.nanmean(a, axis=0, keepdims=True), np.nanmean(a, axis=0, out=np.zeros(5)), np.nancumsum(a, axis=1, out=np.zeros((4, 5)))
N     | np.nanstd(a, axis=0, ddof=1, keepdims=True), np.nanvar(a, axis=1, ddof=1, keepdims=True), np.nanstd(a, axis=0, out=np.zeros(5)), np.nanvar(a, axis=0, out=np.zeros(5))
F     | np.nansum(a, dtype='f8'), np.nanprod(a, dtype='f8'), np.nanmean(a, dtype='f8'), np.nancumsum(a, dtype='f8'), np.nanstd(a, dtype='f8'), np.nanvar(a, dtype='f8')
A B   | np.average(a, axis=1, weights=b, keepdims=True)
A B   | np.average(a, axis=0, weights=b, returned=True)
A     | np.cov(a, bias=True), np.cov(a, rowvar=False, ddof=0), np.corrcoef(a, rowvar=False)
V W   | np.cov(a, b), np.cov(a, y=b, dtype='f8'), np.corrcoef(a, b), np.corrcoef(a, y=b, dtype='f8')
A     | np.count_nonzero(a > 0.5, axis=0, keepdims=True)
A     | np.trapezoid(a, dx=0.5)
*     | np.sum(a), np.prod(a), np.any(a), np.all(a), np.count_nonzero(a)
*     | np.sum(a, axis=-1, keepdims=True)
*     | np.mean(a)
*     | np.max(np.real(a))
*     | np.argmin(np.real(a))
*     | np.cumsum(a)
"""

ERRORS = r"""
A   | np.max(a[:0])
V   | np.average(a, weights=a * 0)
"""


class Reductions(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
