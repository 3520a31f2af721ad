"""Steps of array statements: on a GPU one block or the whole grid goes through all of them, with the results and errors of the statements."""
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


def spread(a, b, steps):
    """Both are read where other threads have their elements; every other step."""
    for k in range(3, steps, 2):
        a, b = a + 0.01 * np.roll(b, 1), b - 0.01 * k * np.roll(a, -1)
    return a, b


def spread_and_compared(a, steps):
    """What a step began with is read after the new one has been made."""
    change = np.float64(0.0)
    for _ in range(steps):
        new = 0.5 * np.roll(a, 1) + 0.5 * np.roll(a, -1)
        change = change + np.abs(new - a).max() + np.roll(a, 2)[0]
        a = new
    return a, change


def largest_vector(a, x, steps):
    for _ in range(steps):
        y = a @ x
        x = y / np.sqrt(np.sum(y * y))
    return x


def diffuse(u, f, steps):
    """Two arrays that change places; one is the caller's."""
    new = u.copy()
    for _ in range(steps):
        new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) + f[1:-1, 1:-1]
        new[0, :] = new[1, :]
        new[:, -1] = 0.5
        u, new = new, u
    return u


def wave(start, steps):
    """Three arrays that change places."""
    before, now, after = start.copy(), start.copy(), np.zeros_like(start)
    for _ in range(steps):
        after[1:-1] = 2.0 * now[1:-1] - before[1:-1] + 0.1 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        before, now, after = now, after, before
    return now


def wave_of_new_arrays(now, before, steps):
    for _ in range(steps):
        after = 2.0 * now - before
        after[1:-1] += 0.1 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        before, now = now, after
    return now, before


def relax(u, f, tolerance):
    """Until the largest change is small."""
    error, steps = 1.0, 0
    while error > tolerance:
        before = u.copy()
        u[1:-1, 1:-1] = 0.25 * (before[2:, 1:-1] + before[:-2, 1:-1] + before[1:-1, 2:] + before[1:-1, :-2]) + f[1:-1, 1:-1]
        error = np.max(np.abs(u - before))
        steps += 1
    return steps


def approach(u, f, tolerance):
    """An array that goes round; without an iteration it is the caller's."""
    error = np.sum(np.abs(u - f))
    while error > tolerance:
        u = 0.5 * (u + f)
        error = np.sum(np.abs(u - f))
    return u, error


def alternate(u, tolerance):
    new, error = u.copy(), 1.0
    while error > tolerance:
        new[1:-1] = 0.5 * (u[2:] + u[:-2])
        error = np.abs(new - u).max()
        u, new = new, u
    return u


def flow(u, v, p, inner, least, dt):
    """A while with iterations inside, as solvers of the Navier-Stokes equations have them."""
    change, steps = 1.0, 0
    while change > least:
        un, vn = u.copy(), v.copy()
        b = np.zeros_like(u)
        b[1:-1, 1:-1] = (un[1:-1, 2:] - un[1:-1, :-2]) + (vn[2:, 1:-1] - vn[:-2, 1:-1])
        b[1:-1, -1] = un[1:-1, 0] - un[1:-1, -2]
        for _ in range(inner):
            pn = p.copy()
            p[1:-1, 1:-1] = 0.25 * (pn[1:-1, 2:] + pn[1:-1, :-2] + pn[2:, 1:-1] + pn[:-2, 1:-1]) - dt * b[1:-1, 1:-1]
            p[1:-1, -1] = 0.25 * (pn[1:-1, 0] + pn[1:-1, -2] + pn[2:, -1] + pn[:-2, -1])
            p[-1, :] = p[-2, :]
            p[0, :] = p[1, :]
        u[1:-1, 1:-1] = un[1:-1, 1:-1] - dt * (p[1:-1, 2:] - p[1:-1, :-2]) + dt
        v[1:-1, 1:-1] = vn[1:-1, 1:-1] - dt * (p[2:, 1:-1] - p[:-2, 1:-1])
        u[0, :] = 0.0
        v[-1, :] = 0.0
        change = (np.sum(u) - np.sum(un)) / np.sum(u)
        steps += 1
    return steps


def gauss_seidel_of_two_colours(x, b, steps):
    for _ in range(steps):
        x[1:-1:2] = 0.5 * (x[:-2:2] + x[2::2] + b[1:-1:2])
        x[2:-1:2] = 0.5 * (x[1:-2:2] + x[3::2] + b[2:-1:2])


