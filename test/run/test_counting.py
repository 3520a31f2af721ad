"""Updates at positions that arrays give, of few elements and of enough for many threads: integers in any order, floats in Python's."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def tally(a, where, values):
    for i in range(where.shape[0]):
        a[where[i]] += values[i]
        if values[i] > 3:
            a[where[i]] -= 1
    np.subtract.at(a, where[::2], 2)


def bounds(low, high, where, values):
    np.minimum.at(low, where, values)
    np.maximum.at(high, where, values)


def rows(a, where, values):
    np.add.at(a, (where[:, None], np.arange(a.shape[1])), values)


def sum_rows(a, b, where, values):
    np.add.at(a, where, values)
    for i in range(where.shape[0]):
        b[where[i]] = b[where[i]] * 0.5 + values[i]


def last_row(a, where, values):
    for i in range(where.shape[0]):
        a[where[i]] = values[i] + 1


def masks(a, b, where, bits):
    for i in range(where.shape[0]):
        a[where[i]] |= bits[i]
        b[where[i]] &= bits[i]


# NumPy's weighted bincount of no elements is of integers.
def weigh(a, where, values):
    np.add.at(a, where, values)
    for i in range(where.shape[0]):
        a[where[i]] = a[where[i]] * 0.5 + values[i]
    return np.bincount(where, weights=values.real)


# Few bins with many elements each are summed in parts, without sorting.
def few_bins(where, values, a, rows, table):
    np.subtract.at(a, where, values)
    np.add.at(table, where % table.shape[0], rows)
    for i in range(where.shape[0]):
        for j in range(2):
            table[where[i] % 7, j] -= 0.25 * rows[i, j]
    return np.bincount(where, weights=values * 2)


def counts(where, x):
    numbers, edges = np.histogram(x, 50)
    weighted = np.histogram(x, 9, weights=x)[0], np.histogram(x, 5, weights=np.ones(x.shape[0], int), range=(0.3, 0.7))[0]
    return np.bincount(where), np.bincount(where, minlength=700), numbers, edges, np.histogram(x, 7, range=(0.25, 0.75))[0], weighted[0], weighted[1]


def last(a, where, values):
    a[where] = values
    a[where, 1] += 1


def count_into(a, where):
    for i in range(where.shape[0]):
        a[where[i]] += 1


random = np.random.default_rng(3)
SIZES = (0, 1, 100, 20000)


class Counting(Comparison):
    def each(self, function, cases):
        compiled = jit(function)
        for arguments in cases:
            with self.subTest(shapes=[a.shape for a in arguments], dtypes=[a.dtype.str for a in arguments]):
                self.compare(function, arguments, compiled)

    def test_integers(self):
        for dtype in ("i1", "u4", "i8"):
            for bins in (1, 300, 5000) if dtype == "i8" else (60,):
                where = lambda n: random.integers(-bins, bins, n)
                values = lambda n: random.integers(0, 9, n).astype(dtype)
                self.each(tally, [(values(bins), where(n), values(n)) for n in SIZES])

    def test_other_operations(self):
        for dtype in ("u2", "i4"):
            values = lambda n: random.integers(0, 60000, n).astype(dtype)
            self.each(bounds, [(values(50), values(50), random.integers(0, 50, n), values(n)) for n in SIZES])
        self.each(masks, [(v(9), v(9), random.integers(0, 9, n), v(n)) for n in SIZES for v in [lambda k: random.integers(0, 2**30, k)]])

    def test_rows(self):
        self.each(rows, [(random.integers(0, 9, (20, 3)), random.integers(-20, 20, n), random.integers(0, 9, (n, 3))) for n in SIZES])

    def test_rows_in_order(self):
        for shape in ((3,), (2, 5)):
            a = random.random((20, *shape))
            for n in (0, 1, 31, 300):
                where, values = random.integers(-20, 20, n), random.random((n, *shape))
                self.each(sum_rows, [(a.copy(), a.copy(), where, values)])
                self.each(last_row, [(a.copy(), where, values)])

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches_of_rows(self):
        compiled = jit(last_row)
        before = npcc.counters()["launches"]
        compiled(random.random((20, 3)), random.integers(-20, 20, 3000), random.random((3000, 3)))
        self.assertEqual(npcc.counters()["launches"] - before, 4)  # the checks, no iteration, the last one, the rows

    def test_floats(self):
        for dtype in ("f4", "c16"):
            self.each(weigh, [(random.random(30).astype(dtype), random.integers(0, 30, n), random.random(n).astype(dtype)) for n in SIZES[1:]])

    def test_few_bins(self):
        for dtype, bins, n in (("f4", 1, 16384), ("f8", 700, 16400), ("f8", 9000, 18100)):
            given = (random.integers(0, bins, n), random.random(n).astype(dtype), random.random(bins).astype(dtype),
                     random.random((n, 3)).astype(dtype), random.random((9, 3)).astype(dtype))
            with self.subTest(dtype=dtype, bins=bins, n=n):
                compiled = jit(few_bins)
                self.compare(few_bins, given, compiled, scale=256)  # NumPy adds one by one
                again = [[a.copy() for a in given] for _ in range(2)]
                results = [compiled(*arguments) for arguments in again]
                self.assertEqual(*(result.tobytes() for result in results))
                for first, second in zip(*again):
                    self.assertEqual(first.tobytes(), second.tobytes())

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches_of_few_bins(self):
        def into(a, where, values):
            np.add.at(a, where, values)
        compiled = jit(into)
        before = npcc.counters()["launches"]
        compiled(random.random(50), random.integers(0, 50, 20000), random.random(20000))
        self.assertEqual(npcc.counters()["launches"] - before, 5)  # the checks and their outcome, cleared bins, sums of parts, their sum

    def test_counts(self):
        for dtype in ("f4", "f8"):
            self.each(counts, [(random.integers(0, 500, n), random.random(n).astype(dtype)) for n in SIZES])
        edges = np.concatenate([np.linspace(0, 1, 51), np.nextafter(np.linspace(0, 1, 51), 0), np.nextafter(np.linspace(0, 1, 51), 2)])
        self.each(counts, [(np.arange(5), x) for x in (edges, np.repeat(edges, 300), np.array([3.0]), np.array([0.25, 0.75, -1]))])

    def test_the_last_value_stays(self):
        self.each(last, [(random.random((40, 3)), random.integers(-40, 40, n), random.random((n, 3))) for n in SIZES])

    def test_positions_outside(self):
        for n in (100, 20000):
            where = random.integers(-9, 9, n)
            where[n // 2] = 9
            compiled, a, expected = jit(count_into), np.zeros(9, np.int64), np.zeros(9, np.int64)
            with self.assertRaises(IndexError) as caught:
                compiled(a, where)
            self.assertEqual(str(caught.exception), "index 9 is out of bounds for axis 0 with size 9")
            np.add.at(expected, where[:n // 2], 1)
            if TARGET == "cpu":
                self.assertEqual(a.tolist(), expected.tolist())


if __name__ == "__main__":
    unittest.main()
