"""A fourth set of array programs: chemistry, acoustics, geophysics, orbits, economics, epidemics, recommender systems, graphics, codes, signals.
Written as scientists and students write them, each one function of NumPy that CuPy runs unchanged and, where it stores nothing into slices, JAX compiles.
"""
import numpy as np
from random_arrays import f4, f8


def reaction_network(y, k, dt, steps):
    for _ in range(steps):
        a, b, c = y[0], y[1], y[2]
        r1, r2, r3 = k[0] * a, k[1] * b * c, k[2] * b * b
        y = y + dt * np.stack([-r1 + r2, r1 - r2 - r3, r3])
    return y


def seir(s, e, i, r, contact, beta, sigma, gamma, days):
    total = s + e + i + r
    peak = i.max()
    for _ in range(days):
        force = beta * (contact @ (i / total))
        new_e, new_i, new_r = force * s, sigma * e, gamma * i
        s, e, i, r = s - new_e, e + new_e - new_i, i + new_i - new_r, r + new_r
        peak = np.maximum(peak, i.max())
    return s, e, i, r, peak


def kepler(mean, ecc, iterations):
    e_anom = mean + ecc * np.sin(mean)
    for _ in range(iterations):
        f = e_anom - ecc * np.sin(e_anom) - mean
        e_anom = e_anom - f / (1 - ecc * np.cos(e_anom))
    nu = 2 * np.arctan2(np.sqrt(1 + ecc) * np.sin(e_anom / 2), np.sqrt(1 - ecc) * np.cos(e_anom / 2))
    return nu, 1 - ecc * np.cos(e_anom)


def leapfrog(pos, vel, mass, soft, dt, steps):
    def accel(p):
        d = p[None, :, :] - p[:, None, :]
        inv = (np.sum(d * d, axis=2) + soft ** 2) ** -1.5
        return np.einsum("ijk,ij,j->ik", d, inv, mass)
    a = accel(pos)
    for _ in range(steps):
        vel = vel + 0.5 * dt * a
        pos = pos + dt * vel
        a = accel(pos)
        vel = vel + 0.5 * dt * a
    kinetic = 0.5 * np.sum(mass * np.sum(vel ** 2, axis=1))
    return pos, vel, kinetic


def upwind_advection(u, cx, cy, steps):
    for _ in range(steps):
        dx = np.where(cx > 0, u - np.roll(u, 1, axis=1), np.roll(u, -1, axis=1) - u)
        dy = np.where(cy > 0, u - np.roll(u, 1, axis=0), np.roll(u, -1, axis=0) - u)
        u = u - cx * dx - cy * dy
    return u


def seismic(p, q, vel, damp, source, steps):
    for t in range(steps):
        lap = np.zeros_like(p)
        lap[2:-2, 2:-2] = (-60 * p[2:-2, 2:-2] + 16 * (p[3:-1, 2:-2] + p[1:-3, 2:-2] + p[2:-2, 3:-1] + p[2:-2, 1:-3])
                           - (p[4:, 2:-2] + p[:-4, 2:-2] + p[2:-2, 4:] + p[2:-2, :-4])) / 12
        new = (2 * p - q * damp + vel * lap) * damp
        new[p.shape[0] // 2, p.shape[1] // 2] += source[t]
        q, p = p, new
    return p


def richards(h, k_sat, dz, dt, steps):
    for _ in range(steps):
        k = k_sat * np.exp(0.1 * h)
        mid = 0.5 * (k[:, 1:] + k[:, :-1])
        flux = -mid * ((h[:, 1:] - h[:, :-1]) / dz - 1)
        div = np.diff(flux, axis=1) / dz
        h[:, 1:-1] -= dt * div
    return h


def ray_spheres(origin, direction, centre, radius):
    oc = origin[:, None, :] - centre[None, :, :]
    b = np.sum(oc * direction[:, None, :], axis=-1)
    c = np.sum(oc * oc, axis=-1) - radius ** 2
    disc = b * b - c
    t = np.where(disc > 0, -b - np.sqrt(np.maximum(disc, 0)), np.inf)
    t = np.where(t > 1e-4, t, np.inf)
    nearest = np.argmin(t, axis=1)
    distance = np.min(t, axis=1)
    return nearest, distance


def shade(normal, light, view, albedo, power):
    n = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    diffuse = np.clip(n @ light, 0, None)
    half = light + view
    half = half / np.linalg.norm(half, axis=-1, keepdims=True)
    specular = np.clip(np.sum(n * half, axis=-1), 0, 1) ** power
    return albedo * diffuse[..., None] + specular[..., None]


def quaternion_rotate(q, v):
    q = q / np.sqrt((q ** 2).sum(axis=1, keepdims=True))
    w, x, y, z = q[:, 0], q[:, 1], q[:, 2], q[:, 3]
    r = np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], axis=-1),
        np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], axis=-1),
        np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=-1)], axis=-2)
    return np.einsum("nij,nj->ni", r, v)


