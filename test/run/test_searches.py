"""Loops that compute something for each of many candidates, and keep the best: what is computed does not need what was found before."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def otsu(levels):
    counts = np.bincount(levels, minlength=64)
    share = counts / counts.sum()
    number = np.arange(64)
    best, threshold = -1.0, 0
    for t in range(1, 64):
        low, high = share[:t].sum(), share[t:].sum()
        if low == 0 or high == 0:
            continue
        below, above = (share[:t] * number[:t]).sum() / low, (share[t:] * number[t:]).sum() / high
        between = low * high * (below - above) ** 2
        if between > best:
            best, threshold = between, t
    return threshold, float(best)


def find_patch(image, patch):
    height, width = patch.shape
    best, at = np.inf, (0, 0)
    for y in range(image.shape[0] - height + 1):
        for x in range(image.shape[1] - width + 1):
            distance = ((image[y:y + height, x:x + width] - patch) ** 2).sum()
            if distance < best:
                best, at = distance, (y, x)
    return at, float(best)


def follow_blocks(before, after, size, reach):
    height, width = after.shape
    moves = np.zeros((height // size, width // size, 2), np.int64)
    for i in range(height // size):
        for j in range(width // size):
            block = after[i * size:(i + 1) * size, j * size:(j + 1) * size]
            best = np.inf
            for dy in range(-reach, reach + 1):
                for dx in range(-reach, reach + 1):
                    y, x = i * size + dy, j * size + dx
                    if y < 0 or x < 0 or y + size > height or x + size > width:
                        continue
                    difference = np.abs(block - before[y:y + size, x:x + size]).sum()
                    if difference < best:
                        best = difference
                        moves[i, j] = dy, dx
    return moves


def best_split(points, labels):
    best, feature, threshold = 1.0, -1, 0.0
    for f in range(points.shape[1]):
        for t in np.unique(points[:, f]):
            left, right = labels[points[:, f] <= t], labels[points[:, f] > t]
            if len(left) == 0 or len(right) == 0:
                continue
            p, q = left.mean(), right.mean()
            impurity = (len(left) * p * (1 - p) + len(right) * q * (1 - q)) / len(labels)
            if impurity < best:
                best, feature, threshold = impurity, f, t
    return feature, float(threshold), float(best)


def fit_rate(x, y, rates):
    best, rate, factor = np.inf, 0.0, 0.0
    tried = []
    for r in rates:
        decay = np.exp(-r * x)
        c = (decay @ y) / (decay @ decay)
        error = ((y - c * decay) ** 2).sum()
        tried.append(error)
        if error < best:
            best, rate, factor = error, r, c
    return float(best), float(rate), float(factor), np.array(tried)


def first_that_fails(x, starts, log):
    """The third read is out of bounds: by then two numbers are in the caller's array."""
    total = 0.0
    for k in range(len(starts)):
        part = (x[starts[k]] * x).sum()
        total = total * 0.5 + part
        log[k] = total
    return total


def depends(x, steps):
    """What is computed in a step needs the last one."""
    best = 0.5
    for k in range(steps):
        near = (np.abs(x - best) < 1.0 / (k + 1)) * x
        best = near.sum() / (1.0 + k)
    return best


def fit_line(points, picks, tolerance):
    """The mask of the best model is kept; its points are what comes after."""
    best, model = 0, np.zeros(3)
    kept = np.zeros(len(points), bool)
    for k in range(len(picks)):
        a, b = points[picks[k, 0]], points[picks[k, 1]]
        d = b - a
        normal = np.array([-d[1], d[0]])
        length = np.linalg.norm(normal)
        if length < 1e-9:
            continue
        normal = normal / length
        offset = -normal @ a
        mask = np.abs(points @ normal + offset) < tolerance
        if mask.sum() > best:
            best, model, kept = mask.sum(), np.array([normal[0], normal[1], offset]), mask
    return int(best), model, kept, points[kept]


def fit_plane(points, picks, tolerance):
    """A cross product is a number where its vectors have two elements: what the loop is depends on extents."""
    best, kept = 0, np.zeros(len(points), bool)
    for pick in picks:
        a, b, c = points[pick]
        normal = np.cross(b - a, c - a)
        length = np.linalg.norm(normal)
        if length < 1e-12:
            continue
        mask = np.abs((points - a) @ (normal / length)) < tolerance
        count = mask.sum()
        if count > best:
            best, kept = count, mask
    return int(best), kept


def best_centres(x, centres):
    """Labels are copied in the branch that keeps them."""
    best, labels = np.inf, np.zeros(len(x), np.int64)
    for k in range(len(centres)):
        distances = np.abs(x[:, None] - centres[k])
        nearest = distances.argmin(1)
        cost = distances.min(1).sum()
        if cost < best:
            best, labels = cost, nearest.copy()
    return float(best), labels


def last_product(x, factors):
    """Each iteration keeps its own, so that it is the last one's."""
    kept, total = np.zeros(len(x)), 0.0
    for k in range(len(factors)):
        kept = x * factors[k]
        total = total * 0.5 + kept.sum()
    return kept, float(total)


