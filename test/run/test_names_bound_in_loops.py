"""Names that are a number or None first, and an array from a loop's first iteration on; sums of arrays that a generator expression makes."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def added(x, w):
    rows = x.shape[0] - w.shape[0] + 1
    total = 0
    for k in range(w.shape[0]):
        total = total + w[k] * x[k:k + rows]
    return total


def bound(x, w):
    rows = x.shape[0] - w.shape[0] + 1
    total = None
    for k in range(w.shape[0]):
        part = w[k] * x[k:k + rows]
        if total is None:
            total = part
        else:
            total += part
    return total


def summed(x, w):
    rows = x.shape[0] - w.shape[0] + 1
    return sum(w[k] * x[k:k + rows] for k in range(w.shape[0]))


def summed_from(x, w):
    return sum((w[k, 0] * x[k:x.shape[0] - w.shape[0] + k + 1] for k in range(w.shape[0])), start=x[:1])


def neighbours(x, radius):
    h, w = x.shape
    p = np.pad(x, radius)
    return sum(p[i:i + h, j:j + w] for i in range(2 * radius + 1) for j in range(2 * radius + 1))


def of_a_generator(x, w):
    def parts():
        for k in range(w.shape[0]):
            yield x[k:x.shape[0] - w.shape[0] + k + 1] * w[k]
    return sum(parts())


def steps(x, n):
    """As many iterations as the call says, in which the name's array is made anew."""
    before, change = None, 0.0
    for _ in range(n):
        if before is not None:
            change += float(np.abs(x - before).sum())
        before = x
        x = 0.5 * (x + x[::-1]) + 0.25
    return x, before is None, change


def of_other_lengths(x, n):
    """The name is bound to an array of another length in each iteration."""
    total = 0
    for k in range(n):
        total = x[k:].sum() + total if k % 2 else total * x[:1] + k
    return total


def mismatched(x, n):
    return sum(x[:k + 2] for k in range(n))


class NamesBoundInLoops(Comparison):
    def test_results(self):
        rng = np.random.default_rng(5)
        for function in (added, bound, summed, summed_from, of_a_generator):
            compiled = jit(function)
            for taps in (8, 1, 2, 8, 0, 5, 3):
                if taps == 0 and function is summed_from:
                    continue
                with self.subTest(function=function.__name__, taps=taps):
                    self.compare(function, [rng.random((30, 4)), rng.random((taps, 4))], compiled)
        for function, arguments in ((neighbours, (rng.random((9, 7)), 2)), (steps, (rng.random(6), 3)), (of_other_lengths, (rng.random(6), 4))):
            compiled = jit(function)
            for count in (arguments[1], 1, 0, 4):
                with self.subTest(function=function.__name__, count=count):
                    self.compare(function, [arguments[0], count], compiled)

    def test_errors(self):
        for count in (0, 1, 2, 3):
            self.compare(mismatched, [np.arange(9.0), count])

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        rng = np.random.default_rng(6)
        for function in (added, bound, summed, of_a_generator):
            compiled, arguments = jit(function), (rng.random((30, 4)), rng.random((8, 4)))
            compiled(*arguments)
            before = npcc.counters()["launches"]
            compiled(*arguments)
            with self.subTest(function.__name__):
                self.assertEqual(npcc.counters()["launches"] - before, 1)


if __name__ == "__main__":
    unittest.main()
