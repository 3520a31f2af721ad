"""Programs that select by masks and by positions: what is left of a set of points shrinks from step to step, elements are stored at
positions of their own, events are found in signals. Each one function of NumPy that CuPy runs unchanged; JAX, whose arrays have one
shape, compiles none of those whose selections have an extent of their own.
"""
import numpy as np
from random_arrays import f8, normal


def escape_times(nx, ny, most):
    x, y = np.meshgrid(np.linspace(-2.0, 0.6, nx), np.linspace(-1.2, 1.2, ny), indexing="ij")
    c = (x + 1j * y).ravel()
    z = np.zeros_like(c)
    ids = np.arange(c.size)
    out = np.zeros(c.size, dtype=np.int32)
    for k in range(1, most + 1):
        z = z * z + c
        gone = np.abs(z) > 2.0
        out[ids[gone]] = k
        keep = ~gone
        z, c, ids = z[keep], c[keep], ids[keep]
        if ids.size == 0:
            break
    return out.reshape(nx, ny)


def newton_of_many(x, most):
    x = x.copy()
    active = np.arange(len(x))
    for _ in range(most):
        v = x[active]
        new = v - (v ** 3 - 2 * v - 5) / (3 * v ** 2 - 2)
        x[active] = new
        active = active[np.abs(new - v) > 1e-12]
        if len(active) == 0:
            break
    return x


def photons(draws, absorbed, thickness):
    n = draws.shape[1]
    depth = np.zeros(n)
    weight = np.ones(n)
    alive = np.arange(n)
    for step in draws:
        depth[alive] += -np.log(1 - step[alive]) * np.cos(4 * step[alive])
        weight[alive] *= 1 - absorbed
        alive = alive[(depth[alive] > -0.1) & (depth[alive] < thickness)]
    return depth, weight, np.sum(depth >= thickness)


def sphere_tracing(origins, directions, steps):
    t = np.zeros(len(origins))
    hit = np.full(len(origins), -1.0)
    active = np.ones(len(origins), dtype=bool)
    for _ in range(steps):
        idx = np.flatnonzero(active)
        p = origins[idx] + t[idx, None] * directions[idx]
        distance = np.sqrt((p ** 2).sum(axis=1)) - 1.0
        near = distance < 1e-4
        hit[idx[near]] = t[idx[near]]
        t[idx] += distance
        active[idx[near]] = False
        active[idx[t[idx] > 20.0]] = False
    return hit


def three_way_partition(values, pivot):
    low, high = values < pivot, values > pivot
    return values[low], values[high], values[~(low | high)].size


def sigma_clipping(x, limit, rounds):
    keep = np.ones(len(x), dtype=bool)
    for _ in range(rounds):
        kept = x[keep]
        keep = keep & (np.abs(x - kept.mean()) < limit * kept.std())
    return x[keep].mean(), keep.sum()


def ranks(x):
    order = np.argsort(x)
    out = np.empty(len(x), dtype=np.int64)
    out[order] = np.arange(len(x))
    return out


def false_discovery(p):
    order = np.argsort(p)
    n = len(p)
    adjusted = np.minimum.accumulate((p[order] * n / np.arange(1, n + 1))[::-1])[::-1]
    out = np.empty_like(p)
    out[order] = np.minimum(adjusted, 1.0)
    return out


def boundary_values(u, inner, value):
    i, j = np.nonzero(inner)
    u[i, j] = 0.25 * u[i, j] + value
    k = np.where(u[0] > 0.5)[0]
    u[0, k] = 1.0
    return u


def group_statistics(x, labels, groups):
    mean, spread, size = np.zeros(groups), np.zeros(groups), np.zeros(groups)
    for g in range(groups):
        member = np.where(labels == g)[0]
        mean[g] = x[member].mean()
        spread[g] = x[member].std()
        size[g] = len(member)
    return mean, spread, size


