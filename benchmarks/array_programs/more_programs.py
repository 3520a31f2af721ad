"""More array programs as scientists write them: reactions and flows on grids, paths of prices, clusters and mixtures, layers of networks, filters, solvers.
Each is one function of NumPy that CuPy runs and JAX compiles unchanged, as in programs.py. Written to find classes of programs that are slow.
"""
import numpy as np
from random_arrays import f4, f8


def gray_scott(u, v, steps):
    for _ in range(steps):
        lu = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        lv = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1) - 4 * v
        uvv = u * v * v
        u, v = u + (0.16 * lu - uvv + 0.06 * (1 - u)), v + (0.08 * lv + uvv - 0.122 * v)
    return u, v


def advect(c, ux, uy, steps):
    for _ in range(steps):
        dxm, dxp = c - np.roll(c, 1, 0), np.roll(c, -1, 0) - c
        dym, dyp = c - np.roll(c, 1, 1), np.roll(c, -1, 1) - c
        c = c - 0.1 * (np.where(ux > 0, dxm, dxp) * ux + np.where(uy > 0, dym, dyp) * uy)
    return c


def shallow(h, hu, hv, steps):
    g, k = 9.8, 0.01
    for _ in range(steps):
        u, v = hu / h, hv / h
        fx1, fx2, fx3 = hu, hu * u + 0.5 * g * h * h, hu * v
        fy1, fy2, fy3 = hv, hv * u, hv * v + 0.5 * g * h * h
        def step(q, fx, fy):
            avg = 0.25 * (np.roll(q, 1, 0) + np.roll(q, -1, 0) + np.roll(q, 1, 1) + np.roll(q, -1, 1))
            return avg - 0.5 * k * (np.roll(fx, -1, 0) - np.roll(fx, 1, 0) + np.roll(fy, -1, 1) - np.roll(fy, 1, 1))
        h, hu, hv = step(h, fx1, fy1), step(hu, fx2, fy2), step(hv, fx3, fy3)
    return h, hu, hv


def tv_denoise(f, lam, steps):
    px, py = np.zeros_like(f), np.zeros_like(f)
    for _ in range(steps):
        div = px - np.roll(px, 1, 1) + py - np.roll(py, 1, 0)
        t = div - f / lam
        gx, gy = np.roll(t, -1, 1) - t, np.roll(t, -1, 0) - t
        norm = 1 + 0.25 * np.sqrt(gx**2 + gy**2)
        px, py = (px + 0.25 * gx) / norm, (py + 0.25 * gy) / norm
    return f - lam * (px - np.roll(px, 1, 1) + py - np.roll(py, 1, 0))


def ising(spins, rnd, beta, steps):
    n, m = spins.shape
    board = (np.arange(n)[:, None] + np.arange(m)[None, :]) % 2
    for s in range(steps):
        for parity in (0, 1):
            nb = np.roll(spins, 1, 0) + np.roll(spins, -1, 0) + np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
            flip = (board == parity) & (rnd[s] < np.exp(-2 * beta * spins * nb))
            spins = np.where(flip, -spins, spins)
    return spins, spins.mean()


def burgers_1d(u, nu, dt, dx, steps):
    for _ in range(steps):
        un = u[1:-1] - dt / dx * u[1:-1] * (u[1:-1] - u[:-2]) + nu * dt / dx**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = np.concatenate([u[:1], un, u[-1:]])
    return u


def kuramoto(theta, omega, k, steps):
    n = len(theta)
    for _ in range(steps):
        d = np.sin(theta[None, :] - theta[:, None])
        theta = theta + 0.01 * (omega + k / n * d.sum(axis=1))
    return theta, np.abs(np.exp(1j * theta).mean())


def kuramoto_mean(theta, omega, k, steps):
    for _ in range(steps):
        z = np.exp(1j * theta).mean()
        theta = theta + 0.01 * (omega + k * np.abs(z) * np.sin(np.angle(z) - theta))
    return theta


def rk4_pendulums(theta, w, dt, steps):
    def f(th, om):
        return om, -9.81 * np.sin(th) - 0.1 * om
    for _ in range(steps):
        a1, b1 = f(theta, w)
        a2, b2 = f(theta + 0.5 * dt * a1, w + 0.5 * dt * b1)
        a3, b3 = f(theta + 0.5 * dt * a2, w + 0.5 * dt * b2)
        a4, b4 = f(theta + dt * a3, w + dt * b3)
        theta = theta + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        w = w + dt / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return theta, w


