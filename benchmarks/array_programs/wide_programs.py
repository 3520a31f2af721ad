"""A third set of array programs: particles, waves, finance, statistics, images, learning, sequences, grids that are coarsened. Written as scientists and
students write them, each one function of NumPy that CuPy runs unchanged and, where it stores nothing into slices, JAX compiles.
"""
import numpy as np
from random_arrays import f4, f8


def sph_density(pos, mass, h):
    d = pos[:, None, :] - pos[None, :, :]
    q = np.sqrt((d ** 2).sum(-1)) / h
    w = np.where(q < 1, 1 - 1.5 * q ** 2 + 0.75 * q ** 3, np.where(q < 2, 0.25 * (2 - q) ** 3, 0.0))
    return (mass * w).sum(axis=1) / (np.pi * h ** 3)


def lattice_boltzmann(f, omega, steps):
    cx, cy = (0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1)
    weights = (4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36)
    for _ in range(steps):
        f = np.stack([np.roll(f[k], (cx[k], cy[k]), (0, 1)) for k in range(9)])
        rho = f.sum(axis=0)
        ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
        uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho
        usq = 1.5 * (ux * ux + uy * uy)
        eq = []
        for k in range(9):
            cu = 3 * (cx[k] * ux + cy[k] * uy)
            eq.append(weights[k] * rho * (1 + cu + 0.5 * cu * cu - usq))
        f = f - omega * (f - np.stack(eq))
    return f


def cahn_hilliard(c, dt, steps):
    def lap(a):
        return np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1) - 4 * a
    for _ in range(steps):
        mu = c ** 3 - c - 0.5 * lap(c)
        c = c + dt * lap(mu)
    return c


