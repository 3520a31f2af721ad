"""Array programs as scientists write them, each of them one function of NumPy that CuPy runs and JAX compiles unchanged: filters, statistics, tables,
steps in time, products, transforms. Written to find classes of programs that are slow, and not for any one of the systems.
"""
import numpy as np
from random_arrays import f4, f8


def sobel(img):
    gx = img[:-2, 2:] + 2 * img[1:-1, 2:] + img[2:, 2:] - img[:-2, :-2] - 2 * img[1:-1, :-2] - img[2:, :-2]
    gy = img[2:, :-2] + 2 * img[2:, 1:-1] + img[2:, 2:] - img[:-2, :-2] - 2 * img[:-2, 1:-1] - img[:-2, 2:]
    g = np.sqrt(gx**2 + gy**2)
    return g / g.max()


def layernorm(x, gamma, beta):
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(var + 1e-5) + beta


def gelu_mlp(x, w1, b1, w2, b2):
    h = x @ w1 + b1
    h = 0.5 * h * (1 + np.tanh(0.7978845608 * (h + 0.044715 * h**3)))
    return h @ w2 + b2


def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) / 8.0
    s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    return (e / e.sum(axis=-1, keepdims=True)) @ v


def pairwise(x, y):
    d = np.sqrt(((x[:, None, :] - y[None, :, :])**2).sum(-1))
    return d.min(axis=1), d.argmin(axis=1)


def kmeans_assign(x, c):
    d = (x**2).sum(1)[:, None] - 2 * x @ c.T + (c**2).sum(1)[None, :]
    return d.argmin(axis=1)


def moving_average(x):
    c = np.cumsum(x, axis=1)
    return (c[:, 50:] - c[:, :-50]) / 50


