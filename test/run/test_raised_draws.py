"""Random numbers that a loop draws in each iteration: one draw for many iterations, with NumPy's numbers and NumPy's state behind it."""
import unittest

import numpy as np

from harness import TARGET, Comparison, count_launches, jit


def bootstrap(rng, x, reps):
    out = np.empty(reps)
    for b in range(reps):
        out[b] = rng.choice(x, size=len(x)).mean()
    return out, rng.random()


def walk(rng, n, steps):
    s = np.zeros(n)
    top = np.zeros(n)
    for _ in range(steps):
        s = s + rng.normal(size=n)
        top = np.maximum(top, s)
    return top, rng.random()


def two_a_step(rng, n, steps, dt):
    v = np.full(n, 0.04)
    s = np.full(n, 100.0)
    for _ in range(steps):
        z1 = rng.standard_normal(n)
        z2 = rng.standard_normal(n)
        s = s * np.exp(-0.5 * v * dt + np.sqrt(v * dt) * z1)
        v = np.abs(v + 2 * (0.04 - v) * dt + 0.3 * np.sqrt(v * dt) * z2)
    return s, rng.random()


def matrices(rng, n, reps):
    total = np.zeros((n, 3))
    for k in range(2, reps, 3):
        total += rng.random((n, 3), dtype=np.float32) * k
    return total, rng.random()


def whole_numbers(rng, dtype, n, reps):
    total = np.zeros(n, np.int64)
    for k in range(reps):
        total += rng.integers(0, 100, n, dtype=dtype) * (k + 1)
    return total, rng.random()


def mixed(rng, n, reps):
    """Normal numbers take as many words as they take: the uniform ones behind them are others."""
    out = np.empty(reps)
    for i in range(reps):
        x = rng.normal(size=n)
        y = rng.random(n)
        out[i] = (x * y).sum()
    return out, rng.random()


def in_turns(rng, n, reps):
    """Several distributions, two draws of one of them side by side, and integers that leave parts of words."""
    total = np.zeros(n)
    counts = np.zeros(3, np.int64)
    for k in range(reps):
        a = rng.normal(1.0, 2.0, n)
        b = rng.random(n)
        c = rng.random(n)
        d = rng.integers(0, 100, 3, dtype=np.int8)
        e = rng.gamma(0.5, 2.0, size=(2, n))
        total = total + a * b - c * e[0] + e[1]
        counts = counts + d * k
    return total, counts, rng.random()


def uniform(rng, n, m, reps):
    total = np.zeros(n)
    other = np.zeros(m)
    for k in range(reps):
        total = total + rng.uniform(-1.5, 2.25, n) * rng.random(n)
        other = other + rng.uniform(0.1, 0.7, m) / (k + 1)
    return total, other, rng.random()


def shuffled(rng, n, reps):
    total = np.zeros(n)
    for k in range(reps):
        order = rng.permutation(n)
        few = rng.choice(n, 3, replace=False)
        total = total + order * (k + 1)
        total[few] += 1
    return total, rng.random()


def spreads_in_turns(rng, first, second, n, reps):
    """Which error comes, and behind which draws."""
    total = np.zeros(n)
    for k in range(reps):
        a = rng.exponential(first, n)
        b = rng.normal(0.0, second, n)
        total = total + a * b
    return total


def of_many_axes(rng, reps):
    total = np.zeros((1,) * 14 + (3,))
    wide = np.zeros((1,) * 15 + (3,))
    for k in range(reps):
        total += rng.random((1,) * 14 + (3,))
        total += rng.random((1,) * 14 + (3,))
    for k in range(reps):
        wide += rng.random((1,) * 15 + (3,))
    return total.ravel(), wide.ravel(), rng.random()


def with_spread(rng, scale, n, reps):
    total = np.zeros(n)
    for _ in range(reps):
        total += rng.normal(0.0, scale, n)
    return total, rng.random()


def stored_into(rng, n, reps):
    total = np.zeros(n)
    for k in range(reps):
        x = rng.random(n)
        x[0] = k
        x *= 2
        total += x
    return total, rng.random()


