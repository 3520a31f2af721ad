"""Sums over neighbourhoods whose radius is an argument: slices that a loop moves, as straight code for the radius of the first call, and right for others."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def weigh_near(img, radius, width):
    padded = np.pad(img, radius, mode="edge")
    h, w = img.shape
    total, norm = np.zeros_like(img), np.zeros_like(img)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            shifted = padded[radius + dy: radius + dy + h, radius + dx: radius + dx + w]
            weight = np.exp(-(shifted - img) ** 2 / width)
            total, norm = total + weight * shifted, norm + weight
    return total / norm


def moving_sum(x, n):
    total = np.zeros(x.size - n + 1)
    for k in range(n):
        total += x[k: k + total.size]
    return total


def edges(img):
    grown = np.pad(img, 1, mode="edge")
    far = np.exp(grown)
    return far[2:, 1:-1] + far[:-2, 1:-1], far[1:-1, 2:] * far[1:-1, :-2]


def near(points):
    d = points[None, :, :] - points[:, None, :]
    r2 = (d ** 2).sum(-1)
    close = (r2 < 0.1).astype(points.dtype)
    return (close[:, :, None] * d).sum(axis=1), -(close[:, :, None] * d / (r2[:, :, None] + 0.01)).sum(axis=1)


def automaton(cells, steps):
    for _ in range(steps):
        cells = (110 >> (4 * np.roll(cells, 1) + 2 * cells + np.roll(cells, -1))) & 1
    return cells


def listed(x):
    parts, steps = [], (3, -2, 0, 1)
    for k in range(4):
        moved = x[steps[k] + 2: steps[k] + 2 + x.size - 5]
        if steps[k] != 1:
            parts.append(moved * (k + 1))
    return np.stack(parts) - x[2:-3]


random = np.random.default_rng(5)


class Neighbourhoods(Comparison):
    def test_radius(self):
        for dtype in ("f4", "f8"):
            compiled = jit(weigh_near)
            img = random.random((13, 17)).astype(dtype)
            for radius in (2, 2, 1, 3, 0):
                with self.subTest(dtype=dtype, radius=radius):
                    self.compare(weigh_near, (img, radius, 0.5), compiled)

    def test_windows(self):
        compiled = jit(moving_sum)
        for n in (5, 5, 1, 40, 100):
            self.compare(moving_sum, (random.random(100), n), compiled)

    def test_others(self):
        self.compare(edges, (random.random((9, 11)),))
        self.compare(near, (random.random((150, 2)),))
        for n in (0, 1, 2, 50):
            self.compare(automaton, (random.integers(0, 2, n), 3))
        self.compare(listed, (random.random(50),))
        self.compare(lambda x: (np.roll(x, 4), np.roll(x, -1, 1)), (random.random((3, 5)),))

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        def count(function, *arguments):
            compiled = jit(function)
            compiled(*arguments)
            before = npcc.counters()["launches"]
            compiled(*arguments)
            return npcc.counters()["launches"] - before
        self.assertEqual(count(weigh_near, random.random((300, 200)), 3, 0.5), 2)  # what is padded, and all the rest
        self.assertEqual(count(listed, random.random(5000)), 1)
        self.assertEqual(count(edges, random.random((300, 200))), 1)


if __name__ == "__main__":
    unittest.main()
