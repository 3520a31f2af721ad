"""Loops and reductions that are expressions of elements: in one kernel, and with NumPy's values whatever the extents are."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, count_launches, jit


def filtered(x, w):
    """A short loop over shifted slices."""
    y = np.zeros(len(x) - 4)
    for k in range(5):
        y = y + w[k] * x[k:len(x) - 4 + k]
    return y


def neighbours(a):
    total = np.zeros((a.shape[0] - 2, a.shape[1] - 2))
    for i in range(3):
        for j in range(3):
            total += (i + j) * a[i:a.shape[0] - 2 + i, j:a.shape[1] - 2 + j]
    return total


def lorenz(x, y, z, dt, n):
    """Arrays that each step makes anew."""
    for _ in range(n):
        x, y, z = x + dt * 10 * (y - x), y + dt * (x * (28 - z) - y), z + dt * (x * y - 8 / 3 * z)
    return x, y, z


def escape(c, n):
    z, steps = np.zeros_like(c), np.zeros(c.shape)
    for _ in range(n):
        inside = np.abs(z) <= 2
        z = np.where(inside, z * z + c, z)
        steps = steps + inside
    return steps


def kept(x, n):
    """What each step leaves behind is needed later."""
    every = []
    for _ in range(n):
        x = x * 0.5 + 1
        every.append(x)
    return every, x


def exchanged(x, y, n):
    for _ in range(n):
        x, y = y, x + y
    return x, y


def nearest(x, y):
    """Sums over the few coordinates of points."""
    d = np.sqrt(((x[:, None, :] - y[None, :, :])**2).sum(-1))
    return d.min(axis=1), d.argmin(axis=1)


def extremes(x):
    """Several reductions down the columns of a tall array."""
    return x.min(axis=0), x.max(axis=0), x.mean(axis=0), x.argmax(axis=0), x.std(axis=0)


def around(a):
    """Borders that come from the other side."""
    return np.roll(a, 1, 0) + np.roll(np.roll(a, -1, 0), 1, 1) - 2 * np.roll(a, -1, 1)


def lattice(f, n):
    """Arrays of known lists, taken by a loop's counter."""
    shifts = (0, 1, -1)
    for _ in range(n):
        moved = [np.roll(f[k], shifts[k], 0) for k in range(3)]
        total = 0.0
        for k in range(3):
            total = total + shifts[k] * moved[k]
        after = []
        for k in range(3):
            after.append(moved[k] + 0.1 * (total - moved[k]))
        f = np.stack(after)
    return f


def neighbourhood(u, n):
    for _ in range(n):
        s = u[1:-1, 1:-1, 1:-1] * 0.5
        for dz in range(3):
            for dy in range(3):
                for dx in range(3):
                    s = s + u[dz:u.shape[0] - 2 + dz, dy:u.shape[1] - 2 + dy, dx:u.shape[2] - 2 + dx] * (0.5 / 27)
        u = np.pad(s, 1)
    return u


def legendre(x, n):
    """Each array takes over what another one held."""
    p0, p1 = np.ones_like(x), x
    total = p0 + p1
    for k in range(2, n):
        p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
        total = total + p1
    return total


def delayed(x, y, n):
    """Three steps behind; of few iterations a result is an argument itself."""
    a, b, c = x, y, x * y
    for k in range(n):
        a, b, c = b - 0.5 * c + k, a, b
    return a, b, c


def smoothed(a):
    """Shifts that loops count."""
    total = np.zeros_like(a)
    for i in range(-1, 2):
        for j in range(-2, 3):
            total = total + np.roll(np.roll(a, i, 0), j, 1) * (i + 3 * j)
    return total


def windowed(x, w):
    """As many terms as there are weights."""
    y = np.zeros(x.shape[0] - len(w) + 1)
    for k in range(len(w)):
        y = y + w[k] * x[k:k + len(y)]
    return y


def powers(x, n):
    """Numbers of an iteration that take long to compute."""
    for t in range(1, n + 1):
        x = x / (1 + np.exp(-0.1 * t)) + np.log(t + 1)
    return x


def weighted(a, v):
    return (a * np.exp(v)[None, :]).sum(axis=1), a.T @ np.exp(-v[:len(a)])


