"""Nests in which (i, j) needs what was stored at (i, k < j) and (k < i, j): on a GPU a launch for each diagonal,
or one block for all that are short, with the results and errors of the loops."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def factorize(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


def factorize_half(a):
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])


def longest_common(a, b):
    """Of two sequences: the length of what is left of both when items are crossed out."""
    table = np.zeros((a.size + 1, b.size + 1), np.int64)
    for i in range(a.size):
        for j in range(b.size):
            if a[i] == b[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    return table


def best_split(cost):
    n = cost.shape[0]
    table = np.zeros((n, n), np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            table[i, j] = table[i + 1, j] + cost[i, j]
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k, j])
    return table


def relax(a, steps):
    for t in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = 0.25 * (a[i - 1, j + 1] + a[i, j - 1] + a[i + 1, j] + a[i, j + 1])


def relax_rows(a, steps):
    for t in range(steps):
        for i in range(1, a.shape[0] - 1):
            a[i, 1:-1] += a[i - 1, :-2] + a[i + 1, 2:]
            for j in range(1, a.shape[1] - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 9.0


def too_far(a):
    """The next row may not begin before this one has ended."""
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] += 0.5 * a[i - 1, a.shape[1] - 1 - j]


def backwards(a):
    """What a later row will store, and what an earlier one has."""
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            a[i, j] += 0.5 * a[i + 1, j - 1] - 0.25 * a[i - 1, j - 1]


class Diagonals(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(11)

    def matrix(self, n):
        return self.random.random((n, n)) + n * np.eye(n)

    def test_factorizations(self):
        for n in (1, 2, 63, 65):
            a = self.matrix(n)
            self.compare(factorize, [a], scale=8)
            self.compare(factorize_half, [a @ a.T], scale=8)

    def test_what_is_stored_before_an_error(self):
        for n in (4, 70):
            self.compare(factorize_half, [self.matrix(n)[:, :n - 1].copy() + 9.0], scale=8)

    def test_tables(self):
        for n in (1, 5, 70):
            self.compare(longest_common, [self.random.integers(0, 4, n), self.random.integers(0, 4, n + 9)])
            self.compare(best_split, [self.random.integers(0, 99, (n, n))])
        self.compare(best_split, [self.random.integers(0, 99, (70, 69))])

    def test_relaxations(self):
        for n in (2, 3, 66):
            self.compare(relax, [self.random.random((n, n + 5)), 3], scale=4)
            self.compare(backwards, [self.random.random((n, n + 5))], scale=4)
            self.compare(too_far, [self.random.random((n, 66))], scale=4)
            self.compare(relax_rows, [self.random.random((n, 9)), 70], scale=4)
            self.compare(relax_rows, [self.random.random((9, n)), 2], scale=4)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        def count(function, *arguments):
            compiled = npcc.jit(target="cuda")(function)
            compiled(*[a.copy() if isinstance(a, np.ndarray) else a for a in arguments])
            before = npcc.counters()["launches"]
            compiled(*[a.copy() if isinstance(a, np.ndarray) else a for a in arguments])
            return npcc.counters()["launches"] - before

        n = 65
        # The grid goes through the diagonals, for each of which there is little to do.
        self.assertEqual(count(factorize, self.matrix(n)), 1)
        # One block goes through diagonals that are short.
        self.assertEqual(count(longest_common, self.random.integers(0, 4, n), self.random.integers(0, 4, n + 9)), 2)
        # The grid goes through those of all sweeps. (Of many the host would, with a copy of the array.)
        self.assertEqual(count(relax_rows, self.random.random((9, 200)), 2), 1)


if __name__ == "__main__":
    unittest.main()
