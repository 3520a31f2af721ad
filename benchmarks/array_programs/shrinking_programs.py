"""Arrays that a loop makes shorter (slices of what there is, what a mask leaves of it), and lists that a loop appends to until a condition
holds: trees of prices, sieves, particles that leave, boxes that others suppress, solvers that note their errors. Each one function of NumPy;
CuPy runs most of them unchanged, JAX, whose arrays keep their shapes, none.
"""
import numpy as np
from random_arrays import f8, normal


def american_put(spot, strike, rate, sigma, years, steps):
    dt = years / steps
    up = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)
    discount = np.exp(-rate * dt)
    k = np.arange(steps + 1)
    prices = spot * up ** (steps - 2.0 * k)
    v = np.maximum(strike - prices, 0.0)
    for _ in range(steps):
        prices = prices[:-1] / up
        v = np.maximum(strike - prices, discount * (p * v[:-1] + (1 - p) * v[1:]))
    return float(v[0])


def extrapolation(values, levels):
    """Richardson's scheme of many sequences, one a row."""
    r = values
    for k in range(1, levels):
        r = (4.0 ** k * r[:, 1:] - r[:, :-1]) / (4.0 ** k - 1)
    return r[:, 0]


def sieve(n):
    numbers = np.arange(2, n)
    primes = []
    while numbers[0] * numbers[0] < n:
        p = numbers[0]
        primes.append(p)
        numbers = numbers[numbers % p != 0]
    return np.concatenate((np.array(primes), numbers))


def suppression(boxes, scores, most):
    x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    areas = (x2 - x1) * (y2 - y1)
    order = scores.argsort()[::-1]
    keep = []
    while order.size > 0:
        i = order[0]
        keep.append(i)
        rest = order[1:]
        w = np.maximum(0.0, np.minimum(x2[i], x2[rest]) - np.maximum(x1[i], x1[rest]))
        h = np.maximum(0.0, np.minimum(y2[i], y2[rest]) - np.maximum(y1[i], y1[rest]))
        inner = w * h
        order = rest[inner / (areas[i] + areas[rest] - inner) <= most]
    return np.array(keep)


def leaving(position, velocity, steps, dt, radius):
    lost = np.zeros(steps, dtype=np.int64)
    for s in range(steps):
        position = position + velocity * dt
        inside = (position ** 2).sum(axis=1) < radius * radius
        lost[s] = len(position) - inside.sum()
        position, velocity = position[inside], velocity[inside]
    return position, velocity, lost


def covering(points, radius, most):
    left, centers = points, []
    while len(left) > 0 and len(centers) < most:
        near = ((left - left[0]) ** 2).sum(axis=1) <= radius * radius
        centers.append(left[near].mean(axis=0))
        left = left[~near]
    return np.array(centers), len(left)


def relaxation(u, f, h, tolerance):
    errors, error = [], 1.0
    while error > tolerance:
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - h * h * f[1:-1, 1:-1])
        error = np.abs(new - u).max()
        errors.append(error)
        u = new
    return u, np.array(errors)


def logistic_descent(x, y, rate, tolerance, most):
    w, losses = np.zeros(x.shape[1]), []
    for _ in range(most):
        p = 1 / (1 + np.exp(-(x * w).sum(axis=1)))
        losses.append(-np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)))
        gradient = (x * (p - y)[:, None]).mean(axis=0)
        w = w - rate * gradient
        if np.sqrt((gradient ** 2).sum()) < tolerance:
            break
    return w, np.array(losses)


def boxes_of(r, n):
    corner = f8(r, n, 2) * 1000
    return np.concatenate([corner, corner + 4 + 60 * f8(r, n, 2)], axis=1)


PROGRAMS = {
    "american_put": (american_put, lambda r: (100.0, 110.0, 0.03, 0.25, 1.0, 5000), ()),
    "extrapolation": (extrapolation, lambda r: (f8(r, 100_000, 24), 24), ()),
    "sieve": (sieve, lambda r: (2_000_000,), ()),
    "suppression": (suppression, lambda r: (boxes_of(r, 10_000), f8(r, 10_000), 0.3), ()),
    "leaving": (leaving, lambda r: (normal(r, 1_000_000, 3), normal(r, 1_000_000, 3), 100, 0.05, 5.0), ()),
    "covering": (covering, lambda r: (100 * f8(r, 200_000, 2), 3.0, 2000), ()),
    "relaxation": (relaxation, lambda r: (f8(r, 200, 200), f8(r, 200, 200), 0.005, 1e-4), ()),
    "logistic_descent": (logistic_descent, lambda r: (normal(r, 50_000, 8), (f8(r, 50_000) > 0.5) * 1.0, 0.5, 1e-6, 500), ()),
}
