"""Steps of small array statements: on a GPU one block goes through all of them, with the results and errors of the statements."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def pressure(p, b, steps, d):
    for _ in range(steps):
        q = p.copy()
        p[1:-1, 1:-1] = (q[1:-1, 2:] + q[1:-1, :-2] + q[2:, 1:-1] + q[:-2, 1:-1]) / 4.0 - d * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0


def around(p, steps):
    """The columns at both ends are neighbours."""
    for _ in range(steps):
        q = p.copy()
        p[:, 1:-1] = 0.5 * (q[:, 2:] + q[:, :-2])
        p[:, -1] = 0.5 * (q[:, 0] + q[:, -2])
        p[:, 0] = 0.5 * (q[:, 1] + q[:, -1])


def of_two_extents(x, y, steps):
    for _ in range(steps):
        x[:] = x + y
        y *= 0.5


def shortest_paths(d):
    for k in range(d.shape[0]):
        d[:] = np.minimum(d[:], np.add.outer(d[:, k], d[k, :]))


def eliminate(a):
    for k in range(a.shape[0] - 1):
        a[k + 1:, :] -= a[k + 1:, k:k + 1] / a[k, k] * a[k, :]


def from_the_first(a):
    a -= a[0]
    a *= a[:, -1:] + a[:, 0, np.newaxis]


def rows_meet(p):
    """With two rows, the last but one is the first."""
    p[-1] = p[-2] + 1.0
    p[0] = p[1] + 2.0
    p[-2] = p[-1]


def forces(position, mass):
    x, y = position[:, 0:1], position[:, 1:2]
    dx, dy = x.T - x, y.T - y
    near = 1.0 / np.sqrt(dx * dx + dy * dy + 0.1)
    return np.hstack(((dx * near) @ mass, (dy * near) @ mass))


def orbits(position, velocity, mass, steps, dt):
    t, acceleration = 0.0, forces(position, mass)
    energy = np.zeros(steps)
    for i in range(steps):
        velocity += acceleration * dt / 2.0
        position += velocity * dt
        acceleration = forces(position, mass)
        velocity += acceleration * dt / 2.0
        t += dt
        energy[i] = 0.5 * np.sum(mass * velocity**2)
    return acceleration, energy, t


def recurrence(r):
    y = np.empty_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y, alpha


def powers(a, x, steps):
    for _ in range(steps):
        x = a @ x
        x = x / np.sqrt(np.sum(x * x))
    return x


def shorter(x, steps):
    for _ in range(steps):
        x = x[:-1] + x[1:]
    return x


def turned(x, steps):
    kept = x.copy()
    for _ in range(steps):
        x = x[::-1] * 0.5 + kept
    return x


def two_extents_that_change_places(x, y, steps):
    for _ in range(steps):
        x, y = y * 2.0, x + 1.0
    return x, y


def two_that_change_places(a, b, steps):
    for _ in range(steps):
        a, b = b, a + 0.5 * b
    return a, b


class TimeLoops(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(3)

    def test_values(self):
        for shape in [(2, 2), (3, 5), (20, 31)]:
            self.compare(pressure, [self.random.random(shape), self.random.random(shape), 5, 0.1], scale=4)
            self.compare(around, [self.random.random(shape), 5], scale=4)
            self.compare(from_the_first, [self.random.random(shape)])
        for n in (2, 3, 5):
            self.compare(shortest_paths, [self.random.integers(0, 50, (n, n))])
            self.compare(eliminate, [self.random.random((n, n)) + n * np.eye(n)], scale=8)
            self.compare(rows_meet, [self.random.random((n, 3))])

    def test_arrays_that_go_round(self):
        for n in (1, 2, 9):
            bodies = [self.random.random((n, 2)), self.random.random((n, 2)), self.random.random((n, 1))]
            for steps in (0, 1, 4):
                self.compare(orbits, [*bodies, steps, 0.01], scale=8)
                self.compare(powers, [self.random.random((n, n)), self.random.random((n, 1)), steps], scale=8)
                self.compare(powers, [self.random.random((n, n)), self.random.random((n, 3)), steps], scale=8)
                self.compare(two_that_change_places, [self.random.random(n), self.random.random(n), steps], scale=4)
            self.compare(recurrence, [self.random.random(n) / n], scale=8)
        for steps in (0, 1, 3):
            self.compare(shorter, [self.random.random(6), steps], scale=4)
            self.compare(turned, [self.random.random(6), steps], scale=4)
            for n in (6, 4):
                self.compare(two_extents_that_change_places, [self.random.random(6), self.random.random(n), steps], scale=4)

    def test_extents(self):
        self.compare(pressure, [self.random.random((9, 8)), self.random.random((9, 7)), 3, 0.1])
        self.compare(pressure, [self.random.random((9, 8)), self.random.random((9, 3)), 3, 0.1])
        for n in (1, 6, 7):
            self.compare(of_two_extents, [self.random.random(6), self.random.random(n), 3])
        self.compare(of_two_extents, [self.random.random(6), self.random.random(7), 0])

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        def count(function, *arguments):
            compiled = npcc.jit(target="cuda")(function)
            arguments = [npcc.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
            before = npcc.counters()["launches"]
            compiled(*arguments)
            return npcc.counters()["launches"] - before

        p, b = self.random.random((20, 31)), self.random.random((20, 31))
        self.assertEqual(count(pressure, p, b, 5, 0.1), 1)
        self.assertEqual(count(around, p, 5), 1)
        # What is made before the loop, copies of what goes round, and the loop.
        self.assertEqual(count(recurrence, p[0].copy() / 31), 7)
        self.assertEqual(count(powers, p[:, :20].copy(), p[:, :1].copy(), 5), 2)
        self.assertEqual(count(of_two_extents, p[0].copy(), b[0].copy(), 5), 1)


if __name__ == "__main__":
    unittest.main()
