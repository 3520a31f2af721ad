"""Long loops of which an iteration needs the one before: on a GPU the host runs them, with copies of their arrays. Values, errors, and what is
launched and copied."""
import math
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def relaxed(s, chance, beta, sweeps):
    """In place: each element takes its neighbours as they are by then."""
    n, m = s.shape
    for k in range(sweeps):
        for i in range(n):
            for j in range(m):
                around = s[(i + 1) % n, j] + s[i - 1, j] + s[i, (j + 1) % m] + s[i, j - 1]
                change = 2 * s[i, j] * around
                if change <= 0 or chance[k, i, j] < math.exp(-beta * change):
                    s[i, j] = -s[i, j]


def aligned(a, b, match, other, gap):
    table = np.zeros((a.size + 1, b.size + 1), np.int32)
    best = 0
    for i in range(1, a.size + 1):
        for j in range(1, b.size + 1):
            score = table[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else other)
            score = max(score, table[i - 1, j] + gap, table[i, j - 1] + gap, 0)
            table[i, j] = score
            if score > best:
                best = score
    return best, table


def packed(weights, values, most):
    best = np.zeros(most + 1, np.int64)
    for i in range(len(weights)):
        for c in range(most, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + values[i])
    return best


def walked(steps, visits):
    """An index that the loop computes, of any size: an error in the middle."""
    at = 0
    for k in range(steps.size):
        at = (at * 5 + steps[k]) % 1000
        visits[at] = visits[at] * 3 + at
    return at


def shifted(x, y):
    """One array may be a part of the other."""
    for k in range(1, x.size):
        x[k] = (x[k - 1] * 7 + y[k - 1]) % 1009


class LoopsLeftToHost(Comparison):
    def test_values(self):
        g = np.random.default_rng(3)
        self.compare(relaxed, [g.choice([-1, 1], (40, 50)), g.random((6, 40, 50)), 0.4, 6])
        self.compare(aligned, [g.integers(0, 4, 130), g.integers(0, 4, 140), 3, -2, -1])
        self.compare(packed, [g.integers(1, 50, 30), g.integers(1, 100, 30), 2000])
        self.compare(walked, [g.integers(0, 1000, 30000), np.zeros(1000, np.int64)])

    def test_errors(self):
        """All that was stored until then is in the array."""
        g = np.random.default_rng(4)
        self.compare(walked, [g.integers(0, 1000, 30000), np.ones(990, np.int64)])
        self.compare(walked, [np.zeros(0, np.int64), np.ones(3, np.int64)])

    def test_overlapping(self):
        x = np.random.default_rng(5).integers(0, 1000, 40000)
        self.compare(shifted, [x, x])
        self.compare(shifted, [x, x.copy()])
        self.compare(shifted, [x[100:], x[:-100]])

    @unittest.skipUnless(TARGET == "cuda", "the host's memory is the device's")
    def test_launches_and_copies(self):
        compiled, g = jit(walked), np.random.default_rng(6)
        steps, visits = g.integers(0, 1000, 30000), np.zeros(1000, np.int64)
        expected = visits.copy()
        last = walked(steps, expected)
        on_device = npcc.array(steps, device="cuda"), npcc.array(visits, device="cuda")
        compiled(*on_device)
        on_device[1][:] = 0
        before = npcc.counters()
        self.assertEqual(compiled(*on_device), last)
        after = npcc.counters()
        np.testing.assert_array_equal(on_device[1].get(), expected)
        self.assertEqual(after["launches"] - before["launches"], 1)  # which stores what is returned
        # Few steps are one thread's.
        few = npcc.array(steps[:50], device="cuda")
        jit(walked)(few, on_device[1])
        self.assertEqual(npcc.counters()["launches"] - after["launches"], 2)


if __name__ == "__main__":
    unittest.main()
