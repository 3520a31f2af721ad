"""Arrays that a loop makes longer (np.append, np.vstack, np.hstack, np.concatenate), and searches that keep the mask or the path of the best
candidate: what people write who do not count first. Each one function of NumPy; CuPy runs most of them unchanged, JAX, whose arrays keep their
shapes, none.
"""
import numpy as np
from random_arrays import f8, normal


def krylov_basis(a, b, m):
    q = (b / np.linalg.norm(b)).reshape(-1, 1)
    h = np.zeros((m + 1, m))
    for k in range(m):
        v = a @ q[:, -1]
        for j in range(k + 1):
            h[j, k] = q[:, j] @ v
            v = v - h[j, k] * q[:, j]
        h[k + 1, k] = np.linalg.norm(v)
        q = np.hstack((q, (v / h[k + 1, k]).reshape(-1, 1)))
    return q, h


def orthonormal(columns):
    q = np.zeros((columns.shape[0], 0))
    for k in range(columns.shape[1]):
        v = columns[:, k] - q @ (q.T @ columns[:, k])
        length = np.linalg.norm(v)
        if length > 1e-10:
            q = np.column_stack((q, v / length))
    return q


def snapshots(u, steps, every, dt):
    frames = u[np.newaxis]
    for k in range(1, steps + 1):
        u = u.copy()
        u[1:-1, 1:-1] += dt * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        if k % every == 0:
            frames = np.concatenate((frames, u[np.newaxis]))
    return frames


def pendulums(x, v, steps, dt):
    path, energy = x.reshape(1, -1), np.array([])
    for _ in range(steps):
        a = -np.sin(x)
        x = x + v * dt + 0.5 * a * dt * dt
        v = v + 0.5 * (a - np.sin(x)) * dt
        path = np.vstack((path, x))
        energy = np.append(energy, (0.5 * v ** 2 - np.cos(x)).mean())
    return path, energy


def farthest_points(points, count):
    chosen = np.array([0])
    distance = np.sum((points - points[0]) ** 2, axis=1)
    for _ in range(count - 1):
        i = np.argmax(distance)
        chosen = np.append(chosen, i)
        distance = np.minimum(distance, np.sum((points - points[i]) ** 2, axis=1))
    return chosen, points[chosen]


def pursuit(atoms, y, count):
    chosen, rest = np.array([], dtype=np.int64), y
    weights = np.zeros(0)
    for _ in range(count):
        chosen = np.append(chosen, np.argmax(np.abs(atoms.T @ rest)))
        part = atoms[:, chosen]
        weights = np.linalg.solve(part.T @ part, part.T @ y)
        rest = y - part @ weights
    return chosen, weights, np.linalg.norm(rest)


def line_of_points(points, picks, tolerance):
    best, kept = 0, np.zeros(len(points), bool)
    for k in range(len(picks)):
        a, b = points[picks[k, 0]], points[picks[k, 1]]
        d = b - a
        normal_to = np.array([-d[1], d[0]])
        length = np.linalg.norm(normal_to)
        if length < 1e-9:
            continue
        normal_to = normal_to / length
        near = np.abs(points @ normal_to - normal_to @ a) < tolerance
        if near.sum() > best:
            best, kept = near.sum(), near
    return int(best), points[kept].mean(0)


def plane_of_points(points, picks, tolerance):
    best, kept = 0, np.zeros(len(points), bool)
    for pick in picks:
        a, b, c = points[pick]
        normal_to = np.cross(b - a, c - a)
        length = np.linalg.norm(normal_to)
        if length < 1e-12:
            continue
        near = np.abs((points - a) @ (normal_to / length)) < tolerance
        count = near.sum()
        if count > best:
            best, kept = count, near
    return int(best), points[kept].mean(0)


def along_line(r, count):
    t = 20 * f8(r, count) - 10
    return np.concatenate([np.column_stack([t, 0.5 * t + 1 + 0.05 * normal(r, count)]), 20 * f8(r, 2 * count, 2) - 10])


def along_plane(r, count):
    flat = np.column_stack([10 * f8(r, count) - 5, 10 * f8(r, count) - 5, 0.02 * normal(r, count)])
    return np.concatenate([flat, 10 * f8(r, count, 3) - 5])


def mixture(r, samples, atoms, parts):
    dictionary = normal(r, samples, atoms)
    dictionary = dictionary / np.linalg.norm(dictionary, axis=0)
    return dictionary, dictionary[:, r.integers(0, atoms, parts)] @ normal(r, parts)


PROGRAMS = {
    "krylov_basis": (krylov_basis, lambda r: (normal(r, 4000, 4000) / 60, normal(r, 4000), 60), (2,)),
    "orthonormal": (orthonormal, lambda r: (normal(r, 20_000, 200),), ()),
    "snapshots": (snapshots, lambda r: (f8(r, 512, 512), 1000, 10, 0.2), (1, 2)),
    "pendulums": (pendulums, lambda r: (normal(r, 2000), normal(r, 2000), 1000, 0.01), (2,)),
    "farthest_points": (farthest_points, lambda r: (normal(r, 100_000, 3), 1000), (1,)),
    "pursuit": (pursuit, lambda r: (*mixture(r, 1000, 5000, 40), 40), (2,)),
    "line_of_points": (line_of_points, lambda r: (along_line(r, 7000), r.integers(0, 21_000, (500, 2)), 0.15), ()),
    "plane_of_points": (plane_of_points, lambda r: (along_plane(r, 50_000), r.integers(0, 100_000, (500, 3)), 0.05), ()),
}
