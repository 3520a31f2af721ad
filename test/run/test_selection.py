"""numpy.partition, argpartition and what is made of them, over the dtypes: every place has its element, the lesser ones stand before it."""
import unittest

import numpy as np

from harness import Comparison, jit

DTYPES = ["?", "i1", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


def partitioned(a, places):
    return np.partition(a, places)


def down_columns(a, place):
    return np.partition(a, place, axis=0)


def positions(a, places):
    return np.argpartition(a, places), np.argpartition(a, places, axis=None)


def medians(a):
    return np.median(a), np.median(a, axis=0), np.median(a, axis=1), np.percentile(a, [5, 50, 95]), np.quantile(a, 0.3, axis=1)


class Selection(Comparison):
    def lines(self, dtype, count, length, kind):
        rng = np.random.default_rng(3)
        if kind == "few":
            a = rng.integers(0, 3, (count, length))
        else:
            a = rng.integers(-1000, 1000, (count, length)) / 8
        a = a if dtype[0] == "f" or dtype[0] == "c" else np.abs(a)
        a = (a > 50) if dtype == "?" else (a % 100).astype(dtype) if dtype[0] in "iu" else a.astype(dtype)
        if dtype[0] == "c":
            a = a + 1j * a[:, ::-1]
        if dtype[0] in "fc" and kind == "nan":
            a[:, ::7] = np.nan
            a[0, :3] = np.inf, -np.inf, -0.0
        return np.ascontiguousarray(a.astype(dtype))

    def check_order(self, line, places):
        ordered = np.sort(line)
        for place in places:
            np.testing.assert_array_equal(line[place], ordered[place])
            at = place % len(line)
            np.testing.assert_array_equal(np.sort(line[:at]), ordered[:at])
            np.testing.assert_array_equal(np.sort(line[at:]), ordered[at:])

    def test_places(self):
        by_value, by_column, by_position = jit(partitioned), jit(down_columns), jit(positions)
        for dtype in DTYPES:
            for count, length in ((3, 50), (2, 5000)):
                for kind in ("many", "few", "nan"):
                    with self.subTest(dtype=dtype, length=length, kind=kind):
                        a = self.lines(dtype, count, length, kind)
                        places = np.array([length // 2, 3, -2])
                        rows = by_value(a, places)
                        self.assertEqual(rows.dtype, a.dtype)
                        found, flat = by_position(a, places)
                        self.assertEqual(found.dtype, np.int64)
                        for k in range(count):
                            self.check_order(rows[k], places)
                            np.testing.assert_array_equal(np.sort(rows[k]), np.sort(a[k]))
                            np.testing.assert_array_equal(np.sort(found[k]), np.arange(length))
                            self.check_order(a[k][found[k]], places)
                        self.check_order(a.ravel()[flat], places)
                        columns = by_column(a.T.copy(), length // 2)
                        for k in range(count):
                            self.check_order(columns[:, k], [length // 2])

    def test_medians(self):
        compiled = jit(medians)
        for dtype in ("i4", "f4", "f8"):
            for kind in ("many", "few", "nan"):
                for count, length in ((4, 1), (5, 33), (2, 4001)):
                    if length > 1 or kind != "nan":
                        with self.subTest(dtype=dtype, length=length, kind=kind):
                            self.compare(medians, [self.lines(dtype, count, length, kind)], compiled)


if __name__ == "__main__":
    unittest.main()
