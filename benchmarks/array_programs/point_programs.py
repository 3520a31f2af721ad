"""Arrays whose last axis is short: points and groups of them, trajectories, triangles, quaternions, small matrices, images with channels last, layers of
colours. Each one function of NumPy; CuPy runs all unchanged, JAX those whose results have shapes that it can trace.
"""
import numpy as np
from random_arrays import f4, f8, normal


def path_lengths(groups):
    step = np.diff(groups, axis=1)
    return np.sqrt((step ** 2).sum(axis=2)).sum(axis=1)


def gyration(chains):
    centre = chains.mean(axis=1)
    return np.sqrt(((chains - centre[:, None]) ** 2).sum(axis=2).mean(axis=1))


def distances_down(points):
    return np.sqrt((points ** 2).sum(axis=2)).sum(axis=0)


def excursions(trajectories):
    """(T, N, 3): how far each goes from where it began."""
    return np.sqrt(((trajectories - trajectories[0]) ** 2).sum(axis=2)).max(axis=0)


def displacements(trajectories, lags):
    """The mean square displacement for each lag."""
    result = np.zeros(lags)
    for lag in range(1, lags + 1):
        step = trajectories[lag:] - trajectories[:-lag]
        result[lag - 1] = (step ** 2).sum(axis=2).mean()
    return result


def far_points(points, limit):
    return points[(points ** 2).sum(axis=1) > limit * limit]


def within_box(points, low, high):
    inside = np.all((points >= low) & (points <= high), axis=1)
    return inside.sum(), points[inside].mean(axis=0)


def boxes(groups):
    return groups.min(axis=1), groups.max(axis=1), (groups.max(axis=1) - groups.min(axis=1)).prod(axis=1)


def triangle_areas(vertices, faces):
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    normal_of = np.cross(b - a, c - a)
    return 0.5 * np.sqrt((normal_of ** 2).sum(axis=1)).sum(), normal_of.mean(axis=0)


def volume_and_centre(vertices, faces):
    corners = vertices[faces]
    six = (corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum(axis=1)
    return six.sum() / 6, (corners.sum(axis=1) * six[:, None]).sum(axis=0) / (4 * six.sum())


def rotated(points, angles):
    c, s = np.cos(angles), np.sin(angles)
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    return np.stack((c * x - s * y, s * x + c * y, z), axis=1)


def transformed(points, matrix, shift):
    moved = points @ matrix.T + shift
    return moved[:, :2] / moved[:, 2:]


def hamilton_products(p, q):
    a, b, c, d = p.T
    e, f, g, h = q.T
    r = np.stack((a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e), axis=1)
    return r / np.sqrt((r ** 2).sum(axis=1, keepdims=True))


def inertia(masses, points):
    centred = points - (masses[:, None] * points).sum(axis=0) / masses.sum()
    square = (centred ** 2).sum(axis=1)
    return (masses * square).sum() * np.eye(3) - (masses[:, None, None] * centred[:, :, None] * centred[:, None, :]).sum(axis=0)


def spread_of_groups(groups):
    """The covariance of each group's points."""
    centred = groups - groups.mean(axis=1, keepdims=True)
    return np.einsum("gni,gnj->gij", centred, centred) / (groups.shape[1] - 1)


def spring_forces(points, neighbours, length, stiffness):
    step = points[neighbours] - points[:, None]
    distance = np.sqrt((step ** 2).sum(axis=2))
    return ((stiffness * (distance - length) / distance)[:, :, None] * step).sum(axis=1)


def nearest_centre(points, centres):
    return ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)


def curvature(curve):
    first = (curve[2:] - curve[:-2]) / 2
    second = curve[2:] - 2 * curve[1:-1] + curve[:-2]
    across = np.cross(first, second)
    return np.sqrt((across ** 2).sum(axis=1)) / (first ** 2).sum(axis=1) ** 1.5


def arc_positions(curve):
    return np.concatenate((np.zeros(1), np.cumsum(np.sqrt((np.diff(curve, axis=0) ** 2).sum(axis=1)))))


def by_distance(points):
    distance = np.sqrt((points ** 2).sum(axis=1))
    order = np.argsort(distance)
    return points[order], distance[order]


def occupied(points, cells):
    at = np.minimum((points * cells).astype(np.int64), cells - 1)
    return np.bincount(at[:, 0] * cells + at[:, 1], minlength=cells * cells)


def white_balance(image):
    mean = image.mean(axis=(0, 1))
    return np.clip(image * (mean.mean() / mean), 0.0, 1.0)


def channel_profiles(image):
    return image.mean(axis=0), image.std(axis=1), image.max(axis=(0, 1))


def luminance_rows(image):
    return (0.2126 * image[:, :, 0] + 0.7152 * image[:, :, 1] + 0.0722 * image[:, :, 2]).mean(axis=1)


def saturation(image):
    largest, smallest = image.max(axis=2), image.min(axis=2)
    return np.where(largest > 0, (largest - smallest) / np.maximum(largest, 1e-6), 0.0).mean(axis=0)