def matrix_factorisation(ratings, mask, u, v, rate, decay, epochs):
    for _ in range(epochs):
        err = mask * (ratings - u @ v.T)
        u, v = u + rate * (err @ v - decay * u), v + rate * (err.T @ u - decay * v)
    return np.sqrt((err ** 2).sum() / mask.sum()), u, v


def nmf(x, w, h, iterations):
    for _ in range(iterations):
        h = h * (w.T @ x) / (w.T @ w @ h + 1e-9)
        w = w * (x @ h.T) / (w @ h @ h.T + 1e-9)
    return w, h


def pca(x, k):
    centred = x - x.mean(axis=0)
    cov = centred.T @ centred / (len(x) - 1)
    values, vectors = np.linalg.eigh(cov)
    order = np.argsort(values)[::-1][:k]
    return centred @ vectors[:, order], values[order] / values.sum()


def lasso_ista(a, b, lam, step, iterations):
    x = np.zeros(a.shape[1])
    for _ in range(iterations):
        g = x - step * (a.T @ (a @ x - b))
        x = np.sign(g) * np.maximum(np.abs(g) - step * lam, 0)
    return x


def svm_sgd(x, y, w, lam, epochs):
    for t in range(1, epochs + 1):
        margin = y * (x @ w)
        active = margin < 1
        grad = lam * w - (x * (y * active)[:, None]).mean(axis=0)
        w = w - grad / (lam * (t + 10))
    return w


def tsne_affinity(x, sigma):
    sq = np.sum(x ** 2, axis=1)
    d = np.maximum(sq[:, None] + sq[None, :] - 2 * x @ x.T, 0)
    p = np.exp(-d / (2 * sigma[:, None] ** 2))
    p = p * (1 - np.eye(len(x)))
    p = p / p.sum(axis=1, keepdims=True)
    p = (p + p.T) / (2 * len(x))
    entropy = -np.sum(p * np.log(p + 1e-12), axis=1)
    return p, entropy


def sinkhorn(cost, a, b, reg, iterations):
    k = np.exp(-cost / reg)
    u, v = np.ones_like(a), np.ones_like(b)
    for _ in range(iterations):
        u = a / (k @ v)
        v = b / (k.T @ u)
    return np.sum(u[:, None] * k * v[None, :] * cost)


def dtw_bands(x, y):
    n, m = x.shape[1], y.shape[1]
    row = np.full((x.shape[0], m + 1), np.inf)
    row[:, 0] = 0
    for i in range(n):
        cost = np.abs(x[:, i:i + 1] - y)
        new = np.full_like(row, np.inf)
        best = np.minimum(row[:, 1:], row[:, :-1]) + cost
        new[:, 1:] = best
        row = new
    return row[:, -1]


