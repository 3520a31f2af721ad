"""Large arrays that globals, closures and objects hold: compiled code gets them with each call, and sees what they hold then."""
import unittest

import numpy as np

import harness
from everything import Everything

rng = np.random.default_rng(0)
TABLE = rng.random((40, 30))
NUMBERS = rng.integers(0, 40, 1000)
LAYERS = [(rng.random((30, 20)), rng.random(20)), (rng.random((20, 20)), rng.random(20))]
OUTPUT = np.zeros(400)


class Model:
    def __init__(self):
        self.weights = rng.random((30, 300))
        self.scale = 2.0


MODEL = Model()


def helper(v):
    return v @ TABLE.T


class GlobalArrays(Everything):
    def test_reads(self):
        def read(v, k):
            total = 0.0
            for row in TABLE:
                total += row[0]
            return TABLE + v, TABLE[k], TABLE[NUMBERS[:5], 0], TABLE.shape, len(NUMBERS), NUMBERS.dtype == np.int64, NUMBERS[3], TABLE[2, 3] * 2, total, np.sum(TABLE, axis=0)
        self.check(read, np.arange(30.0), 3)

    def test_helpers_and_containers(self):
        def forward(v):
            for weights, bias in LAYERS:
                v = np.tanh(v @ weights + bias)
            return v

        def all_of_them(v):
            return helper(v), forward(v), MODEL.scale * (v @ MODEL.weights)
        self.check(all_of_them, rng.random((4, 30)))

    def test_closures(self):
        inner = rng.random(500)

        def added(n):
            return inner[:n].sum(), inner * n
        self.check(added, 7)

    def test_functions_without_arguments(self):
        def total():
            return TABLE.sum(), TABLE
        compiled = harness.jit(total)
        self.assertIs(compiled()[1], TABLE)
        self.assertAlmostEqual(compiled()[0], TABLE.sum())

    def test_writes(self):
        def written(v):
            OUTPUT[:3] = v
            OUTPUT[5] += 1
            return OUTPUT[5]
        compiled = harness.jit(written)
        OUTPUT[:] = 0
        self.assertEqual([compiled(2.0), compiled(3.0)], [1.0, 2.0])
        self.assertEqual(OUTPUT[:6].tolist(), [3, 3, 3, 0, 0, 2])

    def test_changes_between_calls(self):
        def first(v):
            return NUMBERS[0] + v
        compiled = harness.jit(first)
        for number in (5, 6, 7):
            NUMBERS[0] = number
            self.assertEqual(compiled(1), number + 1)
        self.assertEqual(len(next(iter(compiled.signatures), ())) < 3, True)

    def test_bound_anew(self):
        global NUMBERS

        def last(v):
            return NUMBERS[-1] + v, NUMBERS.sum()
        compiled = harness.jit(last)
        kept = NUMBERS
        try:
            for NUMBERS in (kept, np.arange(300), np.arange(600.0), np.arange(10), kept):
                self.assertEqual(compiled(1), (NUMBERS[-1] + 1, NUMBERS.sum()))
        finally:
            NUMBERS = kept

    def test_arguments_that_are_containers(self):
        def applied(pair, names):
            a, b = pair
            return names["scale"] * (a + TABLE[0]) - b
        self.check(applied, (rng.random(30), 2.5), {"scale": 3.0})

    def test_the_same_array_as_an_argument(self):
        def both(v):
            v[0, 0] = 9.0
            return TABLE[0, 0] + v[0, 0]
        compiled = harness.jit(both)
        kept = TABLE[0, 0]
        self.assertEqual(compiled(TABLE), 18.0)
        TABLE[0, 0] = kept


if __name__ == "__main__":
    unittest.main()