def composited(layers):
    """(L, H, W, 4): colours and how opaque they are, from the front to the back."""
    colour, left = np.zeros(layers.shape[1:3] + (3,), layers.dtype), np.ones(layers.shape[1:3] + (1,), layers.dtype)
    for layer in layers:
        colour = colour + left * layer[:, :, 3:] * layer[:, :, :3]
        left = left * (1 - layer[:, :, 3:])
    return colour


def votes(scores):
    return np.bincount(scores.argmax(axis=1), minlength=scores.shape[1]), scores.max(axis=1).mean()


def polarisation(fields):
    """Stokes parameters, averaged, of fields of two complex components."""
    x, y = fields[:, :, 0], fields[:, :, 1]
    cross = x * y.conj()
    return ((np.abs(x) ** 2 + np.abs(y) ** 2).mean(axis=1), (np.abs(x) ** 2 - np.abs(y) ** 2).mean(axis=1),
            2 * cross.real.mean(axis=1), -2 * cross.imag.mean(axis=1))


def determinants(matrices):
    m = matrices
    return (m[:, 0, 0] * (m[:, 1, 1] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 1]) - m[:, 0, 1] * (m[:, 1, 0] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 0])
            + m[:, 0, 2] * (m[:, 1, 0] * m[:, 2, 1] - m[:, 1, 1] * m[:, 2, 0])), np.trace(m, axis1=1, axis2=2).max()


def faces_of(r, n, count):
    return r.integers(0, n, (count, 3))


PROGRAMS = {
    "path_lengths": (path_lengths, lambda r: (normal(r, 200, 20_000, 3),), ()),
    "gyration": (gyration, lambda r: (normal(r, 500, 8000, 3),), ()),
    "distances_down": (distances_down, lambda r: (normal(r, 400_000, 8, 3),), ()),
    "excursions": (excursions, lambda r: (normal(r, 2000, 1000, 3),), ()),
    "displacements": (displacements, lambda r: (normal(r, 1000, 1000, 3), 20), (1,)),
    "far_points": (far_points, lambda r: (normal(r, 4_000_000, 3), 2.0), ()),
    "within_box": (within_box, lambda r: (normal(r, 4_000_000, 3), np.full(3, -1.0), np.full(3, 0.5)), ()),
    "boxes": (boxes, lambda r: (normal(r, 1000, 4000, 3),), ()),
    "triangle_areas": (triangle_areas, lambda r: (normal(r, 500_000, 3), faces_of(r, 500_000, 1_000_000)), ()),
    "volume_and_centre": (volume_and_centre, lambda r: (normal(r, 500_000, 3), faces_of(r, 500_000, 1_000_000)), ()),
    "rotated": (rotated, lambda r: (normal(r, 4_000_000, 3), f8(r, 4_000_000)), ()),
    "transformed": (transformed, lambda r: (normal(r, 4_000_000, 3), normal(r, 3, 3), np.full(3, 9.0)), ()),
    "hamilton_products": (hamilton_products, lambda r: (normal(r, 2_000_000, 4), normal(r, 2_000_000, 4)), ()),
    "inertia": (inertia, lambda r: (f8(r, 2_000_000), normal(r, 2_000_000, 3)), ()),
    "spread_of_groups": (spread_of_groups, lambda r: (normal(r, 2000, 2000, 3),), ()),
    "spring_forces": (spring_forces, lambda r: (normal(r, 200_000, 3), r.integers(0, 200_000, (200_000, 12)), 1.0, 3.0), ()),
    "nearest_centre": (nearest_centre, lambda r: (normal(r, 1_000_000, 3), normal(r, 64, 3)), ()),
    "curvature": (curvature, lambda r: (normal(r, 4_000_000, 3),), ()),
    "arc_positions": (arc_positions, lambda r: (normal(r, 4_000_000, 3),), ()),
    "by_distance": (by_distance, lambda r: (normal(r, 2_000_000, 3),), ()),
    "occupied": (occupied, lambda r: (f8(r, 4_000_000, 2), 64), (1,)),
    "white_balance": (white_balance, lambda r: (f4(r, 3000, 4000, 3),), ()),
    "channel_profiles": (channel_profiles, lambda r: (f4(r, 3000, 4000, 3),), ()),
    "luminance_rows": (luminance_rows, lambda r: (f4(r, 3000, 4000, 3),), ()),
    "saturation": (saturation, lambda r: (f4(r, 3000, 4000, 3),), ()),
    "composited": (composited, lambda r: (f4(r, 16, 1000, 1500, 4),), ()),
    "votes": (votes, lambda r: (f4(r, 1_000_000, 10),), ()),
    "polarisation": (polarisation, lambda r: (normal(r, 1000, 3000, 2) + 1j * normal(r, 1000, 3000, 2),), ()),
    "determinants": (determinants, lambda r: (normal(r, 1_000_000, 3, 3),), ()),
}