def edit_distances(a, b):
    n = b.shape[1]
    j = np.arange(n + 1)
    row = np.broadcast_to(j, (a.shape[0], n + 1))
    for i in range(a.shape[1]):
        substitution = row[:, :-1] + (a[:, i:i + 1] != b)
        best = np.concatenate([np.full((a.shape[0], 1), i + 1), np.minimum(substitution, row[:, 1:] + 1)], axis=1)
        row = np.minimum.accumulate(best - j, axis=1) + j
    return row[:, -1]


def turing_pattern_mean(a, b, iterations):
    for _ in range(iterations):
        p = np.pad(a, 1, mode="wrap")
        blur = (p[:-2, :-2] + p[:-2, 1:-1] + p[:-2, 2:] + p[1:-1, :-2] + p[1:-1, 2:] + p[2:, :-2] + p[2:, 1:-1] + p[2:, 2:]) / 8
        a, b = a + 0.1 * (blur - a) - a * b * b + 0.03 * (1 - a), b + a * b * b - 0.09 * b
    return a.mean(), b.std()


def harris(image, k):
    gy, gx = np.gradient(image)
    def box(z):
        p = np.pad(z, 2, mode="edge")
        s = np.cumsum(np.pad(p, ((1, 0), (0, 0))), axis=0)
        s = s[5:] - s[:-5]
        c = np.cumsum(np.pad(s, ((0, 0), (1, 0))), axis=1)
        return c[:, 5:] - c[:, :-5]
    xx, yy, xy = box(gx * gx), box(gy * gy), box(gx * gy)
    r = xx * yy - xy ** 2 - k * (xx + yy) ** 2
    return np.where(r > 0.01 * r.max(), r, 0)


