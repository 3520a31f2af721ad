"""Loops over rows in which a branch on a number of the row decides what is done with it: guards against a sum of zero, and helpers that return early."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def expression(x):
    out = np.zeros_like(x)
    for i in range(x.shape[0]):
        s = x[i].sum()
        out[i] = x[i] / s if s > 0 else x[i]
    return out


def helper(x):
    def normalised(row):
        s = row.sum()
        if s == 0:
            return row
        return row / s
    return np.stack([normalised(row) for row in x])


def rebound(x):
    out = []
    for row in x:
        s = np.sqrt((row * row).sum())
        row = row / s if s > 0.5 else row
        out.append(row * 2)
    return np.array(out)


def array_or_number(x):
    out = np.empty_like(x)
    for i, row in enumerate(x):
        mean, deviation = row.mean(), row.std()
        out[i] = (row - mean) / deviation if deviation > 0 else 0.0
    return out


def both_store(x):
    out = np.empty_like(x)
    for i, row in enumerate(x):
        mean, deviation = row.mean(), row.std()
        if deviation > 0:
            out[i] = (row - mean) / deviation
        else:
            out[i] = 0.0
    return out


def appended(x):
    """Both sides append, and each row of the list is made once."""
    out = []
    for row in x:
        s = row.sum()
        if s > 0:
            out.append(row / s)
        else:
            out.append(row)
    return np.array(out)


def appended_unlike(x):
    """One side appends more than the other."""
    out = []
    for row in x:
        if row.sum() > 1:
            out.append(row)
            out.append(row * 2)
        else:
            out.append(row - 1)
    return np.array(out)


def comprehension(x):
    return np.array([row / row.max() if row.max() > 0 else row for row in x])


def changed_between(x):
    """The row that is chosen is a view of what is stored to before it is read."""
    for i in range(x.shape[0]):
        row = x[i] if x[i].sum() > 1 else x[i] * 3
        x[i] += 1
        x[i] = row + x[i]
    return x


def centres(x, c, steps):
    """Of points that are nearest to each; a centre that has none stays."""
    for _ in range(steps):
        nearest = ((x[:, None] - c) ** 2).sum(-1).argmin(axis=1)
        new = c.copy()
        for k in range(len(c)):
            if (nearest == k).sum() > 0:
                new[k] = x[nearest == k].mean(axis=0)
        c = new
    return c, nearest


class RowsByBranches(Comparison):
    def rows(self, n, m):
        x = np.random.default_rng(7).random((n, m)) - 0.2
        x[::3] = 0.0
        return x

    def test_results(self):
        for function in (expression, helper, rebound, array_or_number, both_store, appended, comprehension, changed_between):
            compiled = jit(function)
            for n, m in ((9, 5), (70, 33), (1, 1), (2, 300)):
                with self.subTest(function=function.__name__, n=n, m=m):
                    self.compare(function, [self.rows(n, m)], compiled)
        self.compare(appended_unlike, [self.rows(9, 5)])
        self.compare(centres, [self.rows(200, 3), np.random.default_rng(8).random((12, 3)), 4])

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        for function in (expression, helper, rebound, array_or_number, both_store, appended, comprehension):
            compiled, x = jit(function), self.rows(70, 33)
            compiled(x)
            before = npcc.counters()["launches"]
            compiled(x)
            with self.subTest(function.__name__):
                self.assertLessEqual(npcc.counters()["launches"] - before, 2)


if __name__ == "__main__":
    unittest.main()