def maxwell(ex, ey, hz, steps):
    for _ in range(steps):
        ex[:, 1:-1] += 0.5 * (hz[:, 1:] - hz[:, :-1])
        ey[1:-1, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        hz -= 0.5 * (ey[1:, :] - ey[:-1, :] - ex[:, 1:] + ex[:, :-1])
    return hz


def split_step(psi, potential, k2, dt, steps):
    half = np.exp(-0.5j * dt * potential)
    kinetic = np.exp(-0.5j * dt * k2)
    for _ in range(steps):
        psi = half * np.fft.ifft(kinetic * np.fft.fft(half * psi))
    return np.abs(psi) ** 2


def heston(z1, z2, s0, v0, kappa, theta, xi, rho, dt):
    s, v = np.full(z1.shape[1], s0), np.full(z1.shape[1], v0)
    for t in range(z1.shape[0]):
        vp = np.maximum(v, 0.0)
        zs = rho * z1[t] + np.sqrt(1 - rho * rho) * z2[t]
        s = s * np.exp(-0.5 * vp * dt + np.sqrt(vp * dt) * zs)
        v = v + kappa * (theta - vp) * dt + xi * np.sqrt(vp * dt) * z1[t]
    return np.maximum(s - 1.0, 0).mean(), v.mean()


def binomial_american(s0, strike, r, sigma, t, n):
    dt = t / n
    u = np.exp(sigma * np.sqrt(dt))
    p, disc = (np.exp(r * dt) - 1 / u) / (u - 1 / u), np.exp(-r * dt)
    prices = s0[:, None] * u ** (2.0 * np.arange(n + 1) - n)
    values = np.maximum(strike - prices, 0)
    for k in range(n - 1, -1, -1):
        values = disc * (p * values[:, 1:] + (1 - p) * values[:, :-1])
        prices = s0[:, None] * u ** (2.0 * np.arange(k + 1) - k)
        values = np.maximum(values, strike - prices)
    return values[:, 0]


def longstaff_schwartz(paths, strike, discount):
    cash = np.maximum(strike - paths[-1], 0)
    for t in range(paths.shape[0] - 2, 0, -1):
        cash = cash * discount
        x = paths[t]
        itm = np.where(x < strike, 1.0, 0.0)
        A = np.stack([itm, itm * x, itm * x * x], axis=1)
        coef = np.linalg.solve(A.T @ A + 1e-9 * np.eye(3), A.T @ cash)
        stay = coef[0] + coef[1] * x + coef[2] * x * x
        now = np.maximum(strike - x, 0)
        cash = np.where((now > stay) & (x < strike), now, cash)
    return cash.mean() * discount


def welch(x, n):
    window = np.hanning(n)
    frames = x[: x.size // n * n].reshape(-1, n)
    spectrum = np.abs(np.fft.rfft((frames - frames.mean(axis=1, keepdims=True)) * window, axis=1)) ** 2
    return spectrum.mean(axis=0) / (window ** 2).sum()


def autocorrelation(x, lags):
    y = x - x.mean()
    return np.stack([(y[: y.size - k] * y[k:]).mean() for k in range(lags)]) / y.var()


def bilateral(img, sigma_s, sigma_r, radius):
    padded = np.pad(img, radius, mode="edge")
    h, w = img.shape
    total, norm = np.zeros_like(img), np.zeros_like(img)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            shifted = padded[radius + dy: radius + dy + h, radius + dx: radius + dx + w]
            weight = np.exp(-(dx * dx + dy * dy) / (2 * sigma_s ** 2) - (shifted - img) ** 2 / (2 * sigma_r ** 2))
            total, norm = total + weight * shifted, norm + weight
    return total / norm


def non_maximum(img):
    gx = img[1:-1, 2:] - img[1:-1, :-2]
    gy = img[2:, 1:-1] - img[:-2, 1:-1]
    mag = np.hypot(gx, gy)
    horizontal = np.abs(gx) > np.abs(gy)
    m = mag[1:-1, 1:-1]
    a = np.where(horizontal[1:-1, 1:-1], mag[1:-1, :-2], mag[:-2, 1:-1])
    b = np.where(horizontal[1:-1, 1:-1], mag[1:-1, 2:], mag[2:, 1:-1])
    return np.where((m >= a) & (m >= b), m, 0)


def propagate_labels(mask, steps):
    n, m = mask.shape
    labels = np.where(mask, np.arange(1, n * m + 1).reshape(n, m), 0)
    for _ in range(steps):
        best = np.maximum(labels, np.maximum(np.roll(labels, 1, 0), np.roll(labels, -1, 0)))
        best = np.maximum(best, np.maximum(np.roll(labels, 1, 1), np.roll(labels, -1, 1)))
        labels = np.where(mask, best, 0)
    return labels


def distance_transform(mask):
    n = mask.shape[1]
    col = np.arange(n)
    far = np.where(mask[:, None, :], (col[:, None] - col[None, :]) ** 2, n * n)
    return np.sqrt(far.min(axis=2))


def knn_classify(train, labels, test, k):
    d = (test ** 2).sum(1)[:, None] - 2 * test @ train.T + (train ** 2).sum(1)[None, :]
    near = np.argsort(d, axis=1)[:, :k]
    votes = labels[near]
    return np.stack([(votes == c).sum(axis=1) for c in range(10)], axis=1).argmax(axis=1)


def gaussian_process(x, y, xs, length, noise):
    def kernel(a, b):
        return np.exp(-0.5 * ((a[:, None] - b[None, :]) / length) ** 2)
    L = np.linalg.cholesky(kernel(x, x) + noise * np.eye(x.size))
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    ks = kernel(xs, x)
    v = np.linalg.solve(L, ks.T)
    return ks @ alpha, 1.0 - (v ** 2).sum(axis=0)


def newton_logistic(X, y, steps):
    w = np.zeros(X.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(X @ w)))
        g = X.T @ (p - y)
        H = (X * (p * (1 - p))[:, None]).T @ X + 1e-6 * np.eye(X.shape[1])
        w = w - np.linalg.solve(H, g)
    return w


def naive_bayes(X, means, variances, priors):
    score = -0.5 * (((X[:, None, :] - means) ** 2) / variances + np.log(2 * np.pi * variances)).sum(axis=2) + np.log(priors)
    return score.argmax(axis=1), score.max(axis=1)


def train_mlp(X, Y, w1, b1, w2, b2, batch, lr):
    for k in range(X.shape[0] // batch):
        x, y = X[k * batch: (k + 1) * batch], Y[k * batch: (k + 1) * batch]
        h = np.tanh(x @ w1 + b1)
        out = h @ w2 + b2
        e = np.exp(out - out.max(axis=1, keepdims=True))
        d = (e / e.sum(axis=1, keepdims=True) - y) / batch
        dh = d @ w2.T * (1 - h * h)
        w1, b1 = w1 - lr * x.T @ dh, b1 - lr * dh.sum(axis=0)
        w2, b2 = w2 - lr * h.T @ d, b2 - lr * d.sum(axis=0)
    return w1, b1, w2, b2


def conv_layer(x, w, b):
    n, c, h, width = x.shape
    out = np.zeros((n, w.shape[0], h - 2, width - 2), x.dtype)
    for i in range(3):
        for j in range(3):
            out = out + np.einsum("nchw,oc->nohw", x[:, :, i: i + h - 2, j: j + width - 2], w[:, :, i, j])
    return np.maximum(out + b[:, None, None], 0)


def transformer_block(x, wq, wk, wv, wo, w1, w2):
    def norm(a):
        m = a.mean(axis=-1, keepdims=True)
        return (a - m) / np.sqrt(((a - m) ** 2).mean(axis=-1, keepdims=True) + 1e-5)
    y = norm(x)
    q, k, v = y @ wq, y @ wk, y @ wv
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    s = np.where(np.tril(np.ones((x.shape[1], x.shape[1]))) > 0, s, -1e9)
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    x = x + (s / s.sum(axis=-1, keepdims=True)) @ v @ wo
    y = norm(x) @ w1
    return x + (0.5 * y * (1 + np.tanh(0.7978845608 * (y + 0.044715 * y ** 3)))) @ w2


def rotary(q, positions):
    half = q.shape[-1] // 2
    angles = positions[:, None] / 10000.0 ** (np.arange(half) / half)
    c, s = np.cos(angles), np.sin(angles)
    a, b = q[..., :half], q[..., half:]
    return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)


def embedding_mean(table, tokens):
    x = table[tokens]
    return x.mean(axis=1) / np.sqrt((x.mean(axis=1) ** 2).sum(axis=1, keepdims=True))


def scatter_gradient(grad, idx, rows):
    out = np.zeros((rows, grad.shape[1]))
    np.add.at(out, idx, grad)
    return out


def als_users(R, V, lam):
    A = V.T @ V + lam * np.eye(V.shape[1])
    return np.linalg.solve(A, V.T @ R.T).T


def poisson_mixture(x, rates, weights, steps):
    for _ in range(steps):
        logp = x[:, None] * np.log(rates) - rates + np.log(weights)
        r = np.exp(logp - logp.max(axis=1, keepdims=True))
        r = r / r.sum(axis=1, keepdims=True)
        n = r.sum(axis=0)
        rates, weights = (r * x[:, None]).sum(axis=0) / n, n / x.size
    return rates, weights


def particle_filter(obs, noise, u, x):
    n = x.size
    out = np.zeros(obs.size)
    for t in range(obs.size):
        x = 0.9 * x + noise[t]
        w = np.exp(-0.5 * (obs[t] - x) ** 2)
        w = w / w.sum()
        out[t] = (w * x).sum()
        c = np.cumsum(w)
        x = x[np.minimum(np.searchsorted(c, (np.arange(n) + u[t]) / n), n - 1)]
    return out


def metropolis(x, steps, logu):
    accepted = np.zeros(x.shape[0])
    for k in range(steps.shape[0]):
        y = x + 0.5 * steps[k]
        d = 0.5 * (x ** 2).sum(axis=1) - 0.5 * (y ** 2).sum(axis=1)
        take = logu[k] < d
        x = np.where(take[:, None], y, x)
        accepted = accepted + take
    return x, accepted / steps.shape[0]


def boids(pos, vel, radius, steps):
    for _ in range(steps):
        d = pos[None, :, :] - pos[:, None, :]
        r2 = (d ** 2).sum(-1)
        near = ((r2 < radius * radius) & (r2 > 0)).astype(pos.dtype)
        n = near.sum(axis=1, keepdims=True) + 1
        center = (near[:, :, None] * d).sum(axis=1) / n
        align = near @ vel / n - vel
        apart = -(near[:, :, None] * d / (r2[:, :, None] + 0.01)).sum(axis=1)
        vel = vel + 0.01 * center + 0.05 * align + 0.02 * apart
        pos = pos + 0.1 * vel
    return pos, vel


def rule110(cells, steps):
    for _ in range(steps):
        left, right = np.roll(cells, 1), np.roll(cells, -1)
        pattern = 4 * left + 2 * cells + right
        cells = (110 >> pattern) & 1
    return cells


def sandpile(grid, steps):
    for _ in range(steps):
        over = grid >= 4
        grid = grid - 4 * over
        p = np.pad(over.astype(grid.dtype), 1)
        grid = grid + p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2]
    return grid


