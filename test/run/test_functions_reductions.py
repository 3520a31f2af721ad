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
I     | np.count_nonzero(a), np.count_nonzero(a, axis=0)
I     | np.cumsum(a), np.cumsum(a, axis=1), np.cumprod(a, axis=0)
A     | np.corrcoef(a)
A     | a.sum(0), a.mean(1), a.std(0), a.var()
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