def kept(rng, n, reps):
    rows = []
    for _ in range(reps):
        rows.append(rng.random(n))
    rows[0][0] = 5
    return rows, rng.random()


def leaving(rng, x, n, reps):
    """An iteration raises: later ones have drawn nothing."""
    total = np.zeros(n)
    for k in range(reps):
        total += rng.random(n) * x[k]
    return total


def other_draws(rng, n, reps):
    total = np.zeros(n)
    for k in range(reps):
        total += rng.random(n)
        if k == 1:
            total += rng.random()
    return total, rng.random()


def of_rows(rng, n, reps):
    total = np.zeros(n)
    for k in range(reps):
        for j in range(k):
            total += rng.random(n) * j
    return total, rng.random()


def around(rng, means, scale, reps):
    """What is wrong with the scale is found before anything is drawn, but not where there is no iteration."""
    total = np.zeros(means.shape)
    for k in range(reps):
        total = total + rng.normal(means, scale) * (k + 1)
    return total, rng.random()


def steps_from(rng, x, scale, reps):
    for _ in range(reps):
        x = rng.normal(x, scale)
    return x, rng.random()


def between(rng, low, high, scale, reps):
    total = np.zeros(low.shape)
    for _ in range(reps):
        total = total + rng.uniform(low, high) * rng.exponential(scale, low.shape)
    return total, rng.random()


def second_is_wrong(rng, means, scale, reps):
    total = np.zeros(means.shape)
    for _ in range(reps):
        total = total + rng.random(means.shape) * rng.normal(means, scale)
    return total


def hits(rng, reps):
    count = 0
    for _ in range(reps):
        x = rng.random()
        y = rng.random()
        if x * x + y * y < 1:
            count += 1
    return count, rng.random()


def chain(rng, scale, reps):
    x = total = 0.0
    for _ in range(reps):
        y = x + rng.normal(0.0, scale)
        if rng.random() < np.exp(0.5 * (x * x - y * y)):
            x = y
        total += x
    return total, rng.random()


def numbers_and_arrays(rng, n, reps):
    total = np.zeros(n)
    for _ in range(reps):
        total = total + rng.random() * rng.normal(size=n) + rng.integers(0, 10)
    return total, rng.random()


def numbers_of_rows(rng, rows, columns):
    total = np.zeros(rows)
    for i in range(rows):
        for j in range(columns):
            total[i] += rng.exponential() * j
    return total, rng.random()


def number_of_some(rng, reps):
    """Not all iterations draw the second number."""
    total = 0.0
    for _ in range(reps):
        if rng.random() < 0.5:
            total += rng.random()
    return total, rng.random()


def own(n, steps):
    return walk(np.random.default_rng(7), n, steps)


