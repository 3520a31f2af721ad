"""Parts of one computed array that are put next to each other in other places (numpy.roll, numpy.concatenate), and what several positions of a kernel
need of a function, compiled, against NumPy."""
import unittest

import numpy as np

from harness import TARGET, Comparison, count_launches, jit

RNG = np.random.default_rng(5)


def rolled(u, shift):
    return np.roll(np.exp(u), shift, 0) * 2


def differences(u, v, shift):
    e = np.exp(u)
    f = e / v
    return (e - np.roll(e, 1, 0)) * 2, np.roll(f, -1, 1) - e + np.roll(np.sin(v), 5), np.roll(u * v, shift, 1) + np.roll(u + v, (shift, -1), (0, 1))


def gas(cells, steps):
    for _ in range(steps):
        c = np.where(cells > 3, cells ^ 15, cells + 1)
        c = np.where(c > 5, c ^ 3, c * c)
        c = np.where(c > 9, (c & 7) | (c >> 3), c + c)
        cells = np.roll(c & 1, 1, axis=1) | np.roll(c & 2, -1, axis=0) | np.roll(c & 4, -1, axis=1) | np.roll(c & 8, 3, axis=0)
    return cells


def parts(u):
    e = u * 3 + 1
    some = np.zeros_like(e)
    some[0] = e[-1]
    some[2:, 1:] = e[:-2, 1:]
    steps = np.full(u.shape, 7.0)
    steps[::2, ::-1] = e[::2]
    steps[1, 2:4] = e[3, 1:3]
    steps[1, 3] = e[0, 0]
    return some * 2, np.concatenate((e[5:], e[:5])) - 1, steps / 2, np.fft.fftshift(e * u)


def framed(u):
    e = u - 1
    out = np.empty((u.shape[0] + 2, u.shape[1]))
    out[1:-1] = e
    out[0] = e[-1]
    out[-1] = e[0]
    return out * 2


def turned(u, k):
    e = u * 2
    out = np.zeros_like(e)
    out[k:] = e[:e.shape[0] - k]
    out[:k] = e[e.shape[0] - k:]
    return out + 1


def many_parts(u):
    e = np.sqrt(u)
    out = np.zeros_like(e)
    for k in range(12):
        out[11 - k] = e[k]
    return out + 1


def flux(rho, m):
    v = m / rho
    f = m * v
    return rho[1:-1] - 0.1 * (f[2:] - f[:-2]), v[2:] - 2 * v[1:-1] + v[:-2]


def power(h, p):
    q = h ** p
    return q[3:] - q[2:-1] + q[1:-2] - q[:-3]


class MovedParts(Comparison):
    def test_rolls(self):
        u, v = RNG.random((9, 13)), RNG.random((9, 13)) + 1
        for shift in (0, 1, 4, -14, 9, 100):
            self.compare(rolled, [u, shift])
            self.compare(differences, [u, v, shift])
        self.compare(differences, [u[:1, :1], v[:1, :1], 3])
        self.compare(differences, [u[:0], v[:0], 3])
        self.compare(gas, [RNG.integers(0, 16, (12, 17)).astype(np.uint8), 3])

    def test_parts(self):
        self.compare(parts, [RNG.random((11, 8))])
        self.compare(framed, [RNG.random((5, 6))])
        for k in (0, 2, 5):
            self.compare(turned, [RNG.random((5, 6)), k])
        self.compare(many_parts, [RNG.random((12, 4))])

    def test_positions(self):
        for dtype in (np.float32, np.float64):
            self.compare(flux, [(RNG.random(700) + 1).astype(dtype), RNG.random(700).astype(dtype)])
            self.compare(power, [RNG.random(700).astype(dtype), dtype(2.5)])

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        """A roll takes no kernel of its own, and a quotient at a few positions no array."""
        u = RNG.random((64, 64))
        for function, arguments, expected in [(rolled, [u, 3], 1), (flux, [u[0] + 1, u[1]], 1)]:
            with self.subTest(function.__name__):
                compiled = jit(function)
                self.assertEqual(count_launches(compiled, arguments), expected)


if __name__ == "__main__":
    unittest.main()
