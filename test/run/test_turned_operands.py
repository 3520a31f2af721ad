"""Each row of one array with each of another one, compiled, against NumPy: on a GPU one of the two is turned first."""
import unittest

import numpy as np

from harness import TARGET, Comparison, count_launches, jit

RNG = np.random.default_rng(11)


def cityblock(x, y):
    return np.abs(x[:, None, :] - y[None, :, :]).sum(axis=2)


def nearest(x, y):
    d = np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2))
    return d.argmin(axis=1), d.min(axis=1)


def shortest(a, b):
    return (a[:, None, :] + b[None, :, :]).min(axis=2)


def differing(x, y):
    return (x[:, None, :] != y[None, :, :]).sum(axis=2)


def stacked(x, y):
    return np.maximum(x[:, :, None, :], y[:, None, :, :]).sum(axis=3)


def weighted(x, y, w):
    return (np.abs(x[:, None, :] - y[None, :, :]) * w).sum(axis=2)


def in_place(x, y, out):
    for _ in range(2):
        out[:] = np.abs(x[:, None, :] - y[None, :, :]).sum(axis=2)
        y[0] = out[0, :y.shape[1]]
    return out


class TurnedOperands(Comparison):
    def test_forms(self):
        x, y = RNG.random((260, 17)), RNG.random((1001, 17))
        for dtype in (np.float64, np.float32, np.int32, np.uint8):
            self.compare(cityblock, [(9 * x).astype(dtype), (9 * y).astype(dtype)], scale=64)
        self.compare(nearest, [x, y], scale=64)
        self.compare(shortest, [x, y])
        self.compare(differing, [(3 * x).astype(np.int64), (3 * y).astype(np.int64)])
        self.compare(differing, [x > 0.5, y > 0.5])
        self.compare(weighted, [x, y, RNG.random(17)], scale=64)
        self.compare(stacked, [RNG.random((3, 300, 17)), RNG.random((3, 400, 17))], scale=64)

    def test_layouts(self):
        x, y = RNG.random((300, 17)), RNG.random((17, 1000))
        self.compare(cityblock, [x, y.T], scale=64)
        self.compare(cityblock, [x[::2], y.T[::-1]], scale=64)
        self.compare(cityblock, [x, x], scale=64)
        self.compare(in_place, [x, np.ascontiguousarray(y.T), np.zeros((300, 1000))], scale=64)

    def test_other_extents(self):
        """Code that was made for many rows, for few and none."""
        compiled = jit(cityblock)
        for n, m, d in [(300, 1000, 17), (3, 1000, 17), (300, 5, 17), (1, 1, 1), (0, 5, 4), (5, 0, 4), (5, 4, 0)]:
            x, y = RNG.random((n, d)), RNG.random((m, d))
            np.testing.assert_allclose(compiled(x, y), cityblock(x, y), rtol=1e-12)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        x, y = RNG.random((260, 17)), RNG.random((1000, 17))
        self.assertEqual(count_launches(jit(cityblock), [x, y]), 2)


if __name__ == "__main__":
    unittest.main()