def lorenz96(x, forcing, dt, steps):
    def rate(y):
        return (np.roll(y, -1, 1) - np.roll(y, 2, 1)) * np.roll(y, 1, 1) - y + forcing
    for _ in range(steps):
        k1 = rate(x)
        k2 = rate(x + 0.5 * dt * k1)
        k3 = rate(x + 0.5 * dt * k2)
        k4 = rate(x + dt * k3)
        x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


def bifurcation(r, x, skip, steps):
    for _ in range(skip):
        x = r * x * (1 - x)
    total = np.zeros_like(x)
    for _ in range(steps):
        x = r * x * (1 - x)
        total = total + np.log(np.abs(r - 2 * r * x))
    return total / steps


def macd(prices, fast, slow):
    def ema(x, span):
        a = 2 / (span + 1)
        out = np.empty_like(x)
        out[:, 0] = x[:, 0]
        for t in range(1, x.shape[1]):
            out[:, t] = a * x[:, t] + (1 - a) * out[:, t - 1]
        return out
    line = ema(prices, fast) - ema(prices, slow)
    return line - ema(line, 9)


def rolling_extremes(x, n):
    w = np.lib.stride_tricks.sliding_window_view(x, n, axis=1)
    return w.max(axis=2) - w.min(axis=2)


def frontier(returns, weights):
    mean, cov = returns.mean(axis=0), np.cov(returns, rowvar=False)
    w = weights / weights.sum(axis=1, keepdims=True)
    return w @ mean, np.sqrt(((w @ cov) * w).sum(axis=1))