def best_and_changed(x, shifts):
    """What is kept is computed of an array that later iterations change."""
    x, best, kept = x.copy(), np.inf, np.zeros(len(x))
    for k in range(len(shifts)):
        moved = x - shifts[k]
        cost = np.abs(moved).sum()
        if cost < best:
            best, kept = cost, moved
        x[k] = best
    return float(best), kept


def best_and_used(x, shifts):
    """What is kept is what the next iteration begins with."""
    best, kept = np.inf, np.zeros(len(x))
    for k in range(len(shifts)):
        moved = x - shifts[k] + kept * 0.125
        cost = np.abs(moved).sum()
        if cost < best:
            best, kept = cost, moved
    return float(best), kept


class Searches(Comparison):
    def setUp(self):
        self.rng = np.random.default_rng(7)

    def test_thresholds(self):
        compiled = npcc.jit(otsu, target=TARGET)
        for levels in (np.clip(self.rng.normal(20, 6, 400), 0, 63), np.full(10, 5.0), np.array([63.0, 1.0])):
            self.compare(otsu, [levels.astype(np.int64)], compiled)

    def test_patches(self):
        image = self.rng.uniform(0, 1, (14, 17))
        compiled = npcc.jit(find_patch, target=TARGET)
        self.compare(find_patch, [image, image[3:8, 9:15].copy()], compiled)
        image[4, 4] = np.nan
        self.compare(find_patch, [image, image[9:12, 3:8].copy()], compiled)
        self.compare(find_patch, [image[:3, :3].copy(), image], compiled)

    def test_blocks(self):
        before = self.rng.uniform(0, 1, (16, 24))
        self.compare(follow_blocks, [before, np.roll(before, (1, -2), (0, 1)), 8, 2])

    def test_splits(self):
        points = self.rng.normal(0, 1, (30, 3)).round(1)
        self.compare(best_split, [points, (points[:, 1] > 0.2).astype(np.int64)])
        self.compare(best_split, [np.ones((4, 2)), np.array([0, 1, 1, 0])])

    def test_lists_beside(self):
        x = np.linspace(0, 4, 90)
        self.compare(fit_rate, [x, 2 * np.exp(-0.7 * x), np.linspace(0.1, 2, 12)])

    def test_errors(self):
        x = self.rng.uniform(0, 1, 20)
        for starts in ([3, 4, 20, 1], [3, 4, -20, 1], [0, 5, -21]):
            self.compare(first_that_fails, [x, np.array(starts), np.zeros(4)])

    def test_what_depends(self):
        self.compare(depends, [self.rng.uniform(0, 1, 50), 9])

    def test_kept_masks(self):
        points = np.round(self.rng.normal(size=(40, 2)), 2)
        line, plane = npcc.jit(fit_line, target=TARGET), npcc.jit(fit_plane, target=TARGET)
        for count in (0, 1, 12):
            self.compare(fit_line, [points, self.rng.integers(0, 40, (count, 2)), 0.25], line)
        self.compare(fit_line, [points, np.zeros((5, 2), np.int64), 0.25], line)
        space = self.rng.normal(size=(40, 3))
        for count in (0, 1, 12):
            self.compare(fit_plane, [space, self.rng.integers(0, 40, (count, 3)), 0.25], plane)

    def test_kept_arrays(self):
        x, centres = self.rng.normal(size=30), self.rng.normal(size=(9, 4))
        self.compare(best_centres, [x, centres])
        self.compare(best_centres, [x, centres[:0]])
        self.compare(last_product, [x, centres[:, 0]])
        self.compare(last_product, [x, centres[:0, 0]])
        self.compare(best_and_changed, [x, centres[:, 0]])
        self.compare(best_and_used, [x, centres[:, 0]])

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_kept_launches(self):
        points, space = self.rng.normal(size=(40, 2)), self.rng.normal(size=(40, 3))
        for search, items in ((fit_line, points), (fit_plane, space)):
            few, more = (self.launches(search, items, self.rng.integers(0, 40, (n, items.shape[1])), 0.25) for n in (9, 36))
            self.assertEqual(few, more)
        x = self.rng.normal(size=30)
        few, more = (self.launches(best_centres, x, self.rng.normal(size=(n, 4))) for n in (9, 36))
        self.assertEqual(few, more)

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        image = self.rng.uniform(0, 1, (14, 17))
        self.assertEqual(1, self.launches(find_patch, image, image[3:8, 9:15].copy()))
        before = self.rng.uniform(0, 1, (16, 24))
        self.assertEqual(2, self.launches(follow_blocks, before, np.roll(before, (1, -2), (0, 1)), 8, 2))
        x = np.linspace(0, 4, 90)
        few, more = (self.launches(fit_rate, x, np.exp(-x), np.linspace(0.1, 2, n)) for n in (12, 48))
        self.assertEqual(few, more)


if __name__ == "__main__":
    unittest.main()
