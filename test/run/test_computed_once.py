"""Arrays that every iteration of a loop fills with the same elements: filled in the first one. Above all the order of updates at positions that stay."""
import unittest

import numpy as np

from harness import TARGET, Comparison, count_launches, jit

rng = np.random.default_rng(0)


def springs(x, v, i, j, rest, steps):
    for _ in range(steps):
        d = x[j] - x[i]
        r = np.sqrt((d * d).sum(axis=1))
        f = ((r - rest) / r)[:, None] * d
        force = np.zeros_like(x)
        np.add.at(force, i, f)
        np.add.at(force, j, -f)
        v = v + 0.01 * force
        x = x + 0.01 * v
    return x


def smoothing(v, faces, steps):
    for _ in range(steps):
        total = np.zeros_like(v)
        count = np.zeros(len(v))
        for a, b in ((0, 1), (1, 2), (2, 0)):
            np.add.at(total, faces[:, a], v[faces[:, b]])
            np.add.at(count, faces[:, a], 1)
        v = v + 0.5 * (total / np.maximum(count, 1)[:, None] - v)
    return v


def powers(rows, cols, values, x, n, steps):
    for _ in range(steps):
        y = np.bincount(rows, weights=values * x[cols], minlength=n)
        x = y / np.sqrt((y * y).sum())
    return x


def until_it_stands(rows, cols, values, x, tolerance):
    """A loop that what it has computed ends."""
    steps = 0
    while True:
        y = np.zeros_like(x)
        np.add.at(y, rows, values * x[cols])
        y /= np.abs(y).max()
        steps += 1
        if np.abs(y - x).max() < tolerance or steps > 50:
            return y, steps
        x = y


def while_it_moves(rows, values, x, tolerance):
    moved = np.inf
    while moved > tolerance:
        y = np.zeros_like(x)
        np.add.at(y, rows, values)
        moved = np.abs(y - x).max()
        x = 0.5 * (x + y)
    return x


def other_positions(x, positions, values, steps):
    """The positions move: they are sorted anew."""
    for _ in range(steps):
        np.add.at(x, positions, values)
        positions = (positions + 1) % len(x)
    return x


def stored_positions(x, positions, values, steps):
    """The same array of positions, whose elements change."""
    for _ in range(steps):
        np.add.at(x, positions, values)
        positions[:] = (positions * 3 + 1) % len(x)
    return x


def later_reader(x, positions, values, steps):
    """What reads the counts while they grow sees them grow in every iteration."""
    total = np.float64(0)
    for _ in range(steps):
        counts = np.zeros(len(x))
        np.add.at(counts, positions, values)
        total += counts.max()
        np.add.at(counts, positions, 1.0)
        total += counts.min()
    return total


def returned_counts(x, positions, values, steps):
    """The last iteration's array outlives the loop."""
    counts = np.zeros(len(x))
    for k in range(steps):
        counts = np.zeros(len(x))
        np.add.at(counts, positions, values)
        x = x + counts * k
    return x, counts


def nested(x, positions, values, epochs, steps):
    for epoch in range(epochs):
        for _ in range(epoch % steps):
            force = np.zeros_like(x)
            np.add.at(force, positions, values * x[positions])
            x = x + 0.1 * force
    return x


def outside(x, positions, values, steps):
    """The first iteration has stored when a position turns out to be outside."""
    for _ in range(steps):
        x[0] += 1
        force = np.zeros_like(x)
        np.add.at(force, positions, values)
        x += force
    return x


def pushed(x, positions, values, steps):
    """Only the last value of each position stays."""
    for k in range(steps):
        last = np.zeros_like(x)
        last[positions] = values * k
        x = x + last
    return x


def kept_arrays(x, steps):
    """Every list entry is an array of its own, though all begin alike."""
    rows = []
    for k in range(steps):
        row = np.zeros(len(x))
        rows.append(row)
        rows[k][k] = x[k]
    return rows


class ComputedOnce(Comparison):
    def arrays(self, n=40, updates=600):
        return rng.random(n), rng.integers(0, n, updates), rng.random(updates)

    def test_springs(self):
        i, j = rng.integers(0, 20, 400), rng.integers(20, 40, 400)
        for steps in (0, 1, 4):
            self.compare(springs, [rng.random((40, 3)), rng.random((40, 3)), i, j, rng.random(400), steps])

    def test_smoothing(self):
        self.compare(smoothing, [rng.random((40, 3)), rng.integers(0, 40, (300, 3)), 3])

    def test_bincount(self):
        x, rows, values = self.arrays()
        self.compare(powers, [rows, rng.integers(0, 40, 600), values, x, 40, 3])

    def test_while_loops(self):
        x, rows, values = self.arrays()
        self.compare(until_it_stands, [rows, rng.integers(0, 40, 600), values, x, 1e-9])
        self.compare(while_it_moves, [rows, values, x, 1e-3])

    def test_positions_that_change(self):
        x, positions, values = self.arrays()
        self.compare(other_positions, [x, positions, values, 3])
        self.compare(stored_positions, [x, positions, values, 3])

    def test_readers_between(self):
        x, positions, values = self.arrays()
        self.compare(later_reader, [x, positions, values, 3])
        for steps in (0, 3):
            self.compare(returned_counts, [x, positions, values, steps])

    def test_arrays_of_lists(self):
        self.compare(kept_arrays, [rng.random(5), 4])

    def test_nested_loops(self):
        x, positions, values = self.arrays()
        self.compare(nested, [x, positions, values, 4, 3])

    def test_last_values(self):
        x, positions, values = self.arrays()
        self.compare(pushed, [x, positions, values, 3])

    def test_errors(self):
        x, positions, values = self.arrays()
        positions[500] = 40
        for steps in (0, 2):
            self.compare(outside, [x, positions, values, steps])

    @unittest.skipUnless(TARGET == "cuda", "a device sorts updates by position")
    def test_positions_are_sorted_once(self):
        i, j = rng.integers(0, 20, 400), rng.integers(20, 40, 400)
        first, second = (count_launches(jit(springs), [rng.random((40, 3)), rng.random((40, 3)), i, j, rng.random(400), steps]) for steps in (10, 20))
        self.assertLessEqual(second - first, 10 * 6)
        x, rows, values = self.arrays()
        first, second = (count_launches(jit(while_it_moves), [rows, values, x, tolerance]) for tolerance in (1e-1, 1e-4))
        self.assertLess(second - first, 14 * 8)


if __name__ == "__main__":
    unittest.main()
