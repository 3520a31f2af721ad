"""Relaxations and time steps that make an array anew of itself, piece by piece: on a GPU iterations take turns with two arrays, with the results and errors of the statements."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def insulated(field, source, sweeps, h):
    """Float32; the borders are those inside them."""
    for _ in range(sweeps):
        last = field.copy()
        field[1:-1, 1:-1] = np.float32(0.25) * (last[:-2, 1:-1] + last[2:, 1:-1] + last[1:-1, :-2] + last[1:-1, 2:] - h * h * source[1:-1, 1:-1])
        field[0] = field[1]
        field[-1] = field[-2]
        field[:, 0] = field[:, 1]
        field[:, -1] = field[:, -2]


def advect(u, c, steps):
    """The ends are the other end's neighbours."""
    for n in range(steps):
        un = u.copy()
        u[1:-1] = un[1:-1] - c * n * (un[1:-1] - un[:-2])
        u[0] = u[-2]
        u[-1] = u[1]


def quantum(psi, v, dt, steps):
    """Complex numbers, three axes, and iterations that are not the numbers from 0."""
    for t in range(3, steps, 2):
        old = np.copy(psi)
        around = old[2:, 1:-1, 1:-1] + old[:-2, 1:-1, 1:-1] + old[1:-1, 2:, 1:-1] + old[1:-1, :-2, 1:-1] + old[1:-1, 1:-1, 2:] + old[1:-1, 1:-1, :-2]
        psi[1:-1, 1:-1, 1:-1] = old[1:-1, 1:-1, 1:-1] + 1j * dt * (around - 6 * old[1:-1, 1:-1, 1:-1]) - v[1:-1, 1:-1, 1:-1] * t
        psi[0, :, :] = 0
        psi[:, -1] = psi[:, -2]


def react(a, b, steps, feed, kill):
    """Two arrays at once, without copies."""
    for _ in range(steps):
        u, v = a[1:-1, 1:-1], b[1:-1, 1:-1]
        du = a[:-2, 1:-1] + a[1:-1, :-2] - 4 * u + a[1:-1, 2:] + a[2:, 1:-1]
        dv = b[:-2, 1:-1] + b[1:-1, :-2] - 4 * v + b[1:-1, 2:] + b[2:, 1:-1]
        uvv = u * v * v
        u += 0.16 * du - uvv + feed * (1 - u)
        v += 0.08 * dv + uvv - (feed + kill) * v
        a[0] = a[-2]
        b[0] = b[-2]


def averages(a, steps):
    for _ in range(steps):
        a[1:-1] = (a[:-2] + a[2:]) // 2
        a[0] = a[-1]