class RaisedDraws(Comparison):
    def check(self, function, *arguments, legacy=False):
        make = np.random.RandomState if legacy else np.random.default_rng
        outcomes = []
        for run in (function, jit(function)):
            rng = make(11)
            try:
                outcome = run(rng, *arguments)
            except Exception as error:  # as the program would see it
                outcome = f"{type(error).__name__}: {error}"
            outcomes.append((outcome, rng.random() if legacy else rng.random(3).tolist()))
        (expected, state), (got, state_after) = outcomes
        if isinstance(expected, str) or isinstance(got, str):
            self.assertEqual(got, expected)
        else:
            self.compare_values(expected, got)
        self.assertEqual(state, state_after)

    def test_numbers(self):
        for reps in (0, 1, 6):
            self.check(walk, 20, reps)
            self.check(two_a_step, 20, reps, 0.01)
            self.check(matrices, 5, reps)
            self.check(mixed, 20, reps)
            self.check(of_rows, 20, reps)
            self.check(in_turns, 20, reps)
            self.check(shuffled, 20, reps)
            self.check(of_many_axes, reps)
            self.check(uniform, 20, 7, reps)
            self.check(uniform, 0, 7, reps)
            self.check(uniform, 20, -1, reps)
        self.check(bootstrap, np.arange(30.0), 6)

    def test_integers(self):
        for dtype in (np.int64, np.uint32, np.int32, np.int16, np.uint8):
            self.check(lambda rng, n, reps: whole_numbers(rng, dtype, n, reps), 7, 5)

    def test_legacy(self):
        def normals(rng, n, reps):
            total = np.zeros(n)
            for k in range(reps):
                total += rng.randn(n) * (k + 1)
            return total

        def integers(rng, n, reps):
            total = np.zeros(n)
            for k in range(reps):
                total += rng.randint(0, 1000, n) * (k + 1)
            return total
        self.check(normals, 7, 5, legacy=True)
        self.check(integers, 7, 5, legacy=True)
        self.check(uniform, 7, 3, 5, legacy=True)

    def test_parameters(self):
        for scale in (2.0, -1.0):
            for reps in (0, 3):
                self.check(with_spread, scale, 6, reps)
        self.check(with_spread, 2.0, -1, 3)
        for first, second, n in ((1.0, 2.0, 6), (-1.0, 2.0, 6), (1.0, -2.0, 6), (-1.0, -2.0, 6), (1.0, 2.0, -1), (1.0, -2.0, -1), (1.0, -2.0, 0)):
            for reps in (0, 3):
                self.check(spreads_in_turns, first, second, n, reps)

    def test_parameters_of_arrays(self):
        means = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
        for reps in (0, 1, 5):
            for scale in (2.0, -1.0, np.nan, np.full(4, 0.5), np.array([1.0, 2.0, -0.0, 3.0])):
                self.check(around, means, scale, reps)
                self.check(steps_from, means, scale, reps)
                self.check(second_is_wrong, means, scale, reps)
            for high in (means + 1, means - 1, means + np.inf):
                self.check(between, means, high, 2.0, reps)
            self.check(between, means, means + 1, -2.0, reps)
        self.check(around, means, 2.0, 3, legacy=True)
        self.check(steps_from, means, -2.0, 3, legacy=True)

    def test_single_numbers(self):
        for reps in (0, 1, 30):
            for legacy in (False, True):
                self.check(hits, reps, legacy=legacy)
                self.check(chain, 0.5, reps, legacy=legacy)
                self.check(number_of_some, reps, legacy=legacy)
            self.check(chain, -0.5, reps)
            self.check(numbers_and_arrays, 5, reps)
            self.check(numbers_of_rows, 3, reps)
        self.check(numbers_of_rows, 2, 1100)

    def test_arrays_that_change(self):
        self.check(stored_into, 6, 4)
        self.check(kept, 6, 4)
        self.check(other_draws, 6, 4)

    def test_exceptions(self):
        for length in (2, 4):
            self.check(leaving, np.arange(float(length)), 6, 4)

    @unittest.skipUnless(TARGET == "cpu", "sixteen million numbers")
    def test_blocks(self):
        """More numbers than one draw makes."""
        expected, got = (f(1 << 20, 40) for f in (own, jit(own)))
        self.compare_values(expected, got)

    @unittest.skipUnless(TARGET == "cuda", "a device is what launches are counted of")
    def test_launches(self):
        def means(n, reps):
            rng = np.random.default_rng(1)
            out = np.empty(reps)
            for b in range(reps):
                out[b] = rng.random(n).mean()
            return out
        self.assertEqual(count_launches(jit(means), [50, 10]), count_launches(jit(means), [50, 40]))
        self.assertEqual(count_launches(jit(own), [50, 10]), count_launches(jit(own), [50, 40]))

        def about(n, reps):
            rng = np.random.default_rng(1)
            return around(rng, np.linspace(0.0, 1.0, n), 2.0, reps)
        self.assertEqual(count_launches(jit(about), [50, 10]), count_launches(jit(about), [50, 40]))

        def alternately(n, steps):
            return mixed(np.random.default_rng(7), n, steps)
        self.assertEqual(count_launches(jit(alternately), [50, 10]), count_launches(jit(alternately), [50, 40]))


if __name__ == "__main__":
    unittest.main()