def zscore_cols(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def col_stats(x):
    return x.min(axis=0), x.max(axis=0), x.mean(axis=0), x.argmax(axis=0)


def middle_axis(x):
    return np.sqrt((x**2).sum(axis=1)), x.max(axis=1)


def interp_table(x, xp, fp):
    return np.interp(x, xp, fp)


def digitized(x, edges):
    return np.bincount(np.digitize(x, edges), minlength=len(edges) + 1)


def weighted_hist(pos, w):
    return np.bincount(pos, weights=w, minlength=10000)


def gather_rows(table, idx):
    return table[idx].sum(axis=1)


def wave(u0, u1, c2, n):
    a, b = u0, u1
    for _ in range(n):
        lap = np.roll(b, 1, 0) + np.roll(b, -1, 0) + np.roll(b, 1, 1) + np.roll(b, -1, 1) - 4 * b
        a, b = b, 2 * b - a + c2 * lap
    return b


def life(grid, n):
    for _ in range(n):
        s = sum(np.roll(np.roll(grid, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1)) - grid
        grid = ((s == 3) | ((grid == 1) & (s == 2))).astype(np.int32)
    return grid


def lorenz(x, y, z, dt, n):
    def f(x, y, z):
        return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z
    for _ in range(n):
        k1 = f(x, y, z)
        k2 = f(x + dt / 2 * k1[0], y + dt / 2 * k1[1], z + dt / 2 * k1[2])
        x, y, z = x + dt * k2[0], y + dt * k2[1], z + dt * k2[2]
    return x, y, z


def logreg(X, y, lr, n):
    w = np.zeros(X.shape[1])
    for _ in range(n):
        p = 1 / (1 + np.exp(-(X @ w)))
        w = w - lr * (X.T @ (p - y)) / len(y)
    return w


def pagerank(A, n):
    r = np.ones(A.shape[0]) / A.shape[0]
    for _ in range(n):
        r = 0.85 * (A @ r) + 0.15 / A.shape[0]
        r = r / r.sum()
    return r


def black_scholes(S, K, T, r, v):
    d1 = (np.log(S / K) + (r + v * v / 2) * T) / (v * np.sqrt(T))
    d2 = d1 - v * np.sqrt(T)
    cdf = lambda x: 0.5 * (1 + np.tanh(0.79788456 * (x + 0.044715 * x**3)))
    return S * cdf(d1) - K * np.exp(-r * T) * cdf(d2)


def spectral(x):
    f = np.fft.rfft(x, axis=-1)
    p = np.abs(f)**2
    return np.log(p + 1e-9).mean(axis=0)


def lowpass(img):
    F = np.fft.fft2(img)
    ky = np.fft.fftfreq(img.shape[0])[:, None]
    kx = np.fft.fftfreq(img.shape[1])[None, :]
    return np.fft.ifft2(F * np.exp(-50 * (kx**2 + ky**2))).real


def median9(img):
    s = np.stack([img[i:img.shape[0] - 2 + i, j:img.shape[1] - 2 + j] for i in range(3) for j in range(3)])
    return np.median(s, axis=0)


def sort_rows(x):
    return np.sort(x, axis=1)[:, -10:]


def outer_sum(a, b):
    return np.exp(-np.abs(a[:, None] - b[None, :])).sum(axis=1)


def nbody_forces(p, m):
    d = p[None, :, :] - p[:, None, :]
    r2 = (d**2).sum(-1) + 1e-3
    return (d * (m[None, :] / (r2 * np.sqrt(r2)))[:, :, None]).sum(axis=1)


def cov(x):
    xc = x - x.mean(axis=0)
    return xc.T @ xc / (len(x) - 1)


def einsum_chain(a, b, c):
    return np.einsum("bij,bjk,bk->bi", a, b, c)


def mandel(cr, ci, n):
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    k = np.zeros_like(cr)
    for _ in range(n):
        t = zr * zr - zi * zi + cr
        zi2 = 2 * zr * zi + ci
        inside = zr * zr + zi * zi <= 4
        zr, zi = np.where(inside, t, zr), np.where(inside, zi2, zi)
        k = k + inside
    return k


def heat3(u, n):
    for _ in range(n):
        u = np.pad(u[1:-1, 1:-1, 1:-1] + 0.1 * (u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2] - 6 * u[1:-1, 1:-1, 1:-1]), 1)
    return u


def drawdown(prices):
    peak = np.maximum.accumulate(prices, axis=1)
    return ((peak - prices) / peak).max(axis=1)


def conv1d(x, w):
    y = np.zeros(len(x) - len(w) + 1)
    for k in range(9):
        y = y + w[k] * x[k:len(x) - 9 + 1 + k]
    return y


def rbf_solve(x, y):
    K = np.exp(-((x[:, None] - x[None, :])**2).sum(-1)) + 0.1 * np.eye(len(x))
    return np.linalg.solve(K, y)


def quantiles(x):
    return np.percentile(x, [5, 50, 95], axis=0)


def mixed(x, y):
    m = x > 0.5
    return np.where(m, np.sin(x) * y, np.cos(y) + x).sum(), (x * m).sum(axis=1), np.count_nonzero(m, axis=0)


# name: the function, what makes its arguments, and the arguments that JAX takes for known.
PROGRAMS = {
    "sobel": (sobel, lambda r: [f4(r, 4000, 4000)], ()),
    "layernorm": (layernorm, lambda r: [f4(r, 16384, 1024), f4(r, 1024), f4(r, 1024)], ()),
    "gelu_mlp": (gelu_mlp, lambda r: [f4(r, 4096, 1024), f4(r, 1024, 4096) - .5, f4(r, 4096), f4(r, 4096, 1024) - .5, f4(r, 1024)], ()),
    "attention": (attention, lambda r: [f4(r, 64, 512, 64), f4(r, 64, 512, 64), f4(r, 64, 512, 64)], ()),
    "pairwise": (pairwise, lambda r: [f8(r, 4000, 3), f8(r, 4000, 3)], ()),
    "kmeans": (kmeans_assign, lambda r: [f4(r, 200000, 32), f4(r, 64, 32)], ()),
    "movavg": (moving_average, lambda r: [f8(r, 2000, 5000)], ()),
    "zscore": (zscore_cols, lambda r: [f4(r, 1000000, 16)], ()),
    "colstats": (col_stats, lambda r: [f8(r, 500000, 20)], ()),
    "middle": (middle_axis, lambda r: [f4(r, 200, 300, 400)], ()),
    "interp": (interp_table, lambda r: [f8(r, 5000000), np.linspace(0, 1, 2000), f8(r, 2000)], ()),
    "digitize": (digitized, lambda r: [f8(r, 5000000), np.linspace(0, 1, 200)], ()),
    "whist": (weighted_hist, lambda r: [r.integers(0, 10000, 5000000), f8(r, 5000000)], ()),
    "gather": (gather_rows, lambda r: [f4(r, 100000, 64), r.integers(0, 100000, 500000)], ()),
    "wave": (wave, lambda r: [f8(r, 1000, 1000), f8(r, 1000, 1000), 0.1, 50], (3,)),
    "life": (life, lambda r: [(f8(r, 2000, 2000) > .7).astype(np.int32), 20], (1,)),
    "lorenz": (lorenz, lambda r: [f8(r, 1000000), f8(r, 1000000), f8(r, 1000000), 0.01, 50], (4,)),
    "logreg": (logreg, lambda r: [f8(r, 100000, 50), (f8(r, 100000) > .5).astype(float), 0.1, 50], (3,)),
    "pagerank": (pagerank, lambda r: [f8(r, 4000, 4000), 30], (1,)),
    "bs": (black_scholes, lambda r: [f4(r, 10000000) + 1, f4(r, 10000000) + 1, f4(r, 10000000) + .1, np.float32(.05), np.float32(.2)], ()),
    "spectral": (spectral, lambda r: [f8(r, 4000, 4096)], ()),
    "lowpass": (lowpass, lambda r: [f8(r, 2048, 2048)], ()),
    "median9": (median9, lambda r: [f4(r, 2000, 2000)], ()),
    "sort_rows": (sort_rows, lambda r: [f4(r, 20000, 500)], ()),
    "outer_sum": (outer_sum, lambda r: [f8(r, 10000), f8(r, 10000)], ()),
    "nbody": (nbody_forces, lambda r: [f8(r, 3000, 3), f8(r, 3000)], ()),
    "cov": (cov, lambda r: [f8(r, 100000, 100)], ()),
    "einsum": (einsum_chain, lambda r: [f8(r, 500, 64, 64), f8(r, 500, 64, 64), f8(r, 500, 64)], ()),
    "mandel": (mandel, lambda r: [f8(r, 1500, 1500) * 3 - 2, f8(r, 1500, 1500) * 2 - 1, 50], (2,)),
    "heat3": (heat3, lambda r: [f8(r, 150, 150, 150), 20], (1,)),
    "drawdown": (drawdown, lambda r: [f8(r, 5000, 2500) + 1], ()),
    "conv1d": (conv1d, lambda r: [f8(r, 5000000), f8(r, 9)], ()),
    "rbf_solve": (rbf_solve, lambda r: [f8(r, 2000, 3), f8(r, 2000)], ()),
    "quantiles": (quantiles, lambda r: [f4(r, 10000, 200)], ()),
    "mixed": (mixed, lambda r: [f8(r, 3000, 3000), f8(r, 3000, 3000)], ()),
}