def orthogonalise(a):
    q = np.zeros_like(a)
    r = np.zeros((a.shape[1], a.shape[1]))
    for k in range(a.shape[1]):
        r[k, k] = np.sqrt(np.dot(a[:, k], a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


def normalise(x, steps):
    total = 0.0
    for _ in range(steps):
        length = np.sum(x * x)
        x /= np.sqrt(length)
        x += 0.25
        total += length
    return total


def beyond_the_end(x, steps, last):
    for k in range(steps):
        x[:] = x * 0.5
        x[last + k] = 1.0
        x += 1.0


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

    def test_arrays_that_change_places(self):
        for steps in (0, 1, 2, 5):
            for shape in [(3, 4), (130, 131)]:
                self.compare(diffuse, [self.random.random(shape), self.random.random(shape), steps], scale=8)
            for n in (3, 9, 20000):
                self.compare(wave, [self.random.random(n), steps], scale=8)
                self.compare(wave_of_new_arrays, [self.random.random(n), self.random.random(n), steps], scale=8)
        for n in (20, 20000):
            self.compare(alternate, [self.random.random(n), 0.75], scale=8)
            self.compare(alternate, [self.random.random(n), 2.0], scale=8)

    def test_until(self):
        for shape in [(3, 4), (20, 31), (130, 131)]:
            self.compare(relax, [self.random.random(shape), np.zeros(shape), 0.5], scale=8)
            self.compare(relax, [self.random.random(shape), np.zeros(shape), 2.0], scale=8)
        for n in (5, 20000):
            for tolerance in (0.1 * n, 10.0 * n):
                self.compare(approach, [self.random.random(n), self.random.random(n), tolerance], scale=8)
        for shape in [(3, 3), (12, 9), (120, 121)]:
            arrays = [self.random.random(shape) for _ in range(3)]
            self.compare(flow, [*arrays, 2, 0.2, 0.1], scale=64)

    def test_larger_steps(self):
        for shape in [(3, 3), (2, 150), (150, 141)]:
            self.compare(pressure, [self.random.random(shape), self.random.random(shape), 3, 0.1], scale=4)
        self.compare(around, [self.random.random((140, 141)), 3], scale=4)
        self.compare(shortest_paths, [self.random.integers(0, 50, (140, 140))])
        self.compare(normalise, [self.random.random(30000), 3], scale=64)
        self.compare(powers, [self.random.random((150, 150)), self.random.random((150, 1)), 3], scale=64)
        self.compare(orthogonalise, [self.random.random((300, 24)) + np.eye(300, 24) * 8], scale=512)
        for n in (5, 6, 30000, 30001):
            self.compare(gauss_seidel_of_two_colours, [self.random.random(n), self.random.random(n), 3], scale=4)

    def test_steps_that_read_their_neighbours(self):
        for n in (3, 9000):
            for steps in (0, 1, 4, 9):
                self.compare(spread, [self.random.random(n), self.random.random(n), steps], scale=8)
                self.compare(spread_and_compared, [self.random.random(n), steps], scale=64)
        for n in (40, 700):
            self.compare(largest_vector, [self.random.random((n, n)), self.random.random(n), 3], scale=64)

    def test_errors_in_larger_steps(self):
        for n in (9, 20000):
            self.compare(beyond_the_end, [self.random.random(n), 4, n - 9])
            self.compare(beyond_the_end, [self.random.random(n), 4, n - 2])

    def test_same_bits(self):
        compiled = npcc.jit(target=TARGET)(normalise)
        x = self.random.random(50000)
        self.assertEqual(len({float(compiled(x.copy(), 5)) for _ in range(3)}), 1)

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
        self.assertEqual(count(recurrence, p[0].copy() / 31), 3)
        self.assertEqual(count(powers, p[:, :20].copy(), p[:, :1].copy(), 5), 2)
        self.assertEqual(count(of_two_extents, p[0].copy(), b[0].copy(), 5), 1)
        # The same by the grid; a copy for each array that goes round, and what is made before and after.
        p, b = self.random.random((150, 141)), 0.1 * self.random.random((150, 141))
        self.assertEqual(count(pressure, p, b, 3, 0.1), 1)
        self.assertEqual(count(diffuse, p, b, 3), 2)
        self.assertEqual(count(wave, p.ravel(), 3), 2)
        self.assertEqual(count(wave_of_new_arrays, p.ravel(), b.ravel(), 3), 3)
        self.assertEqual(count(relax, p, 0.0 * b, 0.5), 2)
        self.assertEqual(count(flow, p.copy(), b.copy(), b.copy(), 2, 0.2, 0.1), 2)
        self.assertEqual(count(shortest_paths, self.random.integers(0, 50, (140, 140))), 1)


if __name__ == "__main__":
    unittest.main()
