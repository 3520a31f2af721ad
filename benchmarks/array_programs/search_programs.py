"""Searches, and loops whose iterations begin with a few numbers: each iteration computes something for a candidate (a threshold, a displacement,
a split of data, a parameter) and compares it with the best so far, or reads where it is to work (the corners of a triangle, the place of a
particle) and then works there. Each one function of NumPy; CuPy runs most of them unchanged, JAX, which cannot branch by values, none.
"""
import numpy as np
from random_arrays import f8, normal


def threshold_of_otsu(levels):
    counts = np.bincount(levels, minlength=256)
    share = counts / counts.sum()
    number = np.arange(256)
    best, threshold = -1.0, 0
    for t in range(1, 256):
        low, high = share[:t].sum(), share[t:].sum()
        if low == 0 or high == 0:
            continue
        below, above = (share[:t] * number[:t]).sum() / low, (share[t:] * number[t:]).sum() / high
        between = low * high * (below - above) ** 2
        if between > best:
            best, threshold = between, t
    return threshold, best


def patch(image, wanted):
    height, width = wanted.shape
    best, row, column = np.inf, 0, 0
    for y in range(image.shape[0] - height + 1):
        for x in range(image.shape[1] - width + 1):
            distance = ((image[y:y + height, x:x + width] - wanted) ** 2).sum()
            if distance < best:
                best, row, column = distance, y, x
    return best, row, column


def block_motion(before, after, size, reach):
    height, width = after.shape
    moves = np.zeros((height // size, width // size, 2))
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
                        moves[i, j, 0], moves[i, j, 1] = dy, dx
    return moves


def split_of_tree(points, labels):
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
    return best, feature, threshold


def stump_of_boosting(points, labels, weights):
    best, feature, threshold, sign = np.inf, 0, 0.0, 1
    for f in range(points.shape[1]):
        for t in np.unique(points[:, f]):
            guess = np.ones(len(labels))
            guess[points[:, f] < t] = -1
            error = weights[labels != guess].sum()
            turned = 1
            if error > 0.5:
                error, turned = 1 - error, -1
            if error < best:
                best, feature, threshold, sign = error, f, t, turned
    return best, feature, threshold, sign


def decay_rate(x, y, rates):
    best, rate, factor = np.inf, 0.0, 0.0
    for r in rates:
        decay = np.exp(-r * x)
        c = (decay @ y) / (decay @ decay)
        error = ((y - c * decay) ** 2).sum()
        if error < best:
            best, rate, factor = error, r, c
    return best, rate, factor


def followed_patch(frames, y, x, size):
    wanted = frames[0, y:y + size, x:x + size].copy()
    path = np.zeros((len(frames), 2))
    for f in range(1, len(frames)):
        best, row, column = np.inf, y, x
        for dy in range(-4, 5):
            for dx in range(-4, 5):
                i, j = y + dy, x + dx
                if i < 0 or j < 0 or i + size > frames.shape[1] or j + size > frames.shape[2]:
                    continue
                difference = ((frames[f, i:i + size, j:j + size] - wanted) ** 2).sum()
                if difference < best:
                    best, row, column = difference, i, j
        y, x = row, column
        wanted = 0.9 * wanted + 0.1 * frames[f, y:y + size, x:x + size]
        path[f, 0], path[f, 1] = y, x
    return path


def filled_triangles(corners, faces, shades, height, width):
    image = np.zeros((height, width))
    depth = np.full((height, width), np.inf)
    for f in range(len(faces)):
        corner = corners[faces[f]]
        x, y, z = corner[:, 0], corner[:, 1], corner[:, 2]
        left, right = max(int(np.floor(x.min())), 0), min(int(np.ceil(x.max())), width - 1)
        low, high = max(int(np.floor(y.min())), 0), min(int(np.ceil(y.max())), height - 1)
        if left > right or low > high:
            continue
        px, py = np.meshgrid(np.arange(left, right + 1), np.arange(low, high + 1))
        area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
        first = ((x[1] - px) * (y[2] - py) - (x[2] - px) * (y[1] - py)) / area
        second = ((x[2] - px) * (y[0] - py) - (x[0] - px) * (y[2] - py)) / area
        here = first * z[0] + second * z[1] + (1 - first - second) * z[2]
        near = (first >= 0) & (second >= 0) & (first + second <= 1) & (here < depth[low:high + 1, left:right + 1])
        depth[low:high + 1, left:right + 1][near] = here[near]
        image[low:high + 1, left:right + 1][near] = shades[f]
    return image, depth


def deposits(places, weights, spacing, n):
    grid = np.zeros((n, n))
    for place, weight in zip(places, weights):
        cell = np.floor(place / spacing).astype(np.int64)
        part = place / spacing - cell
        i, j = int(cell[0]), int(cell[1])
        across = np.stack([1 - part[1], part[1]])
        grid[i, j:j + 2] += weight * (1 - part[0]) * across
        grid[i + 1, j:j + 2] += weight * part[0] * across
    return grid


def labelled(r, n, features):
    points = normal(r, n, features).round(2)
    return points, (points[:, 1] + 0.3 * normal(r, n) > 0.2).astype(np.int64)


def boosted(r, n, features):
    points, labels = labelled(r, n, features)
    return points, 2.0 * labels - 1, np.full(n, 1 / n)


def moved(r, height, width):
    before = f8(r, height, width)
    return before, np.roll(before, (1, -2), (0, 1))


def decaying(r, n, rates):
    x = np.linspace(0, 4, n)
    return x, 2 * np.exp(-0.7 * x) + 0.01 * normal(r, n), np.linspace(0.1, 2, rates)


def part_of_image(r, height, width):
    image = f8(r, height, width)
    return image, image[13:29, 20:36].copy()


def film(r, count):
    scene = f8(r, 300, 300)
    return np.stack([scene[k % 20:k % 20 + 200, k // 2 % 20:k // 2 % 20 + 200] for k in range(count)]), 80, 80, 24


def mesh(r, count, size):
    centres = size * f8(r, count, 1, 2)
    corners = np.concatenate([centres + 60 * f8(r, count, 3, 2) - 30, 1 + 8 * f8(r, count, 3, 1)], axis=2)
    return corners.reshape(-1, 3), np.arange(3 * count).reshape(count, 3), f8(r, count), size, size


PROGRAMS = {
    "threshold_of_otsu": (threshold_of_otsu, lambda r: (np.clip(128 + 40 * normal(r, 4_000_000), 0, 255).astype(np.int64),), ()),
    "patch": (patch, lambda r: part_of_image(r, 200, 300), ()),
    "block_motion": (block_motion, lambda r: (*moved(r, 240, 320), 16, 7), (2, 3)),
    "split_of_tree": (split_of_tree, lambda r: labelled(r, 20_000, 4), ()),
    "stump_of_boosting": (stump_of_boosting, lambda r: boosted(r, 20_000, 8), ()),
    "decay_rate": (decay_rate, lambda r: decaying(r, 200_000, 200), ()),
    "followed_patch": (followed_patch, lambda r: film(r, 50), (1, 2, 3)),
    "filled_triangles": (filled_triangles, lambda r: mesh(r, 2000, 512), (3, 4)),
    "deposits": (deposits, lambda r: (99 * f8(r, 10_000, 2), f8(r, 10_000), 1.0, 101), (3,)),
}