def julia(zr, zi, cr, ci, n):
    z = zr + 1j * zi
    c = cr + 1j * ci
    count = np.zeros(z.shape, dtype=np.int32)
    for _ in range(n):
        live = np.abs(z) < 2
        z = np.where(live, z * z + c, z)
        count = count + live
    return count


def lennard_jones(p, cutoff):
    d = p[:, None, :] - p[None, :, :]
    r2 = (d * d).sum(-1)
    r2 = np.where(r2 == 0, 1e10, r2)
    inv6 = (1.0 / r2)**3
    mag = np.where(r2 < cutoff * cutoff, 24 * (2 * inv6 * inv6 - inv6) / r2, 0.0)
    return (mag[:, :, None] * d).sum(axis=1), 0.5 * np.where(r2 < cutoff * cutoff, 4 * (inv6 * inv6 - inv6), 0.0).sum()


def gbm_paths(z, s0, mu, sigma, dt):
    inc = (mu - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z
    paths = s0 * np.exp(np.cumsum(inc, axis=1))
    payoff = np.maximum(paths.mean(axis=1) - 1.0, 0)
    return payoff.mean(), payoff.std()


def barrier(z, s0, k, b, sigma, dt):
    paths = s0 * np.cumprod(1 + sigma * np.sqrt(dt) * z, axis=1)
    alive = (paths < b).all(axis=1)
    return np.where(alive, np.maximum(paths[:, -1] - k, 0), 0).mean()


def rolling_std(x, w):
    c1 = np.cumsum(x, axis=1)
    c2 = np.cumsum(x * x, axis=1)
    m = (c1[:, w:] - c1[:, :-w]) / w
    return np.sqrt(np.maximum((c2[:, w:] - c2[:, :-w]) / w - m * m, 0))


def ewm(x, alpha):
    s = x[0]
    total = s * 0
    for t in range(1, x.shape[0]):
        s = alpha * x[t] + (1 - alpha) * s
        total = total + s * s
    return s, total


def bootstrap(x, idx):
    means = x[idx].mean(axis=1)
    return means.mean(), means.std(), np.percentile(means, [2.5, 97.5])


def corr(x):
    xc = (x - x.mean(axis=0)) / x.std(axis=0)
    return xc.T @ xc / len(x)


def mahalanobis(x, mu, icov):
    d = x - mu
    return np.sqrt(np.einsum("ij,jk,ik->i", d, icov, d))


def gmm_e_step(x, mu, var, logw):
    d = x[:, None, :] - mu[None, :, :]
    lp = logw - 0.5 * (np.log(2 * np.pi * var) + d * d / var).sum(-1)
    m = lp.max(axis=1, keepdims=True)
    lse = m + np.log(np.exp(lp - m).sum(axis=1, keepdims=True))
    r = np.exp(lp - lse)
    nk = r.sum(axis=0)
    return nk, (r.T @ x) / nk[:, None], lse.sum()


def kmeans(x, c, steps):
    for _ in range(steps):
        d = ((x[:, None, :] - c[None, :, :])**2).sum(-1)
        lab = d.argmin(axis=1)
        onehot = (lab[:, None] == np.arange(c.shape[0])[None, :]).astype(x.dtype)
        c = (onehot.T @ x) / onehot.sum(axis=0)[:, None]
    return c


def winsorize(x):
    lo, hi = np.percentile(x, 1, axis=0), np.percentile(x, 99, axis=0)
    y = np.clip(x, lo, hi)
    return (y - y.mean(axis=0)) / y.std(axis=0)


def ranks(x):
    return np.argsort(np.argsort(x, axis=1), axis=1)


def log_returns(p):
    r = np.diff(np.log(p), axis=1)
    return r.mean(axis=1), r.std(axis=1, ddof=1), (r * r * r).mean(axis=1) / r.std(axis=1)**3


def batchnorm(x, g, b):
    mu = x.mean(axis=(0, 2, 3), keepdims=True)
    var = x.var(axis=(0, 2, 3), keepdims=True)
    return np.maximum(g[None, :, None, None] * (x - mu) / np.sqrt(var + 1e-5) + b[None, :, None, None], 0)


def cross_entropy(logits, labels):
    m = logits.max(axis=1, keepdims=True)
    lse = m[:, 0] + np.log(np.exp(logits - m).sum(axis=1))
    return (lse - logits[np.arange(len(labels)), labels]).mean()


def softmax_grad(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    onehot = labels[:, None] == np.arange(logits.shape[1])[None, :]
    return (p - onehot) / len(labels)


def maxpool(x):
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))