def integral_threshold(image, w, t):
    s = image.cumsum(axis=0).cumsum(axis=1)
    s = np.pad(s, ((1, 0), (1, 0)))
    area = s[w:, w:] - s[:-w, w:] - s[w:, :-w] + s[:-w, :-w]
    return image[w // 2:w // 2 + area.shape[0], w // 2:w // 2 + area.shape[1]] * w * w > area * (1 - t)


def dct_blocks(image, basis):
    h, w = image.shape
    blocks = image.reshape(h // 8, 8, w // 8, 8).transpose(0, 2, 1, 3)
    coeff = basis @ blocks @ basis.T
    coeff = np.round(coeff / 16) * 16
    out = basis.T @ coeff @ basis
    return out.transpose(0, 2, 1, 3).reshape(h, w)


def stft_energy(x, window, hop):
    n = len(window)
    frames = 1 + (len(x) - n) // hop
    index = np.arange(n)[None, :] + hop * np.arange(frames)[:, None]
    spectrum = np.abs(np.fft.rfft(x[index] * window, axis=1)) ** 2
    centroid = (spectrum * np.arange(spectrum.shape[1])).sum(axis=1) / (spectrum.sum(axis=1) + 1e-12)
    flux = np.sqrt((np.diff(spectrum, axis=0) ** 2).sum(axis=1))
    return centroid, flux


def envelope(x):
    n = x.shape[-1]
    h = np.zeros(n)
    h[0] = h[n // 2] = 1
    h[1:n // 2] = 2
    analytic = np.fft.ifft(np.fft.fft(x, axis=-1) * h, axis=-1)
    return np.abs(analytic), np.unwrap(np.angle(analytic), axis=-1)


def poisson_spectral(f, length):
    n = f.shape[0]
    k = np.fft.fftfreq(n, length / n) * 2 * np.pi
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    k2[0, 0] = 1.0
    uh = np.fft.fft2(f) / -k2
    uh[0, 0] = 0
    return np.real(np.fft.ifft2(uh))


def vorticity_step(w, nu, dt, steps):
    n = w.shape[0]
    k = np.fft.fftfreq(n, 1 / n)
    kx, ky = k[:, None], k[None, :]
    k2 = kx ** 2 + ky ** 2
    inv = np.where(k2 > 0, 1 / np.maximum(k2, 1), 0)
    wh = np.fft.fft2(w)
    for _ in range(steps):
        psi = wh * inv
        u = np.fft.ifft2(1j * ky * psi).real
        v = np.fft.ifft2(-1j * kx * psi).real
        wx = np.fft.ifft2(1j * kx * wh).real
        wy = np.fft.ifft2(1j * ky * wh).real
        wh = (wh - dt * np.fft.fft2(u * wx + v * wy)) / (1 + dt * nu * k2)
    return np.fft.ifft2(wh).real


def yield_curve(params, t):
    b0, b1, b2, tau = params[:, 0:1], params[:, 1:2], params[:, 2:3], params[:, 3:4]
    x = t[None, :] / tau
    decay = np.exp(-x)
    factor = (1 - decay) / x
    return b0 + b1 * factor + b2 * (factor - decay)


def bollinger(price, n, width):
    c = np.cumsum(np.insert(price, 0, 0.0, axis=0), axis=0)
    c2 = np.cumsum(np.insert(price ** 2, 0, 0.0, axis=0), axis=0)
    mean = (c[n:] - c[:-n]) / n
    std = np.sqrt(np.maximum((c2[n:] - c2[:-n]) / n - mean ** 2, 0))
    last = price[n - 1:]
    signal = np.where(last > mean + width * std, -1, np.where(last < mean - width * std, 1, 0))
    pnl = (signal[:-1] * np.diff(last, axis=0)).sum(axis=0)
    return pnl, np.abs(np.diff(signal, axis=0)).sum(axis=0)


def garch_loglik(r, omega, alpha, beta):
    var = np.full(r.shape[0], r.var())
    ll = np.zeros(r.shape[0])
    for t in range(r.shape[1]):
        ll = ll - 0.5 * (np.log(2 * np.pi * var) + r[:, t] ** 2 / var)
        var = omega + alpha * r[:, t] ** 2 + beta * var
    return ll


def value_at_risk(weights, returns, level):
    pnl = returns @ weights
    ordered = np.sort(pnl, axis=0)
    cut = int(level * len(pnl))
    return -ordered[cut], -ordered[:cut].mean(axis=0)


def lotka_ensemble(x, y, a, b, c, d, dt, steps):
    def f(x, y):
        return a * x - b * x * y, c * x * y - d * y
    for _ in range(steps):
        k1x, k1y = f(x, y)
        k2x, k2y = f(x + 0.5 * dt * k1x, y + 0.5 * dt * k1y)
        k3x, k3y = f(x + 0.5 * dt * k2x, y + 0.5 * dt * k2y)
        k4x, k4y = f(x + dt * k3x, y + dt * k3y)
        x = x + dt / 6 * (k1x + 2 * k2x + 2 * k3x + k4x)
        y = y + dt / 6 * (k1y + 2 * k2y + 2 * k3y + k4y)
    return x, y


def forest_fire(state, lightning, growth, steps):
    for t in range(steps):
        burning = state == 2
        near = np.zeros_like(burning)
        near[1:] |= burning[:-1]
        near[:-1] |= burning[1:]
        near[:, 1:] |= burning[:, :-1]
        near[:, :-1] |= burning[:, 1:]
        ignite = (state == 1) & (near | (lightning[t % 8] < 0.001))
        grow = (state == 0) & (growth[t % 8] < 0.05)
        state = np.where(burning, 0, np.where(ignite, 2, np.where(grow, 1, state)))
    return state, (state == 1).sum()


def hashes(keys, rounds):
    h = keys.astype(np.uint64)
    for _ in range(rounds):
        h ^= h >> np.uint64(33)
        h *= np.uint64(0xff51afd7ed558ccd)
        h ^= h >> np.uint64(33)
        h *= np.uint64(0xc4ceb9fe1a85ec53)
        h ^= h >> np.uint64(33)
    return h, np.bincount((h & np.uint64(1023)).astype(np.int64), minlength=1024)


def crc_table(data, table):
    crc = np.full(data.shape[0], 0xffffffff, dtype=np.uint32)
    for i in range(data.shape[1]):
        crc = (crc >> np.uint32(8)) ^ table[(crc ^ data[:, i]) & np.uint32(0xff)]
    return crc ^ np.uint32(0xffffffff)


def pivot_table(rows, cols, values, n, m):
    flat = rows * m + cols
    total = np.bincount(flat, weights=values, minlength=n * m).reshape(n, m)
    count = np.bincount(flat, minlength=n * m).reshape(n, m)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return mean, total.sum(axis=1), count.sum(axis=0)


def top_n_per_row(scores, seen, n):
    masked = np.where(seen, -np.inf, scores)
    part = np.argpartition(-masked, n, axis=1)[:, :n]
    values = np.take_along_axis(masked, part, axis=1)
    order = np.argsort(-values, axis=1)
    return np.take_along_axis(part, order, axis=1), np.take_along_axis(values, order, axis=1)


def run_lengths(x):
    change = np.flatnonzero(np.diff(x) != 0) + 1
    starts = np.concatenate([np.zeros(1, dtype=change.dtype), change])
    lengths = np.diff(np.append(starts, len(x)))
    return x[starts], lengths, lengths.max()


def deduplicate(a, b):
    key = a * 100003 + b
    unique, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return unique, counts[inverse], (counts > 1).sum()


def gaussian_quadrature(f_scale, nodes, weights, lo, hi):
    mid, half = 0.5 * (lo + hi), 0.5 * (hi - lo)
    x = mid[:, None] + half[:, None] * nodes[None, :]
    y = np.exp(-f_scale[:, None] * x ** 2) * np.cos(3 * x)
    return half * (y @ weights)


def bessel_series(x, terms):
    total = np.zeros_like(x)
    term = np.ones_like(x)
    for k in range(1, terms):
        total += term
        term = -term * (x / 2) ** 2 / (k * k)
    return total


def chebyshev_clenshaw(c, x):
    b1 = np.zeros_like(x)
    b2 = np.zeros_like(x)
    for k in range(len(c) - 1, 0, -1):
        b1, b2 = 2 * x * b1 - b2 + c[k], b1
    return x * b1 - b2 + c[0]


def gru(x, h, wz, wr, wh, uz, ur, uh):
    def sigmoid(a):
        return 1 / (1 + np.exp(-a))
    for t in range(x.shape[0]):
        z = sigmoid(x[t] @ wz + h @ uz)
        r = sigmoid(x[t] @ wr + h @ ur)
        cand = np.tanh(x[t] @ wh + (r * h) @ uh)
        h = (1 - z) * h + z * cand
    return h


def group_norm(x, gamma, beta, groups):
    n, c, h, w = x.shape
    g = x.reshape(n, groups, c // groups, h, w)
    mean = g.mean(axis=(2, 3, 4), keepdims=True)
    var = g.var(axis=(2, 3, 4), keepdims=True)
    x = ((g - mean) / np.sqrt(var + 1e-5)).reshape(n, c, h, w)
    x = x * gamma[None, :, None, None] + beta[None, :, None, None]
    return x * (1 / (1 + np.exp(-x)))


def depthwise(x, k):
    n, c, h, w = x.shape
    out = np.zeros((n, c, h - 2, w - 2), dtype=x.dtype)
    for i in range(3):
        for j in range(3):
            out += x[:, :, i:i + h - 2, j:j + w - 2] * k[None, :, i, j, None, None]
    return np.maximum(out, 0)


def contrastive(a, b, temperature):
    a = a / np.linalg.norm(a, axis=1, keepdims=True)
    b = b / np.linalg.norm(b, axis=1, keepdims=True)
    logits = a @ b.T / temperature
    top = logits.max(axis=1, keepdims=True)
    logz = np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0]
    accuracy = (logits.argmax(axis=1) == np.arange(len(a))).mean()
    return (logz - np.diagonal(logits)).mean(), accuracy


def table_of_crc():
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0xedb88320), table >> 1).astype(np.uint32)
    return table


def legendre_rule(n):
    return np.polynomial.legendre.leggauss(n)


PROGRAMS = {
    "reactions": (reaction_network, lambda g: [f8(g, 3, 500000), np.array([.04, 1.0, 3.0]), 0.001, 50], (3,)),
    "seir": (seir, lambda g: [f8(g, 1000) * 1e5, f8(g, 1000), f8(g, 1000) * 10, f8(g, 1000), f8(g, 1000, 1000) * .002, .3, .2, .1, 100], (8,)),
    "kepler": (kepler, lambda g: [f8(g, 2000000) * 6, f8(g, 2000000) * .9, 8], (2,)),
    "leapfrog": (leapfrog, lambda g: [f8(g, 2000, 3), f8(g, 2000, 3), f8(g, 2000), .05, .001, 10], (5,)),
    "upwind": (upwind_advection, lambda g: [f8(g, 1500, 1500), f8(g, 1500, 1500) - .5, f8(g, 1500, 1500) - .5, 20], (3,)),
    "seismic": (seismic, lambda g: [f4(g, 2000, 2000) * 0, f4(g, 2000, 2000) * 0, f4(g, 2000, 2000) * np.float32(.1), np.ones((2000, 2000), np.float32) * np.float32(.999), f4(g, 40), 40], (5,)),
    "richards": (richards, lambda g: [-f8(g, 5000, 200), f8(g, 5000, 200), .1, .0001, 30], (4,)),
    "spheres": (ray_spheres, lambda g: [f4(g, 200000, 3), f4(g, 200000, 3) - np.float32(.5), f4(g, 50, 3) * 10, f4(g, 50)], ()),
    "shade": (shade, lambda g: [f4(g, 1000, 1000, 3) - np.float32(.5), np.array([.3, .8, .5], np.float32), f4(g, 1000, 1000, 3), f4(g, 1000, 1000, 3), 20], (4,)),
    "quaternions": (quaternion_rotate, lambda g: [f8(g, 1000000, 4) - .5, f8(g, 1000000, 3)], ()),
    "factorise": (matrix_factorisation, lambda g: [f8(g, 3000, 2000), (f8(g, 3000, 2000) > .9) * 1.0, f8(g, 3000, 32) * .1, f8(g, 2000, 32) * .1, .001, .01, 10], (6,)),
    "nmf": (nmf, lambda g: [f8(g, 4000, 2000), f8(g, 4000, 20), f8(g, 20, 2000), 20], (3,)),
    "pca": (pca, lambda g: [f8(g, 200000, 64), 8], (1,)),
    "lasso": (lasso_ista, lambda g: [f8(g, 4000, 2000) - .5, f8(g, 4000), .1, 1e-4, 100], (4,)),
    "svm": (svm_sgd, lambda g: [f8(g, 200000, 50) - .5, np.sign(f8(g, 200000) - .5), f8(g, 50), .01, 30], (4,)),
    "affinity": (tsne_affinity, lambda g: [f8(g, 4000, 50), f8(g, 4000) + .5], ()),
    "sinkhorn": (sinkhorn, lambda g: [f8(g, 2000, 3000), np.full(2000, 1 / 2000), np.full(3000, 1 / 3000), .05, 100], (4,)),
    "dtw": (dtw_bands, lambda g: [f8(g, 2000, 64), f8(g, 2000, 128)], ()),
    "edit": (edit_distances, lambda g: [g.integers(0, 4, (10000, 50)), g.integers(0, 4, (10000, 60))], ()),
    "turing": (turing_pattern_mean, lambda g: [f8(g, 1000, 1000), f8(g, 1000, 1000) * .3, 30], (2,)),
    "harris": (harris, lambda g: [f8(g, 2000, 2000), .05], ()),
    "threshold": (integral_threshold, lambda g: [f8(g, 3000, 3000), 15, .15], (1,)),
    "dct": (dct_blocks, lambda g: [f8(g, 2048, 2048) * 255, f8(g, 8, 8)], ()),
    "stft": (stft_energy, lambda g: [f8(g, 4000000), np.hanning(1024), 512], (2,)),
    "envelope": (envelope, lambda g: [f8(g, 256, 16384) - .5], ()),
    "poisson_fft": (poisson_spectral, lambda g: [f8(g, 2048, 2048), 1.0], (1,)),
    "vorticity": (vorticity_step, lambda g: [f8(g, 512, 512), 1e-3, 1e-3, 20], (3,)),
    "yields": (yield_curve, lambda g: [f8(g, 100000, 4) + .1, f8(g, 120) * 30], ()),
    "bollinger": (bollinger, lambda g: [np.exp(np.cumsum(g.standard_normal((5000, 500)) * .01, axis=0)), 20, 2.0], (1,)),
    "garch": (garch_loglik, lambda g: [g.standard_normal((20000, 250)), f8(g, 20000) * .1 + .01, f8(g, 20000) * .1, f8(g, 20000) * .8], ()),
    "var": (value_at_risk, lambda g: [f8(g, 100, 50), g.standard_normal((50000, 100)), .01], (2,)),
    "lotka": (lotka_ensemble, lambda g: [f8(g, 500000) + .5, f8(g, 500000) + .5, 1.1, .4, .1, .4, .01, 100], (7,)),
    "fire": (forest_fire, lambda g: [g.integers(0, 2, (1000, 1000)), f8(g, 8, 1000, 1000), f8(g, 8, 1000, 1000), 30], (3,)),
    "hashes": (hashes, lambda g: [g.integers(0, 1 << 62, 5000000), 3], (1,)),
    "crc": (crc_table, lambda g: [g.integers(0, 256, (100000, 64)).astype(np.uint32), table_of_crc()], ()),
    "pivot": (pivot_table, lambda g: [g.integers(0, 50, 3000000), g.integers(0, 24, 3000000), f8(g, 3000000), 50, 24], (3, 4)),
    "top_n": (top_n_per_row, lambda g: [f8(g, 4000, 5000), f8(g, 4000, 5000) < .05, 10], (2,)),
    "runs": (run_lengths, lambda g: [g.integers(0, 3, 5000000)], ()),
    "duplicates": (deduplicate, lambda g: [g.integers(0, 2000, 2000000), g.integers(0, 2000, 2000000)], ()),
    "quadrature": (gaussian_quadrature, lambda g: [f8(g, 100000), *legendre_rule(64), f8(g, 100000), f8(g, 100000) + 1], ()),
    "bessel": (bessel_series, lambda g: [f8(g, 2000000) * 10, 30], (1,)),
    "clenshaw": (chebyshev_clenshaw, lambda g: [f8(g, 40), f8(g, 2000000) * 2 - 1], ()),
    "gru": (gru, lambda g: [f4(g, 64, 512, 128)] + [f4(g, 512, 256)] + [f4(g, 128, 256) - np.float32(.5) for _ in range(3)] + [f4(g, 256, 256) - np.float32(.5) for _ in range(3)], ()),
    "group_norm": (group_norm, lambda g: [f4(g, 32, 64, 56, 56), f4(g, 64), f4(g, 64), 8], (3,)),
    "depthwise": (depthwise, lambda g: [f4(g, 16, 64, 112, 112), f4(g, 64, 3, 3)], ()),
    "contrastive": (contrastive, lambda g: [f4(g, 4096, 256), f4(g, 4096, 256), .07], (2,)),
}
