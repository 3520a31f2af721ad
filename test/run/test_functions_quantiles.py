"""Medians and quantiles without NaN, compiled, against NumPy."""
import unittest

import numpy as np

from rows import Rows

ROWS = r"""
N     | np.nanmedian(a), np.nanmedian(a, axis=1), np.nanmedian(a, axis=0, keepdims=True), np.nanmedian(a, axis=(0, 1)), np.nanmedian(a[:, :4], 1), np.nanmedian(a, out=np.zeros(()))
*     | np.nanmedian(a)
N     | np.nanpercentile(a, 30), np.nanquantile(a, 0.3, axis=1), np.nanpercentile(a, [10, 50.0, 90], axis=0), np.nanquantile(a, [[0.5, 1.0], [0, 0.2]], axis=1, keepdims=True)
N     | np.nanquantile(a, 0.4, axis=1, method='lower'), np.nanquantile(a, 0.4, axis=1, method='hazen'), np.nanquantile(a, 0.4, axis=1, method='nearest'), np.nanquantile(a, 0.4, axis=0, method='midpoint'), np.nanquantile(a, [0.2, 0.4], axis=0, method='inverted_cdf'), np.nanquantile(a, 0.5, method='averaged_inverted_cdf')
N B   | np.nanquantile(a, 0.4, axis=1, method='inverted_cdf', weights=b), np.nanpercentile(a, [20, 40], method='inverted_cdf', weights=b)
A I F | np.nanquantile(a, 0.4, axis=1), np.nanquantile(b, 0.3), np.nanmedian(b, axis=0), np.nanquantile(c, 0.3, axis=0), np.nanmedian(c, axis=1)
N     | a[2] = np.nan; return np.nanmedian(a, axis=1), np.nanquantile(a, 0.3, axis=1), np.nanquantile(a, [0.3, 0.7], axis=1)
O     | np.median(a, keepdims=True), np.nanmedian(a, keepdims=True), np.quantile(a, 0.3, keepdims=True), np.nanquantile(a, 0.3, keepdims=True), np.quantile(a, 0.3, method='lower', keepdims=True)
E     | np.nanpercentile(a, [10, 50], axis=0), np.nanquantile(a.T, [0.2], keepdims=True)
E     | np.nanpercentile(a.astype(int), 30), np.nanquantile(a > 0, [[0.1]], axis=1)
E     | np.nanquantile(a.T, 0.3, axis=1), np.nanpercentile(a.T, 30, axis=1, method='weibull'), np.nanmedian(a.T, axis=1)
I F   | np.percentile(a, 1, method='higher'), np.quantile(a, 0.5, method='nearest')
F I   | np.nanpercentile(a, np.float32(0.5)), np.nanquantile(b, 0), np.nanpercentile(a, np.array([1, 2], 'f4'), axis=0)
"""

ERRORS = r"""
E   | p, q = np.nanpercentile(a, [10, 50]); return p + q
N   | np.nanmedian(a, axis=(1, 1))
E   | np.quantile(a, 0.3)
E   | np.percentile(a, [10, 50], axis=0)
E   | np.percentile(a.astype(int), [10, 50], axis=0, method='nearest')
E   | np.percentile(a.astype(int), 10, axis=0)
E   | np.quantile(a.astype(int), 1)
N   | np.nanquantile(a, 1.4)
C   | np.nanquantile(a, 0.4)
"""


def places_of_lines(x):
    return np.median(x), np.percentile(x, 30), np.quantile(x, [0.1, 0.5, 0.9, 0.99])


def medians_of_columns(x):
    return np.median(x, axis=0)


class Quantiles(Rows):
    def test_long_lines(self):
        """Lines that a GPU selects from by the digits of their elements, which all differ, are few, or equal."""
        rng = np.random.default_rng(0)
        for n in (5000, 9001):
            for dtype in ("f8", "f4", "f2", "i8", "i4", "u4", "i2", "u1"):
                spread = 200 if dtype in ("u1", "f2") else 60000 if dtype != "i2" else 30000
                for values in (rng.random(n) * spread, np.floor(rng.random(n) * 3), np.full(n, 7.0), (rng.random(n) - 0.5) * spread * (dtype[0] != "u")):
                    with self.subTest(n=n, dtype=dtype):
                        self.compare(places_of_lines, [values.astype(dtype)])
            values[n // 2] = np.nan if n % 2 else -np.nan
            self.compare(places_of_lines, [values])
            self.compare(medians_of_columns, [rng.random((n, 3))])

    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