def group_normalise(values, groups, n):
    count = np.bincount(groups, minlength=n)
    mean = np.bincount(groups, weights=values, minlength=n) / count
    centred = values - mean[groups]
    std = np.sqrt(np.bincount(groups, weights=centred ** 2, minlength=n) / count)
    return centred / std[groups]


def affine_warp(img, a, b, c, d, tx, ty):
    h, w = img.shape
    y, x = np.arange(h)[:, None], np.arange(w)[None, :]
    sx, sy = np.floor(a * x + b * y + tx).astype(np.int64), np.floor(c * x + d * y + ty).astype(np.int64)
    inside = (sx >= 0) & (sx < w) & (sy >= 0) & (sy < h)
    return np.where(inside, img[np.clip(sy, 0, h - 1), np.clip(sx, 0, w - 1)], 0)


def spherical(theta, phi, degree):
    x = np.cos(theta)
    p0, p1 = np.ones_like(x), x
    total = np.zeros_like(x)
    for n in range(1, degree):
        total = total + p1 * np.cos(n * phi) / (n + 1)
        p0, p1 = p1, ((2 * n + 1) * x * p1 - n * p0) / (n + 1)
    return total


def red_black(u, f, steps):
    for _ in range(steps):
        for s in (0, 1):
            u[1:-1:2, 1 + s:-1:2] = 0.25 * (u[:-2:2, 1 + s:-1:2] + u[2::2, 1 + s:-1:2] + u[1:-1:2, s:-2:2] + u[1:-1:2, 2 + s::2] - f[1:-1:2, 1 + s:-1:2])
            u[2:-1:2, 2 - s:-1:2] = 0.25 * (u[1:-2:2, 2 - s:-1:2] + u[3::2, 2 - s:-1:2] + u[2:-1:2, 1 - s:-2:2] + u[2:-1:2, 3 - s::2] - f[2:-1:2, 2 - s:-1:2])
    return u