def peaks(signal, height):
    inside = signal[1:-1]
    top = (inside > signal[:-2]) & (inside > signal[2:]) & (inside > height)
    at = np.flatnonzero(top) + 1
    left, right = signal[at - 1], signal[at + 1]
    offset = 0.5 * (left - right) / (left - 2 * signal[at] + right)
    return at + offset, signal[at]


def run_lengths(x):
    ends = np.append(np.flatnonzero(x[1:] != x[:-1]), len(x) - 1)
    return np.diff(np.append(-1, ends)), x[ends]


def zero_crossings(signal, rate):
    at = np.flatnonzero(np.signbit(signal[1:]) != np.signbit(signal[:-1]))
    times = (at + signal[at] / (signal[at] - signal[at + 1])) / rate
    return np.diff(times).mean()


def flood(free, rows, columns, steps):
    distance = np.full(free.shape, -1)
    front = np.zeros(free.shape, dtype=bool)
    front[rows, columns] = True
    for k in range(steps):
        distance[front & (distance < 0)] = k
        reached = distance >= 0
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        front = grown & free & ~reached
    return distance


def inliers(points, normals, offsets, limit):
    best, chosen = -1, 0
    for k in range(len(offsets)):
        inside = np.abs(points @ normals[k] - offsets[k]) < limit
        count = np.sum(inside)
        if count > best:
            best, chosen = count, k
    inside = np.abs(points @ normals[chosen] - offsets[chosen]) < limit
    part = points[inside]
    centred = part - part.mean(axis=0)
    return centred.T @ centred / len(part), best


def fill_gaps(series):
    known = ~np.isnan(series)
    at = np.arange(len(series))
    out = series.copy()
    out[~known] = np.interp(at[~known], at[known], series[known])
    return out


def holes(r, n):
    return np.where(f8(r, n) < 0.2, np.nan, normal(r, n))


def rays(r, n):
    return np.tile(np.array([0.0, 0.0, -3.0]), (n, 1)), normal(r, n, 3) * np.array([0.3, 0.3, 0.0]) + np.array([0.0, 0.0, 1.0])


PROGRAMS = {
    "escape_times": (escape_times, lambda r: (1000, 1000, 100), (0, 1, 2)),
    "newton_of_many": (newton_of_many, lambda r: (1.5 + 3 * f8(r, 1_000_000), 50), (1,)),
    "photons": (photons, lambda r: (f8(r, 60, 200_000), 0.05, 5.0), ()),
    "sphere_tracing": (sphere_tracing, lambda r: (*rays(r, 200_000), 40), (2,)),
    "three_way_partition": (three_way_partition, lambda r: (f8(r, 10_000_000), 0.3), ()),
    "sigma_clipping": (sigma_clipping, lambda r: (normal(r, 4_000_000), 2.5, 10), (2,)),
    "ranks": (ranks, lambda r: (f8(r, 2_000_000),), ()),
    "false_discovery": (false_discovery, lambda r: (f8(r, 2_000_000),), ()),
    "boundary_values": (boundary_values, lambda r: (f8(r, 2000, 2000), f8(r, 2000, 2000) < 0.1, 0.5), ()),
    "group_statistics": (group_statistics, lambda r: (f8(r, 1_000_000), r.integers(0, 40, 1_000_000), 40), (2,)),
    "peaks": (peaks, lambda r: (normal(r, 10_000_000), 2.0), ()),
    "run_lengths": (run_lengths, lambda r: (np.sort(r.integers(0, 1_000_000, 8_000_000)),), ()),
    "zero_crossings": (zero_crossings, lambda r: (normal(r, 10_000_000), 44_100.0), ()),
    "flood": (flood, lambda r: (f8(r, 1000, 1000) < 0.8, np.array([500]), np.array([500]), 200), (3,)),
    "inliers": (inliers, lambda r: (normal(r, 1_000_000, 3), normal(r, 50, 3), f8(r, 50), 0.1), ()),
    "fill_gaps": (fill_gaps, lambda r: (holes(r, 2_000_000),), ()),
}
