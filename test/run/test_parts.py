"""Values that are put together of a few parts (np.stack, columns that are stored one by one): computed part by part, in one loop."""
import unittest

import numpy as np

from harness import TARGET, Comparison, jit


def last_axis(x, y):
    return np.stack([x, y, x * y], -1)


def first_axis(x, y):
    return np.stack([x, y, x * y]) * 2 + 1


def columns_of(x, y):
    s = np.stack([x, y], 1)
    return s[:, 0] + s[:, 1], s.sum(axis=1), s[::-1, 0]


def matrices(x, y):
    m = np.stack([np.stack([x, y], -1), np.stack([-y, x], -1)], -2)
    return m @ m


def rotated(q, p):
    w, x, y, z = q[:, 0], q[:, 1], q[:, 2], q[:, 3]
    n = np.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / n, x / n, y / n, z / n
    r = np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], -1),
        np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], -1),
        np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], -1),
    ], -2)
    return (r @ p[:, :, None])[:, :, 0]


def columns_stored(x, y):
    z = np.zeros((x.shape[0], 3))
    z[:, 1] = x
    z[2:, 2] = y[2:]
    z[0] = 7
    return z * z, z[:, 1], z[:, 2]


def turned(x, y):
    z = np.concatenate([x[:, None], y[:, None], x[:, None] * 2], axis=1)
    return z[:, ::-1] - z, z[:, 1:], z[::2, 2]


def converted(x, y):
    z = np.stack([x, y]).astype(np.float32)
    return z.T, np.where(z > 0.5, z, -z)


def along_parts(x, y):
    z = np.column_stack([x, y, x + y])
    return np.sqrt((z**2).sum(axis=1)), z.max(axis=1), z.argmax(axis=1), np.cross(z, z[::-1])


def carried(x, y, n):
    z = np.empty((2, x.shape[0]))
    z[0] = x
    z[1] = y
    for k in range(n):
        z = np.stack([z[1] + k, z[0] * 2])
    return z


def forces(p, m):
    """Sums of three components, of which each needs the distance."""
    d = p[None, :, :] - p[:, None, :]
    r2 = (d**2).sum(-1) + 1e-3
    return (d * (m[None, :] / (r2 * np.sqrt(r2)))[:, :, None]).sum(axis=1)


def running(x):
    """Lines beside a few others: each is one of its own."""
    p = np.cumsum(x, axis=1)
    d = p - p[:, :1]
    return (d**2).sum(-1).mean(axis=0), np.cumsum(x, axis=0), np.maximum.accumulate(x, axis=1)


def changed_behind(x, y):
    z = np.stack([x, y], 1)
    x[:] = 0
    w = z * y[:, None]
    y[0] = 5
    return z, w


class Parts(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(5)

    def test_parts(self):
        for extent in (11, 1, 0):
            x, y = self.random.random(extent), self.random.random(extent)
            for function in (last_axis, first_axis, columns_of, matrices, turned, converted, along_parts):
                self.compare(function, [x, y], scale=16)
            self.compare(carried, [x, y, 3])
            if extent > 2:
                self.compare(columns_stored, [x, y])
                self.compare(changed_behind, [x, y])

    def test_rotations(self):
        self.compare(rotated, [self.random.random((9, 4)), self.random.random((9, 3))], scale=64)

    def test_components(self):
        for shape in ((9, 3), (40, 2), (1, 3), (5, 1), (6, 7), (0, 3)):
            self.compare(forces, [self.random.random(shape), self.random.random(shape[0])], scale=1024)
        if TARGET == "debug":  # a loop for each sum
            return
        kernels = jit(forces).inspect("kernels", arguments=(self.random.random((1100, 3)), self.random.random(1100)))
        self.assertEqual((kernels.count("np.kernel"), kernels.count("scf.parallel"), kernels.count("math.sqrt")), (1, 1, 1), kernels)

    def test_running(self):
        for shape in ((9, 6, 2), (5, 1, 4), (40, 50, 3), (3, 8, 1), (2, 9, 7)):
            self.compare(running, [self.random.random(shape)], scale=64)

    def test_kernels(self):
        x = self.random.random(20)
        for function, arguments in ((rotated, (self.random.random((9, 4)), self.random.random((9, 3)))), (matrices, (x, x)), (last_axis, (x, x)), (first_axis, (x, x))):
            with self.subTest(function.__name__):
                self.assertEqual(jit(function).inspect("kernels", arguments=arguments).count("np.kernel"), 1)


if __name__ == "__main__":
    unittest.main()
