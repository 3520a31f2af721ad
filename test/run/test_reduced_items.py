"""max, min, sum, any and all of arrays, lists and generators: one reduction of their items, with Python's rules for NaN and for types."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, count_launches, jit

INF, NAN = np.inf, np.nan
FLOATS = [1.5, -2.0, 3.0, 3.0], [NAN, 1.0, 2.0, 5.0], [1.0, NAN, 2.0, NAN], [-INF, NAN, -INF, -INF], [NAN] * 4, [INF, -INF, NAN, 1.0]
DTYPES = np.float32, np.int32, np.int64, np.uint8, np.bool_


def of_array(x):
    return max(x), min(x)


def of_list(x):
    items = [v for v in x]
    return max(items), min(items), sum(items), sum(items, 10)


def by_key(x):
    return max([v for v in x], key=lambda v: -v), min((v for v in x), key=abs)


def of_python_floats(x):
    return max([float(v) for v in x]), min(float(v) for v in x)


def of_tests(x):
    return any([v > 1 for v in x]), all([v > 1 for v in x]), any([v for v in x]), all([v for v in x])


def of_rows(x):
    return max(row.sum() for row in x), sum([row * 2 for row in x])


def largest_of_rows(x):
    return max([np.abs(np.diff(row)).max() for row in x])


def sum_of_rows(x):
    return sum([row * row for row in x])


class ReducedItems(Comparison):
    def test_floats(self):
        for values in FLOATS:
            with self.subTest(values=values):
                for function in (of_array, of_list, by_key, of_python_floats, of_tests):
                    self.compare(function, (np.array(values),))

    def test_dtypes(self):
        for dtype in DTYPES:
            with self.subTest(dtype=dtype):
                x = np.array([3, 0, 1, 1, 0]).astype(dtype)
                self.compare(of_array, (x,))
                self.compare(of_list, (x,))
                self.compare(of_tests, (x,))

    def test_wrapping_sums(self):
        for x in (np.array([2**31 - 1, 5, 6], np.int32), np.array([100, 100, 27], np.int8), np.array([2**62] * 3)):
            with self.subTest(dtype=x.dtype), np.errstate(over="ignore"):
                self.compare(of_list, (x,))

    def test_empty(self):
        for dtype in (np.float64, np.int32):
            for function in (of_array, of_list):
                with self.subTest(dtype=dtype, function=function.__name__), self.assertRaisesRegex(ValueError, r"max\(\) .*empty"):
                    jit(function)(np.zeros(0, dtype))

    def test_rows(self):
        x = np.random.default_rng(1).random((9, 40))
        for function in (of_rows, largest_of_rows, sum_of_rows):
            self.compare(function, (x,))

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_the_host_does_not_look_at_items(self):
        x = npcc.asarray(np.random.default_rng(2).random((50, 300)))
        self.assertLessEqual(count_launches(jit(largest_of_rows), (x,)), 3)
        self.assertLessEqual(count_launches(jit(sum_of_rows), (x,)), 2)


if __name__ == "__main__":
    unittest.main()