R = np.random.default_rng(5)
CASES = [
    (filtered, 1, [(R.random(50), R.random(5)), (R.random(5), R.random(6)), (R.random(4), R.random(5))]),
    (neighbours, 1, [(R.random((20, 30)),), (R.random((3, 4)),), (R.random((2, 9)),)]),
    (lorenz, 1, [(R.random(40), R.random(40), R.random(40), 0.01, 30), (R.random(7), R.random(7), R.random(7), 0.01, 0), (R.random(5), R.random(5), R.random(5), 0.1, 1)]),
    (escape, 1, [(R.random((9, 8)) * 3 - 2 + 1j * R.random((9, 8)), 20), (R.random((2, 2)) + 1j, 0)]),
    (kept, None, [(R.random(9), 4), (R.random(9), 0)]),
    (exchanged, None, [(R.random(9), R.random(9), 5), (R.random(9), R.random(9), 0)]),
    (nearest, 1, [(R.random((60, 3)), R.random((50, 3))), (R.random((6, 2)), R.random((5, 2))), (R.random((6, 7)), R.random((5, 7))), (R.random((6, 1)), R.random((5, 1)))]),
    (extremes, None, [(R.random((3000, 7)),), (R.random((3, 700)),), (R.random((1, 4)),)]),
    (around, 1, [(R.random((33, 40)),), (R.random((2, 3)),), (R.random((1, 1)),), (R.random((0, 4)),)]),
    (lattice, None, [(R.random((3, 9, 8)), 3), (R.random((3, 1, 2)), 2), (R.random((3, 4, 4)), 0)]),
    (neighbourhood, None, [(R.random((5, 6, 7)), 3), (R.random((3, 3, 3)), 1)]),
    (legendre, 1, [(R.random(70), 12), (R.random(3), 3), (R.random(3), 2), (R.random(3), 0)]),
    (delayed, None, [(R.random(70), R.random(70), n) for n in (0, 1, 2, 3, 4, 9)]),
    (smoothed, 1, [(R.random((6, 7)),), (R.random((1, 2)),), (R.random((0, 3)),)]),
    (windowed, 1, [(R.random(50), R.random(5)), (R.random(60), R.random(5)), (R.random(50), R.random(40)), (R.random(9), R.random(9)), (R.random(9), R.random(1))]),
    (powers, None, [(R.random(40), 5), (R.random(7), 0)]),
    (weighted, None, [(R.random((30, 40)), R.random(40)), (R.random((300, 400)), R.random(400)), (R.random((4, 4)), R.random(4))]),
]  # fmt: skip


class ElementwiseLoops(Comparison):
    def test_values(self):
        """Each call by code that was compiled for it, and by code that was compiled for another one."""
        for function, _, calls in CASES:
            for first in calls:
                compiled = jit(function)
                for arguments in (first, *calls):
                    with self.subTest(function.__name__):
                        self.check(function, compiled, arguments)

    def check(self, function, compiled, arguments):
        def outcome(of):
            try:
                return of(*(np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments))
            except (ValueError, IndexError) as error:
                return str(error)
        expected, result = outcome(function), outcome(compiled)
        if isinstance(expected, str):
            self.assertEqual(result, expected)
            return
        flat = lambda of: [b for a in of for b in (a if isinstance(a, list) else [a])] if isinstance(of, tuple) else [of]
        self.assertEqual(len(flat(result)), len(flat(expected)))
        for mine, other in zip(flat(result), flat(expected)):
            np.testing.assert_allclose(np.asarray(mine), other, rtol=1e-12, atol=1e-13, strict=True)

    def test_kernels(self):
        for function, arguments, expected in [(lattice, (R.random((3, 9, 8)), 3), 1), (neighbourhood, (R.random((5, 6, 7)), 3), 1)]:
            with self.subTest(function.__name__):
                self.assertEqual(jit(function).inspect("kernels", arguments=arguments).count("np.kernel"), expected)

    def test_identity(self):
        """Without iterations the result is the argument."""
        x, y, z = (np.ones(3) for _ in range(3))
        result = jit(lorenz)(x, y, z, 0.1, 0)
        self.assertTrue(all(np.shares_memory(a, b) for a, b in zip(result, (x, y, z))))

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        for function, expected, (arguments, *_) in CASES:
            if expected is None:
                continue
            with self.subTest(function.__name__):
                compiled = npcc.jit(target=TARGET)(function)
                arguments = [npcc.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
                self.assertEqual(count_launches(compiled, arguments), expected)


if __name__ == "__main__":
    unittest.main()