def two_grid(u, f, cycles):
    def lap(a):
        p = np.pad(a, 1)
        return p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * a
    for _ in range(cycles):
        for _ in range(3):
            u = u + 0.2 * (lap(u) - f)
        r = f - lap(u)
        coarse = 0.25 * (r[::2, ::2] + r[1::2, ::2] + r[::2, 1::2] + r[1::2, 1::2])
        e = np.zeros_like(coarse)
        for _ in range(10):
            e = e + 0.2 * (lap(e) - 4 * coarse)
        u = u + np.repeat(np.repeat(e, 2, axis=0), 2, axis=1)
    return u


def hill_climb(points, targets, rates, steps):
    best = np.full(points.shape[0], np.inf)
    for k in range(steps):
        moved = points + rates[k] * np.sin(37.0 * points + k)
        cost = ((moved - targets) ** 2).sum(axis=1)
        better = cost < best
        points, best = np.where(better[:, None], moved, points), np.where(better, cost, best)
    return points, best


def popcounts(a, b):
    x = a ^ b
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (x * 0x0101010101010101 >> 56).sum(axis=1)


def hot(g, n, k):
    return np.eye(k)[g.integers(0, k, n)]


# name: the function, what makes its arguments, and the arguments that JAX takes for known.
PROGRAMS = {
    "sph": (sph_density, lambda g: [f8(g, 4000, 3), f8(g, 4000), 0.1], ()),
    "lbm": (lattice_boltzmann, lambda g: [f8(g, 9, 512, 512) + 1, 0.6, 20], (2,)),
    "cahn_hilliard": (cahn_hilliard, lambda g: [f8(g, 1024, 1024) - .5, 0.01, 50], (2,)),
    "maxwell": (maxwell, lambda g: [f4(g, 2000, 2001), f4(g, 2001, 2000), f4(g, 2000, 2000), 20], (3,)),
    "split_step": (split_step, lambda g: [f8(g, 1 << 20) + 0j, f8(g, 1 << 20), f8(g, 1 << 20), 0.01, 20], (4,)),
    "heston": (heston, lambda g: [g.standard_normal((100, 200000)), g.standard_normal((100, 200000)), 1.0, 0.04, 2.0, 0.04, 0.3, -0.7, 0.01], ()),
    "binomial": (binomial_american, lambda g: [f8(g, 2000) + .5, 1.0, 0.05, 0.2, 1.0, 200], (5,)),
    "longstaff": (longstaff_schwartz, lambda g: [np.exp(np.cumsum(g.standard_normal((50, 100000)) * 0.03, axis=0)), 1.1, 0.999], ()),
    "welch": (welch, lambda g: [f8(g, 1 << 24), 4096], (1,)),
    "autocorrelation": (autocorrelation, lambda g: [f8(g, 1000000), 40], (1,)),
    "bilateral": (bilateral, lambda g: [f4(g, 1500, 1500), 2.0, 0.1, 3], (3,)),
    "non_maximum": (non_maximum, lambda g: [f4(g, 4000, 4000)], ()),
    "labels": (propagate_labels, lambda g: [f4(g, 1024, 1024) > .4, 50], (1,)),
    "distance": (distance_transform, lambda g: [f4(g, 500, 500) > .95], ()),
    "knn": (knn_classify, lambda g: [f4(g, 5000, 64), g.integers(0, 10, 5000), f4(g, 2000, 64), 5], (3,)),
    "gp": (gaussian_process, lambda g: [f8(g, 2000) * 100, f8(g, 2000), f8(g, 2000) * 100, 1.0, 0.1], ()),
    "newton_logistic": (newton_logistic, lambda g: [f8(g, 200000, 32) - .5, np.where(f8(g, 200000) > .5, 1.0, 0.0), 8], (2,)),
    "naive_bayes": (naive_bayes, lambda g: [f8(g, 100000, 32), f8(g, 10, 32), f8(g, 10, 32) + .1, f8(g, 10) + .1], ()),
    "train_mlp": (train_mlp, lambda g: [f8(g, 8192, 64), hot(g, 8192, 10), f8(g, 64, 128) - .5, f8(g, 128), f8(g, 128, 10) - .5, f8(g, 10), 128, 0.1], (6,)),
    "conv_layer": (conv_layer, lambda g: [f8(g, 16, 32, 64, 64), f8(g, 64, 32, 3, 3) - .5, f8(g, 64)], ()),
    "transformer": (transformer_block, lambda g: [f8(g, 8, 256, 256)] + [f8(g, 256, 256) * .1 for _ in range(4)] + [f8(g, 256, 1024) * .1, f8(g, 1024, 256) * .1], ()),
    "rotary": (rotary, lambda g: [f4(g, 64, 2048, 64), np.arange(2048, dtype=np.float32)], ()),
    "embedding": (embedding_mean, lambda g: [f4(g, 50000, 128), g.integers(0, 50000, (8192, 64))], ()),
    "scatter": (scatter_gradient, lambda g: [f8(g, 200000, 64), g.integers(0, 10000, 200000), 10000], (2,)),
    "als": (als_users, lambda g: [f8(g, 20000, 2000), f8(g, 2000, 32), 0.1], ()),
    "poisson": (poisson_mixture, lambda g: [g.integers(0, 30, 500000).astype(float), np.array([2.0, 8.0, 20.0]), np.array([.3, .4, .3]), 20], (3,)),
    "particle_filter": (particle_filter, lambda g: [f8(g, 50), g.standard_normal((50, 200000)), f8(g, 50), f8(g, 200000)], ()),
    "metropolis": (metropolis, lambda g: [f8(g, 100000, 4), g.standard_normal((50, 100000, 4)), np.log(f8(g, 50, 100000))], ()),
    "boids": (boids, lambda g: [f8(g, 2000, 2), f8(g, 2000, 2) - .5, 0.1, 10], (3,)),
    "rule110": (rule110, lambda g: [g.integers(0, 2, 2000000), 50], (1,)),
    "sandpile": (sandpile, lambda g: [g.integers(0, 8, (1024, 1024)), 50], (1,)),
    "lorenz96": (lorenz96, lambda g: [f8(g, 10000, 40), 8.0, 0.01, 50], (3,)),
    "bifurcation": (bifurcation, lambda g: [f8(g, 1000000) + 3, f8(g, 1000000), 100, 100], (2, 3)),
    "macd": (macd, lambda g: [f8(g, 5000, 500) + 1, 12, 26], (1, 2)),
    "rolling_extremes": (rolling_extremes, lambda g: [f4(g, 2000, 4000), 20], (1,)),
    "frontier": (frontier, lambda g: [f8(g, 2500, 100), f8(g, 100000, 100)], ()),
    "group_normalise": (group_normalise, lambda g: [f8(g, 2000000), g.integers(0, 500, 2000000), 500], (2,)),
    "affine": (affine_warp, lambda g: [f4(g, 3000, 3000), .9, .1, -.1, .9, 30.0, 40.0], ()),
    "spherical": (spherical, lambda g: [f8(g, 1000000) * 3, f8(g, 1000000) * 6, 30], (2,)),
    "red_black": (red_black, lambda g: [f8(g, 1026, 1026), f8(g, 1026, 1026), 20], (2,)),
    "two_grid": (two_grid, lambda g: [f8(g, 1024, 1024), f8(g, 1024, 1024), 5], (2,)),
    "hill_climb": (hill_climb, lambda g: [f8(g, 200000, 8), f8(g, 8), f8(g, 50), 50], (3,)),
    "popcounts": (popcounts, lambda g: [g.integers(0, 1 << 62, (20000, 64)), g.integers(0, 1 << 62, (20000, 64))], ()),
}