def inner_view(a, steps):
    inner = a[1:-1, 1:-1]
    for _ in range(steps):
        inner[:] = 0.2 * (inner + a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
        a[:, 0] = a[:, 1]


def few_rows(p, steps):
    """An IndexError behind the first store of the first iteration."""
    for _ in range(steps):
        q = p.copy()
        p[1:-1, 1:-1] = q[2:, 1:-1] + q[:-2, 1:-1]
        p[:, -1] = p[:, -3]
        p[5, :] = p[2, :]


def divided(p, steps, d):
    """A ZeroDivisionError between the stores."""
    for _ in range(steps):
        q = p.copy()
        p[1:-1] = q[2:] + q[:-2]
        p[0] = p[1] / (2 * d)
        p[-1] = 1 / d


def recorded(p, out, steps):
    """Which iteration fails is known to it alone."""
    for i in range(steps):
        q = p.copy()
        p[1:-1] = 0.5 * (q[2:] + q[:-2])
        out[i] = p[3]


def masked(p, mask, steps):
    for _ in range(steps):
        q = p.copy()
        p[1:-1] = 0.5 * (q[2:] + q[:-2])
        p[mask] = 1.0


def other_names(z, p, steps):
    """Arrays of which there are other names before the loop."""
    real, line = z.real, p.reshape(-1)
    for _ in range(steps):
        old = z.copy()
        z[1:-1] = 0.5 * (old[2:] + old[:-2])
        real[0] += 1.0
        q = p.copy()
        p[1:-1] = 0.5 * (q[2:] + q[:-2])
        line[3] = 2.0


def until(u, f, tolerance):
    error, steps = 1.0, 0
    while error > tolerance:
        before = u.copy()
        u[1:-1, 1:-1] = 0.25 * (before[2:, 1:-1] + before[:-2, 1:-1] + before[1:-1, 2:] + before[1:-1, :-2]) + f[1:-1, 1:-1]
        u[:, 0] = u[:, 1]
        u[-1, :] = u[-2, :]
        error = np.max(np.abs(u - before))
        steps += 1
    return steps


def relative(p, tolerance, most):
    iteration, norm = 0, 1.0
    while norm > tolerance and iteration < most:
        old = p.copy()
        p[1:-1, 1:-1] = (old[1:-1, 2:] + old[1:-1, :-2] + old[2:, 1:-1] + old[:-2, 1:-1]) / 4
        p[0, :] = p[1, :]
        norm = np.sum(np.abs(p) - np.abs(old)) / np.sum(np.abs(old))
        iteration += 1
    return p, iteration


def until_in_each_step(p, tolerance, steps):
    total = 0
    for t in range(steps):
        p[0] = t
        change = 1.0
        while change > tolerance:
            old = p.copy()
            p[1:-1] = 0.5 * (old[2:] + old[:-2])
            change = float(np.abs(p - old).max())
            total += 1
    return total


def swap_until(now, tolerance):
    """Arrays that change places in a `while` are two."""
    new, error = now.copy(), 1.0
    while error > tolerance:
        new[1:-1] = 0.5 * (now[2:] + now[:-2])
        error = np.abs(new - now).max()
        now, new = new, now
    return now


SHAPES = [(20, 31), (3, 3), (2, 9), (1, 4)]
LARGE = (150, 141)  # which the grid has


class AlternateArrays(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(5)

    def field(self, *shape, dtype=np.float64):
        return self.random.random(shape).astype(dtype)

    def test_counted(self):
        for shape in SHAPES:
            for steps in (0, 1, 4):
                self.compare(insulated, [self.field(*shape, dtype=np.float32), self.field(*shape, dtype=np.float32), steps, np.float32(0.1)], scale=8)
            self.compare(react, [self.field(*shape), self.field(*shape), 5, 0.04, 0.06], scale=8)
            self.compare(inner_view, [self.field(*shape), 5], scale=8)
        self.compare(insulated, [self.field(*LARGE, dtype=np.float32), self.field(*LARGE, dtype=np.float32), 3, np.float32(0.1)], scale=8)
        self.compare(react, [self.field(*LARGE), self.field(*LARGE), 2, 0.04, 0.06], scale=8)
        for n in (30, 3, 2, 1, 0):
            for steps in (0, 5):
                self.compare(advect, [self.field(n), 0.3, steps], scale=8)
        for n in (30, 2, 1):
            self.compare(averages, [self.random.integers(0, 99, n), 5])
        for shape in [(6, 7, 8), (2, 2, 2), (3, 1, 3)]:
            for steps in (3, 6, 10):
                self.compare(quantum, [self.field(*shape) + 1j * self.field(*shape), self.field(*shape), 0.1, steps], scale=64)
        self.compare(masked, [self.field(30), self.field(30) > 0.5, 5])
        self.compare(other_names, [self.field(9) + 1j, self.field(9, 2), 5])

    def test_errors(self):
        for shape in [(20, 31), (5, 7), (7, 2), (6, 3), (2, 3)]:
            self.compare(few_rows, [self.field(*shape), 3])
        for n in (30, 1):
            for d in (2.0, 0.0):
                self.compare(divided, [self.field(n), 5, d])
        for n, rows in [(30, 9), (30, 3), (3, 9)]:
            self.compare(recorded, [self.field(n), np.zeros(rows), 5])

    def test_until(self):
        self.compare(until, [self.field(*LARGE), 0.0 * self.field(*LARGE), 0.5], scale=8)
        for shape in SHAPES:
            for tolerance in (0.3, 2.0):
                self.compare(until, [self.field(*shape), 0.0 * self.field(*shape), tolerance], scale=8)
            self.compare(relative, [self.field(*shape, dtype=np.float32), -1.0, 6], scale=8)
        for n in (30, 9, 3, 2):
            self.compare(until_in_each_step, [self.field(n), 0.01, 3], scale=8)
        for tolerance in (0.4, 2.0):
            self.compare(swap_until, [self.field(20), tolerance], scale=8)

    @unittest.skipUnless(TARGET == "cuda", "kernels of a GPU")
    def test_kernels(self):
        """One kernel for each turn, and one that copies after the last one."""
        for function, arguments, expected in [
                (insulated, [self.field(20, 31, dtype=np.float32), self.field(20, 31, dtype=np.float32), 4, np.float32(0.1)], 3),
                (advect, [self.field(30), 0.3, 5], 3),
                (react, [self.field(20, 31), self.field(20, 31), 5, 0.04, 0.06], 3),
                (inner_view, [self.field(20, 31), 5], 3),
                # A turn makes the array and the change.
                (until, [self.field(20, 31), self.field(20, 31), 0.3], 4)]:
            with self.subTest(function.__name__):
                kernels = jit(function).inspect("kernels", arguments=tuple(arguments))
                self.assertEqual(kernels.count("np.kernel"), expected)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        for function, arguments, expected in [(insulated, [self.field(20, 31, dtype=np.float32), self.field(20, 31, dtype=np.float32), 4, np.float32(0.1)], 1),
                                              (until, [self.field(20, 31), 0.0 * self.field(20, 31), 0.3], 2)]:
            with self.subTest(function.__name__):
                compiled = jit(function)
                before = npcc.counters()["launches"]
                compiled(*[npcc.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments])
                self.assertEqual(npcc.counters()["launches"] - before, expected)


if __name__ == "__main__":
    unittest.main()