def conv_sum(x, w):
    h, v = x.shape[1] - 4, x.shape[2] - 4
    y = np.zeros((x.shape[0], h, v), dtype=x.dtype)
    for i in range(5):
        for j in range(5):
            y = y + w[i, j] * x[:, i:i + h, j:j + v]
    return y


def rnn(x, wx, wh, b):
    h = np.zeros((x.shape[1], wh.shape[0]))
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ wx + h @ wh + b)
    return h


def lstm(x, w, u, b):
    n = u.shape[0]
    h = np.zeros((x.shape[1], n))
    c = np.zeros((x.shape[1], n))
    for t in range(x.shape[0]):
        z = x[t] @ w + h @ u + b
        i, f, o, g = z[:, :n], z[:, n:2 * n], z[:, 2 * n:3 * n], z[:, 3 * n:]
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h = np.tanh(c) / (1 + np.exp(-o))
    return h


def adam(g, m, v, p, t):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    mh, vh = m / (1 - 0.9**t), v / (1 - 0.999**t)
    return p - 0.001 * mh / (np.sqrt(vh) + 1e-8), m, v


def multihead(x, wq, wk, wv):
    q = np.einsum("btd,hdk->bhtk", x, wq)
    k = np.einsum("btd,hdk->bhtk", x, wk)
    v = np.einsum("btd,hdk->bhtk", x, wv)
    s = np.einsum("bhik,bhjk->bhij", q, k) / 8
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("bhij,bhjk->bhik", e / e.sum(-1, keepdims=True), v)


def value_iteration(p, r, gamma, steps):
    v = np.zeros(p.shape[1])
    for _ in range(steps):
        v = (r + gamma * (p @ v)).max(axis=0)
    return v


def hmm_forward(logA, logB):
    a = logB[0]
    for t in range(1, logB.shape[0]):
        s = a[:, None] + logA
        m = s.max(axis=0)
        a = logB[t] + m + np.log(np.exp(s - m).sum(axis=0))
    return a


def viterbi_score(logA, logB):
    a = logB[0]
    for t in range(1, logB.shape[0]):
        a = logB[t] + (a[:, None] + logA).max(axis=0)
    return a.max()


def gaussian_blur(img, w):
    out = np.zeros_like(img)
    p = np.pad(img, ((5, 5), (5, 5)), mode="edge")
    t = np.zeros((p.shape[0], img.shape[1]), dtype=img.dtype)
    for k in range(11):
        t = t + w[k] * p[:, k:k + img.shape[1]]
    for k in range(11):
        out = out + w[k] * t[k:k + img.shape[0], :]
    return out


def bilinear(img, ys, xs):
    y0, x0 = np.floor(ys).astype(np.int64), np.floor(xs).astype(np.int64)
    fy, fx = ys - y0, xs - x0
    return (img[y0, x0] * (1 - fy) * (1 - fx) + img[y0, x0 + 1] * (1 - fy) * fx
            + img[y0 + 1, x0] * fy * (1 - fx) + img[y0 + 1, x0 + 1] * fy * fx)


def equalize(img):
    h = np.bincount(img.ravel(), minlength=256)
    cdf = np.cumsum(h)
    lut = (cdf - cdf[0]) * 255 // (img.size - cdf[0])
    return lut[img]


def rgb_to_hsv(rgb):
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    mx, mn = rgb.max(-1), rgb.min(-1)
    d = mx - mn + 1e-12
    h = np.where(mx == r, (g - b) / d % 6, np.where(mx == g, (b - r) / d + 2, (r - g) / d + 4)) / 6
    return np.stack([h, d / (mx + 1e-12), mx], axis=-1)


