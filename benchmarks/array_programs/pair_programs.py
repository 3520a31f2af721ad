"""Rows that each meet many others, layers over stacks of rows, and stencils that need what they compute at several positions. Each one function of NumPy,
which CuPy runs unchanged, and JAX all that store nothing in place.
"""
import numpy as np
from random_arrays import f4, f8, normal


def city_blocks(x, y):
    return np.abs(x[:, None, :] - y[None, :, :]).sum(axis=2)


def kernel_sums(x, y, weights):
    d = ((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-0.5 * d) @ weights


def nearest_of_others(x):
    d = np.sqrt(((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2))
    d = d + np.eye(x.shape[0]) * 1e9
    return d.argmin(axis=1), d.min(axis=1).mean()


def chess_board(x, y, radius):
    return (np.abs(x[:, None, :] - y[None, :, :]).max(axis=2) < radius).sum(axis=1)


def two_hops(a):
    """The shortest ways by one stop between all pairs."""
    return np.minimum(a, (a[:, None, :] + a.T[None, :, :]).min(axis=2))


def jaccard(x, y):
    both = np.minimum(x[:, None, :], y[None, :, :]).sum(axis=2)
    either = np.maximum(x[:, None, :], y[None, :, :]).sum(axis=2)
    return both / either


def common_words(x, y):
    return (x[:, None, :] & y[None, :, :]).any(axis=2).sum(axis=1), (x[:, None, :] == y[None, :, :]).sum(axis=2)


def energy_distance(x, y):
    def mean(a, b):
        return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)).mean()
    return 2 * mean(x, y) - mean(x, x) - mean(y, y)


def feed_forward(x, w1, b1, w2, b2):
    return x + np.maximum(x @ w1 + b1, 0) @ w2 + b2


def mixed_tokens(x, wt, bt, wc, bc):
    x = x + np.maximum(x.transpose(0, 2, 1) @ wt + bt, 0).transpose(0, 2, 1)
    return x + np.maximum(x @ wc + bc, 0)


def convolved(x, w, bias):
    n, h, v, _ = x.shape
    out = np.zeros((n, h - 2, v - 2, w.shape[3]), x.dtype)
    for i in range(3):
        for j in range(3):
            out = out + np.tensordot(x[:, i:i + h - 2, j:j + v - 2], w[i, j], axes=1)
    return np.maximum(out + bias, 0)


def burgers(u, dx, dt, steps):
    for _ in range(steps):
        f = 0.5 * u * u / (1 + 0.1 * u * u)
        u = u - dt / dx * (f - np.roll(f, 1))
    return u


def gray_scott(u, v, feed, kill, steps):
    for _ in range(steps):
        def spread(a):
            return np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1) - 4 * a
        r = u * v * v
        u, v = u + 0.16 * spread(u) - r + feed * (1 - u), v + 0.08 * spread(v) + r - (feed + kill) * v
    return v


def porous_flow(p, k, dt, steps):
    for _ in range(steps):
        mobility = k * np.sqrt(1 + p * p)
        qx = -0.5 * (mobility[:, 1:] + mobility[:, :-1]) * (p[:, 1:] - p[:, :-1])
        qy = -0.5 * (mobility[1:] + mobility[:-1]) * (p[1:] - p[:-1])
        p = p.copy()
        p[1:-1, 1:-1] -= dt * (qx[1:-1, 1:] - qx[1:-1, :-1] + qy[1:, 1:-1] - qy[:-1, 1:-1])
    return p


def minmod_advection(u, c, steps):
    for _ in range(steps):
        d = np.diff(u, axis=1)
        slope = np.where(d[:, 1:] * d[:, :-1] > 0, 2 * d[:, 1:] * d[:, :-1] / (d[:, 1:] + d[:, :-1]), 0.0)
        face = u[:, 1:-1] + 0.5 * (1 - c) * slope
        u = np.concatenate((u[:, :2], u[:, 2:-1] - c * (face[:, 1:] - face[:, :-1]), u[:, -1:]), axis=1)
    return u


def spectral_kick(psi, potential, dt):
    phase = np.exp(-1j * dt * (potential + np.abs(psi) ** 2))
    return np.fft.fftshift(psi * phase), np.roll(psi * phase, 1, 0) - psi


def hex_life(cells, steps):
    for _ in range(steps):
        alive = (cells > 0).astype(np.int32)
        near = sum(np.roll(alive, s, (0, 1)) for s in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)))
        cells = np.where((near == 2) | ((near == 3) & (alive > 0)), cells + 1, 0)
    return cells


PROGRAMS = {
    "city_blocks": (city_blocks, lambda r: (f8(r, 4000, 24), f8(r, 3000, 24)), ()),
    "kernel_sums": (kernel_sums, lambda r: (f4(r, 4000, 12), f4(r, 4000, 12), f4(r, 4000)), ()),
    "nearest_of_others": (nearest_of_others, lambda r: (normal(r, 3000, 6),), ()),
    "chess_board": (chess_board, lambda r: (f4(r, 3000, 40), f4(r, 2500, 40), np.float32(0.8)), ()),
    "two_hops": (two_hops, lambda r: (f8(r, 800, 800),), ()),
    "jaccard": (jaccard, lambda r: (f4(r, 2000, 64), f4(r, 1500, 64)), ()),
    "common_words": (common_words, lambda r: (f4(r, 2000, 50) < 0.1, f4(r, 3000, 50) < 0.1), ()),
    "energy_distance": (energy_distance, lambda r: (normal(r, 2000, 10), 1 + normal(r, 2500, 10)), ()),
    "feed_forward": (feed_forward, lambda r: (f4(r, 32, 256, 512), f4(r, 512, 2048) - 0.5, f4(r, 2048), f4(r, 2048, 512) - 0.5, f4(r, 512)), ()),
    "mixed_tokens": (mixed_tokens, lambda r: (f4(r, 64, 196, 256), f4(r, 196, 196) - 0.5, f4(r, 196), f4(r, 256, 256) - 0.5, f4(r, 256)), ()),
    "convolved": (convolved, lambda r: (f4(r, 32, 56, 56, 64), f4(r, 3, 3, 64, 64) - 0.5, f4(r, 64)), ()),
    "burgers": (burgers, lambda r: (f8(r, 4_000_000), 0.01, 0.001, 8), (3,)),
    "gray_scott": (gray_scott, lambda r: (f4(r, 1024, 1024), f4(r, 1024, 1024) / 4, np.float32(0.035), np.float32(0.06), 8), (4,)),
    "porous_flow": (porous_flow, lambda r: (f8(r, 1500, 1500), f8(r, 1500, 1500), 0.05, 8), (3,)),
    "minmod_advection": (minmod_advection, lambda r: (f8(r, 1000, 4000), 0.4, 8), (2,)),
    "spectral_kick": (spectral_kick, lambda r: (normal(r, 2048, 2048) + 1j * normal(r, 2048, 2048), f8(r, 2048, 2048), 0.01), ()),
    "hex_life": (hex_life, lambda r: (r.integers(0, 2, (2048, 2048)).astype(np.int32), 8), (1,)),
}