def haar(x, levels):
    out = []
    a = x
    for _ in range(levels):
        s, d = (a[:, ::2] + a[:, 1::2]) * 0.7071, (a[:, ::2] - a[:, 1::2]) * 0.7071
        out.append(np.abs(d).sum())
        a = s
    return a, np.stack(out)


def fir(x, h):
    return np.convolve(x, h, mode="valid")


def iir(x, a, b):
    y1, y2 = x[0] * 0, x[0] * 0
    energy = x[0] * 0
    for t in range(x.shape[0]):
        y = b * x[t] - a * y1 - 0.2 * y2
        y2, y1 = y1, y
        energy = energy + y * y
    return energy


def haversine(lat, lon):
    dlat = lat[:, None] - lat[None, :]
    dlon = lon[:, None] - lon[None, :]
    a = np.sin(dlat / 2)**2 + np.cos(lat)[:, None] * np.cos(lat)[None, :] * np.sin(dlon / 2)**2
    d = 2 * 6371 * np.arcsin(np.sqrt(a))
    return d.mean(axis=1), d.max()


def legendre(x, n):
    p0, p1 = np.ones_like(x), x
    total = p0 + p1
    for k in range(2, n):
        p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
        total = total + p1
    return total


def horner(x, c):
    y = np.zeros_like(x)
    for k in range(c.shape[0]):
        y = y * x + c[k]
    return y


def floyd(d):
    for k in range(d.shape[0]):
        d = np.minimum(d, d[:, k][:, None] + d[k, :][None, :])
    return d


def jacobi_matrix(a, b, steps):
    d = np.diag(a)
    r = a - np.diag(d)
    x = np.zeros_like(b)
    for _ in range(steps):
        x = (b - r @ x) / d
    return x


def cg_stencil(b, steps):
    def op(x):
        p = np.pad(x, 1)
        return 4 * x - p[2:, 1:-1] - p[:-2, 1:-1] - p[1:-1, 2:] - p[1:-1, :-2]
    x = np.zeros_like(b)
    r = b
    p = r
    rs = (r * r).sum()
    for _ in range(steps):
        ap = op(p)
        alpha = rs / (p * ap).sum()
        x = x + alpha * p
        r = r - alpha * ap
        new = (r * r).sum()
        p = r + (new / rs) * p
        rs = new
    return x, rs


def thomas(a, b, c, d):
    n = d.shape[0]
    cp, dp = [c[0] / b[0]], [d[0] / b[0]]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp.append(c[i] / m)
        dp.append((d[i] - a[i] * dp[i - 1]) / m)
    x = dp[n - 1]
    total = x
    for i in range(n - 2, -1, -1):
        x = dp[i] - cp[i] * x
        total = total + x
    return total


def power_iteration(a, steps):
    x = np.ones(a.shape[0])
    for _ in range(steps):
        y = a @ x
        x = y / np.linalg.norm(y)
    return x, x @ (a @ x)


def lstsq_normal(x, y):
    return np.linalg.solve(x.T @ x + 1e-3 * np.eye(x.shape[1]), x.T @ y)


def hamming(a, b):
    return (a[:, None, :] != b[None, :, :]).sum(-1).min(axis=1)


def batched_kalman(x, P, F, Q, z):
    for t in range(z.shape[0]):
        x = np.einsum("ij,nj->ni", F, x)
        P = F @ P @ F.T + Q
        S = P[:, :2, :2] + 0.1 * np.eye(2)
        det = S[:, 0, 0] * S[:, 1, 1] - S[:, 0, 1] * S[:, 1, 0]
        inv = np.stack([np.stack([S[:, 1, 1], -S[:, 0, 1]], -1), np.stack([-S[:, 1, 0], S[:, 0, 0]], -1)], -2) / det[:, None, None]
        K = P[:, :, :2] @ inv
        x = x + np.einsum("nij,nj->ni", K, z[t] - x[:, :2])
        P = P - K @ P[:, :2, :]
    return x


def select_topk(x):
    order = np.argsort(-x, axis=1)[:, :5]
    return np.take_along_axis(x, order, axis=1).sum(axis=1)


def segment_stats(values, groups):
    n = np.bincount(groups, minlength=1000)
    s = np.bincount(groups, weights=values, minlength=1000)
    q = np.bincount(groups, weights=values * values, minlength=1000)
    mean = s / n
    return mean, np.sqrt(q / n - mean * mean)


def hist2(x, y):
    h, _, _ = np.histogram2d(x, y, bins=64, range=[[0, 1], [0, 1]])
    p = h / h.sum()
    px, py = p.sum(axis=1), p.sum(axis=0)
    return np.where(p > 0, p * np.log((p + 1e-300) / (px[:, None] * py[None, :])), 0).sum()


def banded(n, g):
    a = g.random((n, n))
    return a + n * np.eye(n)


def walk_rows(n, m, g):
    p = g.random((4, n, m))
    return p / p.sum(-1, keepdims=True)


# name: the function, what makes its arguments, and the arguments that JAX takes for known.
PROGRAMS = {
    "gray_scott": (gray_scott, lambda g: [f8(g, 1024, 1024), f8(g, 1024, 1024), 50], (2,)),
    "advect": (advect, lambda g: [f4(g, 2048, 2048), f4(g, 2048, 2048) - .5, f4(g, 2048, 2048) - .5, 20], (3,)),
    "shallow": (shallow, lambda g: [f8(g, 1024, 1024) + 1, f8(g, 1024, 1024) * .1, f8(g, 1024, 1024) * .1, 20], (3,)),
    "tv": (tv_denoise, lambda g: [f4(g, 2048, 2048), 0.1, 20], (2,)),
    "ising": (ising, lambda g: [np.where(f4(g, 1024, 1024) > .5, np.float32(1), np.float32(-1)), f4(g, 10, 1024, 1024), 0.4, 10], (3,)),
    "burgers": (burgers_1d, lambda g: [f8(g, 200000), 0.07, 1e-7, 1e-3, 200], (4,)),
    "kuramoto": (kuramoto, lambda g: [f8(g, 3000) * 6, f8(g, 3000), 2.0, 20], (3,)),
    "kuramoto_mean": (kuramoto_mean, lambda g: [f8(g, 1000000) * 6, f8(g, 1000000), 2.0, 50], (3,)),
    "pendulums": (rk4_pendulums, lambda g: [f8(g, 1000000), f8(g, 1000000), 0.01, 50], (3,)),
    "julia": (julia, lambda g: [f8(g, 1500, 1500) * 3 - 1.5, f8(g, 1500, 1500) * 3 - 1.5, -0.8, 0.156, 60], (4,)),
    "lj": (lennard_jones, lambda g: [f8(g, 4000, 3) * 20, 2.5], ()),
    "gbm": (gbm_paths, lambda g: [g.standard_normal((50000, 252)), 1.0, 0.05, 0.2, 1 / 252], ()),
    "barrier": (barrier, lambda g: [g.standard_normal((50000, 252)), 1.0, 1.0, 1.3, 0.2, 1 / 252], ()),
    "rolling_std": (rolling_std, lambda g: [f8(g, 2000, 5000), 30], (1,)),
    "ewm": (ewm, lambda g: [f8(g, 1000, 20000), 0.1], ()),
    "bootstrap": (bootstrap, lambda g: [f8(g, 10000), g.integers(0, 10000, (2000, 10000))], ()),
    "corr": (corr, lambda g: [f4(g, 100000, 200)], ()),
    "mahalanobis": (mahalanobis, lambda g: [f8(g, 500000, 16), f8(g, 16), f8(g, 16, 16)], ()),
    "gmm": (gmm_e_step, lambda g: [f8(g, 200000, 8), f8(g, 16, 8), f8(g, 16, 8) + .1, np.log(f8(g, 16))], ()),
    "kmeans": (kmeans, lambda g: [f4(g, 100000, 8), f4(g, 32, 8), 10], (2,)),
    "winsorize": (winsorize, lambda g: [f4(g, 20000, 100)], ()),
    "ranks": (ranks, lambda g: [f4(g, 5000, 1000)], ()),
    "log_returns": (log_returns, lambda g: [f8(g, 5000, 2500) + 1], ()),
    "batchnorm": (batchnorm, lambda g: [f4(g, 64, 64, 56, 56), f4(g, 64), f4(g, 64)], ()),
    "cross_entropy": (cross_entropy, lambda g: [f4(g, 16384, 4096), g.integers(0, 4096, 16384)], ()),
    "softmax_grad": (softmax_grad, lambda g: [f4(g, 16384, 1000), g.integers(0, 1000, 16384)], ()),
    "maxpool": (maxpool, lambda g: [f4(g, 32, 64, 112, 112)], ()),
    "conv_sum": (conv_sum, lambda g: [f4(g, 64, 256, 256), f4(g, 5, 5)], ()),
    "rnn": (rnn, lambda g: [f8(g, 100, 64, 128) - .5, f8(g, 128, 256) - .5, f8(g, 256, 256) - .5, f8(g, 256)], ()),
    "lstm": (lstm, lambda g: [f8(g, 100, 64, 128) - .5, f8(g, 128, 512) - .5, f8(g, 128, 512) - .5, f8(g, 512)], ()),
    "adam": (adam, lambda g: [f4(g, 20000000), f4(g, 20000000), f4(g, 20000000), f4(g, 20000000), 3], (4,)),
    "multihead": (multihead, lambda g: [f8(g, 8, 256, 256), f8(g, 8, 256, 32), f8(g, 8, 256, 32), f8(g, 8, 256, 32)], ()),
    "value_iteration": (value_iteration, lambda g: [walk_rows(1500, 1500, g), f8(g, 4, 1500), 0.95, 50], (3,)),
    "hmm": (hmm_forward, lambda g: [np.log(f8(g, 256, 256)), np.log(f8(g, 200, 256))], ()),
    "viterbi": (viterbi_score, lambda g: [np.log(f8(g, 512, 512)), np.log(f8(g, 200, 512))], ()),
    "blur": (gaussian_blur, lambda g: [f4(g, 4000, 4000), f4(g, 11)], ()),
    "bilinear": (bilinear, lambda g: [f4(g, 2000, 2000), f4(g, 2000, 2000) * 1990, f4(g, 2000, 2000) * 1990], ()),
    "equalize": (equalize, lambda g: [g.integers(0, 256, (4000, 4000), dtype=np.uint8)], ()),
    "hsv": (rgb_to_hsv, lambda g: [f4(g, 2000, 2000, 3)], ()),
    "haar": (haar, lambda g: [f8(g, 2000, 4096), 6], (1,)),
    "fir": (fir, lambda g: [f8(g, 2000000), f8(g, 64)], ()),
    "iir": (iir, lambda g: [f8(g, 2000, 4096), 0.3, 0.5], ()),
    "haversine": (haversine, lambda g: [f8(g, 4000), f8(g, 4000)], ()),
    "legendre": (legendre, lambda g: [f8(g, 2000000), 20], (1,)),
    "horner": (horner, lambda g: [f8(g, 2000000), f8(g, 16)], ()),
    "floyd": (floyd, lambda g: [f4(g, 1000, 1000)], ()),
    "jacobi": (jacobi_matrix, lambda g: [banded(3000, g), f8(g, 3000), 50], (2,)),
    "cg": (cg_stencil, lambda g: [f8(g, 1000, 1000), 50], (1,)),
    "thomas": (thomas, lambda g: [f8(g, 128, 50000), f8(g, 128, 50000) + 4, f8(g, 128, 50000), f8(g, 128, 50000)], ()),
    "power": (power_iteration, lambda g: [f8(g, 3000, 3000), 30], (1,)),
    "lstsq": (lstsq_normal, lambda g: [f8(g, 200000, 64), f8(g, 200000)], ()),
    "hamming": (hamming, lambda g: [g.integers(0, 2, (2000, 128)).astype(np.int8), g.integers(0, 2, (2000, 128)).astype(np.int8)], ()),
    "kalman": (batched_kalman, lambda g: [f8(g, 5000, 4), f8(g, 5000, 4, 4) + np.eye(4), f8(g, 4, 4) * .1 + np.eye(4), np.eye(4) * .01, f8(g, 20, 5000, 2)], ()),
    "topk": (select_topk, lambda g: [f4(g, 10000, 1000)], ()),
    "segments": (segment_stats, lambda g: [f8(g, 5000000), g.integers(0, 1000, 5000000)], ()),
    "mutual_info": (hist2, lambda g: [f8(g, 5000000), f8(g, 5000000)], ()),
}
