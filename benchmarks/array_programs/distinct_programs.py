"""A sixth set of array programs: images, meshes, molecules, statistics, trees, networks, filters, traffic, finance, text, matrix functions. Written
before anybody looked at what npcc makes of them, each one function of NumPy that CuPy runs unchanged and, where it stores nothing into slices, JAX
compiles.
"""
import numpy as np
from random_arrays import f4, f8


def perona_malik(u, kappa, dt, steps):
    for _ in range(steps):
        n, s = np.roll(u, 1, 0) - u, np.roll(u, -1, 0) - u
        w, e = np.roll(u, 1, 1) - u, np.roll(u, -1, 1) - u
        flux = sum(np.exp(-(d / kappa) ** 2) * d for d in (n, s, w, e))
        u = u + dt * flux
    return u


def laplacian_pyramid(image, levels):
    energies = []
    for _ in range(levels):
        h, w = image.shape
        small = image[: h // 2 * 2, : w // 2 * 2].reshape(h // 2, 2, w // 2, 2).mean(axis=(1, 3))
        back = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)
        energies.append(((image[: h // 2 * 2, : w // 2 * 2] - back) ** 2).mean())
        image = small
    return np.stack(energies), image


def oriented_gradients(image, cell, bins):
    gy = image[2:, 1:-1] - image[:-2, 1:-1]
    gx = image[1:-1, 2:] - image[1:-1, :-2]
    size = np.sqrt(gx * gx + gy * gy)
    angle = np.arctan2(gy, gx) % np.pi
    which = np.minimum((angle / np.pi * bins).astype(np.int64), bins - 1)
    h, w = size.shape[0] // cell * cell, size.shape[1] // cell * cell
    out = []
    for b in range(bins):
        part = np.where(which[:h, :w] == b, size[:h, :w], 0.0)
        out.append(part.reshape(h // cell, cell, w // cell, cell).sum(axis=(1, 3)))
    hog = np.stack(out, axis=2)
    return hog / np.sqrt((hog * hog).sum(axis=2, keepdims=True) + 1e-6)


def seam_energy(energy):
    best = energy[0]
    for k in range(1, energy.shape[0]):
        left = np.concatenate((np.full(1, np.inf), best[:-1]))
        right = np.concatenate((best[1:], np.full(1, np.inf)))
        best = energy[k] + np.minimum(best, np.minimum(left, right))
    return best


def box_statistics(image, r):
    def box(a):
        s = np.cumsum(np.cumsum(np.pad(a, ((1, 0), (1, 0))), axis=0), axis=1)
        k = 2 * r + 1
        return (s[k:, k:] - s[:-k, k:] - s[k:, :-k] + s[:-k, :-k]) / (k * k)
    mean = box(image)
    return mean, np.sqrt(np.maximum(box(image * image) - mean * mean, 0))


def marching_cases(field, level):
    inside = (field > level).astype(np.int64)
    case = inside[:-1, :-1] + 2 * inside[:-1, 1:] + 4 * inside[1:, 1:] + 8 * inside[1:, :-1]
    return np.bincount(case.ravel(), minlength=16)


def morton_codes(x, y):
    def spread(v):
        v = v & 0xFFFF
        v = (v | (v << 8)) & 0x00FF00FF
        v = (v | (v << 4)) & 0x0F0F0F0F
        v = (v | (v << 2)) & 0x33333333
        return (v | (v << 1)) & 0x55555555
    return spread(x) | (spread(y) << 1)


def lennard_jones_virial(pos, box, cutoff):
    d = pos[:, None, :] - pos[None, :, :]
    d = d - box * np.round(d / box)
    r2 = (d * d).sum(axis=2)
    near = (r2 < cutoff * cutoff) & (r2 > 0)
    inv6 = np.where(near, 1.0 / np.where(near, r2, 1.0) ** 3, 0.0)
    energy = 2 * (inv6 * inv6 - inv6).sum()
    factor = np.where(near, 24 * (2 * inv6 * inv6 - inv6) / np.where(near, r2, 1.0), 0.0)
    force = (factor[:, :, None] * d).sum(axis=1)
    return energy, force, (factor * r2).sum()


def dihedrals(a, b, c, d):
    b0, b1, b2 = a - b, c - b, d - c
    b1 = b1 / np.sqrt((b1 * b1).sum(axis=1, keepdims=True))
    v = b0 - (b0 * b1).sum(axis=1, keepdims=True) * b1
    w = b2 - (b2 * b1).sum(axis=1, keepdims=True) * b1
    return np.arctan2((np.cross(b1, v) * w).sum(axis=1), (v * w).sum(axis=1))


def frame_alignment(frames, reference):
    f = frames - frames.mean(axis=1, keepdims=True)
    r = reference - reference.mean(axis=0)
    cov = np.swapaxes(f, 1, 2) @ r
    return np.sqrt(np.maximum((f * f).sum(axis=(1, 2)) + (r * r).sum() - 2 * np.sqrt((cov * cov).sum(axis=(1, 2))), 0) / r.shape[0])


def bezier_curves(points, t):
    p = points[:, :, None, :]
    u = t[None, :, None]
    n = points.shape[1]
    levels = [p[:, k] for k in range(n)]
    for depth in range(n - 1, 0, -1):
        levels = [(1 - u) * levels[k] + u * levels[k + 1] for k in range(depth)]
    return levels[0]


def confusion(truth, guess, classes):
    table = np.bincount(truth * classes + guess, minlength=classes * classes).reshape(classes, classes)
    right = np.diagonal(table)
    precision, recall = right / np.maximum(table.sum(axis=0), 1), right / np.maximum(table.sum(axis=1), 1)
    return 2 * precision * recall / np.maximum(precision + recall, 1e-12), right.sum() / truth.shape[0]


def area_under_curve(score, label):
    order = np.argsort(-score)
    hits = np.cumsum(label[order])
    misses = np.cumsum(1 - label[order])
    tpr, fpr = hits / hits[-1], misses / misses[-1]
    return ((fpr[1:] - fpr[:-1]) * (tpr[1:] + tpr[:-1]) / 2).sum()


def coordinate_descent(x, y, lam, sweeps):
    w = np.zeros(x.shape[1])
    rest = y.copy()
    norms = (x * x).sum(axis=0)
    for _ in range(sweeps):
        for j in range(x.shape[1]):
            rho = (x[:, j] * rest).sum() + norms[j] * w[j]
            new = np.sign(rho) * np.maximum(np.abs(rho) - lam, 0) / norms[j]
            rest = rest - x[:, j] * (new - w[j])
            w[j] = new
    return w


def tree_votes(x, feature, limit, left, right, value, depth):
    rows = np.arange(x.shape[0])
    total = np.zeros(x.shape[0])
    for tree in range(feature.shape[0]):
        node = np.zeros(x.shape[0], np.int64)
        for _ in range(depth):
            goes = x[rows, feature[tree][node]] < limit[tree][node]
            node = np.where(goes, left[tree][node], right[tree][node])
        total = total + value[tree][node]
    return total / feature.shape[0]


def dilated_stack(x, weights, bias):
    for layer in range(weights.shape[0]):
        gap = 2 ** layer
        old = np.pad(x, ((0, 0), (gap, 0)))[:, :-gap]
        x = x + np.tanh(weights[layer, 0] @ x + weights[layer, 1] @ old + bias[layer][:, None])
    return x


def causal_attention(q, k, v, slope):
    n = q.shape[1]
    i = np.arange(n)
    score = q @ np.swapaxes(k, 1, 2) / np.sqrt(q.shape[2]) - slope[:, None, None] * (i[:, None] - i[None, :])
    score = np.where(i[:, None] >= i[None, :], score, -1e30)
    e = np.exp(score - score.max(axis=2, keepdims=True))
    return (e / e.sum(axis=2, keepdims=True)) @ v


def gated_block(x, scale, gate, up, down):
    h = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * scale
    g = h @ gate
    return x + (g / (1 + np.exp(-g)) * (h @ up)) @ down


def sample_tokens(logits, temperature, u):
    z = logits / temperature
    p = np.exp(z - z.max(axis=1, keepdims=True))
    c = np.cumsum(p / p.sum(axis=1, keepdims=True), axis=1)
    return np.minimum((c < u[:, None]).sum(axis=1), logits.shape[1] - 1)


def clipped_adamw(params, grads, m, v, steps):
    for t in range(1, steps + 1):
        norm = np.sqrt((grads * grads).sum())
        g = grads * np.minimum(1.0, 1.0 / (norm + 1e-6))
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        params = params * (1 - 1e-4) - 1e-3 * (m / (1 - 0.9 ** t)) / (np.sqrt(v / (1 - 0.999 ** t)) + 1e-8)
        grads = grads * 0.99 + 1e-3 * params
    return params


def triplet_loss(anchor, other, margin):
    a = anchor / np.sqrt((anchor * anchor).sum(axis=1, keepdims=True))
    b = other / np.sqrt((other * other).sum(axis=1, keepdims=True))
    d = 2 - 2 * (a @ b.T)
    n = d.shape[0]
    own = np.diagonal(d)
    hard = np.where(np.eye(n) > 0, 1e9, d).min(axis=1)
    return np.maximum(own - hard + margin, 0).mean()


def value_at_risk(returns, weights, level):
    loss = np.sort(-(returns @ weights.T), axis=0)
    cut = int(level * loss.shape[0])
    return loss[cut], loss[cut:].mean(axis=0)


def pair_signals(a, b, window, limit):
    ratio = np.log(a) - np.log(b)
    s = np.cumsum(np.concatenate((np.zeros(1), ratio)))
    s2 = np.cumsum(np.concatenate((np.zeros(1), ratio * ratio)))
    mean = (s[window:] - s[:-window]) / window
    std = np.sqrt(np.maximum((s2[window:] - s2[:-window]) / window - mean * mean, 1e-12))
    z = (ratio[window - 1:] - mean) / std
    return np.where(z > limit, -1, np.where(z < -limit, 1, 0)), z


def stochastic_oscillator(high, low, close, window):
    top, bottom = high[window - 1:], low[window - 1:]
    for k in range(1, window):
        top = np.maximum(top, high[window - 1 - k: -k])
        bottom = np.minimum(bottom, low[window - 1 - k: -k])
    return 100 * (close[window - 1:] - bottom) / (top - bottom)


def analytic_envelope(x):
    n = x.shape[1]
    f = np.fft.fft(x, axis=1)
    h = np.where(np.arange(n) == 0, 1.0, np.where(np.arange(n) < n // 2, 2.0, np.where(np.arange(n) == n // 2, 1.0, 0.0)))
    z = np.fft.ifft(f * h, axis=1)
    return np.abs(z), np.angle(z)


def savitzky_golay(x, window):
    half = window // 2
    t = np.arange(-half, half + 1.0)
    design = np.stack((np.ones(window), t, t * t), axis=1)
    taps = np.linalg.inv(design.T @ design) @ design.T
    out = np.zeros((x.shape[0], x.shape[1] - window + 1))
    for k in range(window):
        out = out + taps[0, k] * x[:, k: k + out.shape[1]]
    return out


def compressor(x, attack, release, ratio):
    level = np.zeros(x.shape[1])
    out = np.empty_like(x)
    for t in range(x.shape[0]):
        a = np.abs(x[t])
        level = np.where(a > level, attack * level + (1 - attack) * a, release * level + (1 - release) * a)
        gain = np.where(level > 0.5, (0.5 + (level - 0.5) / ratio) / np.maximum(level, 1e-9), 1.0)
        out[t] = gain * x[t]
    return out


def zero_crossings(x, frame, hop):
    n = (x.shape[0] - frame) // hop + 1
    at = np.arange(n)[:, None] * hop + np.arange(frame)[None, :]
    f = x[at]
    return (f[:, 1:] * f[:, :-1] < 0).mean(axis=1), np.sqrt((f * f).mean(axis=1))


def nearest_seed(seeds, h, w):
    best = np.full((h, w), np.inf)
    which = np.zeros((h, w), np.int64)
    y, x = np.arange(h)[:, None], np.arange(w)[None, :]
    for k in range(seeds.shape[0]):
        d = (y - seeds[k, 0]) ** 2 + (x - seeds[k, 1]) ** 2
        which = np.where(d < best, k, which)
        best = np.minimum(best, d)
    return which, best


def slab_transport(u, free, scatter, absorb):
    x, mu, alive = np.zeros(u.shape[1]), np.ones(u.shape[1]), np.ones(u.shape[1], bool)
    out = np.zeros(u.shape[1])
    for k in range(u.shape[0] // 3):
        x = np.where(alive, x - mu * np.log(u[3 * k]) * free, x)
        out = np.where(alive & (x > 1), 1.0, out)
        alive = alive & (x >= 0) & (x <= 1) & (u[3 * k + 1] > absorb)
        mu = np.where(u[3 * k + 1] < absorb + scatter, 2 * u[3 * k + 2] - 1, mu)
    return out.mean(), alive.sum()


def traffic(road, speed, u, top):
    n = road.shape[0]
    for k in range(u.shape[0]):
        gap = np.full(n, top)
        for d in range(top, 0, -1):
            gap = np.where(np.roll(road, -d) > 0, d - 1, gap)
        speed = np.where(road > 0, np.minimum(np.minimum(speed + 1, top), gap), 0)
        speed = np.where((u[k] < 0.1) & (speed > 0), speed - 1, speed)
        new, moved = np.zeros_like(road), np.zeros_like(speed)
        for v in range(top + 1):
            here = (road > 0) & (speed == v)
            new = new + np.roll(here.astype(road.dtype), v)
            moved = moved + np.roll(np.where(here, v, 0), v)
        road, speed = new, moved
    return road, speed


def network_epidemic(adjacency, sick, beta, gamma, steps):
    healthy = 1 - sick
    history = []
    for _ in range(steps):
        pressure = 1 - np.exp(-beta * (adjacency @ sick))
        new = healthy * pressure
        healthy, sick = healthy - new, sick + new - gamma * sick
        history.append(sick.sum())
    return np.stack(history), healthy


def tau_leaping(count, rates, noise, dt):
    for k in range(noise.shape[0]):
        birth, death = rates[0] * dt, rates[1] * count * dt
        count = np.maximum(count + birth - death + np.sqrt(birth + death) * noise[k], 0)
    return count.mean(), count.var()


def gram_schmidt(a):
    q = np.zeros_like(a)
    for k in range(a.shape[1]):
        v = a[:, k] - q[:, :k] @ (q[:, :k].T @ a[:, k])
        q[:, k] = v / np.sqrt((v * v).sum())
    return q


def matrix_exponential(a, terms, squarings):
    x = a / 2.0 ** squarings
    result = np.eye(a.shape[0]) + x
    power = x
    for k in range(2, terms):
        power = power @ x / k
        result = result + power
    for _ in range(squarings):
        result = result @ result
    return result


def newton_schulz(a, steps):
    x = a / np.sqrt((a * a).sum())
    for _ in range(steps):
        y = x @ x.T
        x = 1.5 * x - 0.5 * y @ x
    return x


def random_range(a, omega, passes):
    y = a @ omega
    for _ in range(passes):
        y = y / np.sqrt((y * y).sum(axis=0))
        y = a @ (a.T @ y)
    g = y.T @ y
    return np.sqrt(np.diagonal(g)), np.abs(g - np.diag(np.diagonal(g))).max()


def weight_matrix_scan(sequence, matrix):
    n = sequence.shape[0] - matrix.shape[0] + 1
    score = np.zeros(n)
    for k in range(matrix.shape[0]):
        score = score + matrix[k][sequence[k: k + n]]
    return score.max(), score.argmax(), (score > 0).sum()


def skew_windows(sequence, window):
    g = np.concatenate((np.zeros(1, np.int64), np.cumsum(sequence == 2)))
    c = np.concatenate((np.zeros(1, np.int64), np.cumsum(sequence == 1)))
    gw, cw = g[window:] - g[:-window], c[window:] - c[:-window]
    return (gw - cw) / np.maximum(gw + cw, 1)


def theil_sen(x, y):
    dx = x[None, :] - x[:, None]
    dy = y[None, :] - y[:, None]
    slope = np.median(np.where(dx > 0, dy / np.where(dx == 0, 1.0, dx), 0.0))
    return slope, np.median(y - slope * x)


def kendall_tau(x, y):
    s = np.sign(x[:, None] - x[None, :]) * np.sign(y[:, None] - y[None, :])
    return s.sum() / (x.shape[0] * (x.shape[0] - 1))


def anova(values, group, groups):
    grand = values.mean(axis=0)
    onehot = (group[:, None] == np.arange(groups)[None, :]).astype(values.dtype)
    count = onehot.sum(axis=0)
    mean = onehot.T @ values / count[:, None]
    between = (count[:, None] * (mean - grand) ** 2).sum(axis=0) / (groups - 1)
    within = ((values - mean[group]) ** 2).sum(axis=0) / (values.shape[0] - groups)
    return between / within


def holt_winters(series, period, alpha, beta, gamma):
    level, trend = series[:period].mean(axis=0), (series[period:2 * period] - series[:period]).mean(axis=0) / period
    season = [series[k] - level for k in range(period)]
    for t in range(series.shape[0]):
        s = season[t % period]
        new = alpha * (series[t] - s) + (1 - alpha) * (level + trend)
        trend = beta * (new - level) + (1 - beta) * trend
        season[t % period] = gamma * (series[t] - new) + (1 - gamma) * s
        level = new
    return level, trend


def quantile_normalise(x):
    order = np.argsort(x, axis=0)
    mean = np.sort(x, axis=0).mean(axis=1)
    rank = np.argsort(order, axis=0)
    return mean[rank]


def prices(r, n):
    return np.exp(np.cumsum(0.01 * (r.random(n) - 0.5))) * 100


def trees(r, count, nodes, features):
    at = np.arange(nodes)
    return (r.integers(0, features, (count, nodes)), r.random((count, nodes)), np.minimum(2 * at + 1, nodes - 1)[None].repeat(count, 0),
            np.minimum(2 * at + 2, nodes - 1)[None].repeat(count, 0), r.random((count, nodes)))


PROGRAMS = {  # name: (function, its arguments from a generator, positions of what is known when compiling)
    "perona_malik": (perona_malik, lambda r: (f4(r, 2048, 2048), 0.3, 0.1, 30), (3,)),
    "laplacian_pyramid": (laplacian_pyramid, lambda r: (f4(r, 4096, 4096), 6), (1,)),
    "oriented_gradients": (oriented_gradients, lambda r: (f4(r, 2050, 2050), 8, 9), (1, 2)),
    "seam_energy": (seam_energy, lambda r: (f8(r, 1000, 4000),), ()),
    "box_statistics": (box_statistics, lambda r: (f8(r, 2000, 2000), 7), (1,)),
    "marching_cases": (marching_cases, lambda r: (f8(r, 3000, 3000), 0.5), ()),
    "morton_codes": (morton_codes, lambda r: (r.integers(0, 65536, 8_000_000), r.integers(0, 65536, 8_000_000)), ()),
    "lennard_jones_virial": (lennard_jones_virial, lambda r: (20 * f8(r, 3000, 3), 20.0, 3.0), ()),
    "dihedrals": (dihedrals, lambda r: (f8(r, 1_000_000, 3), f8(r, 1_000_000, 3), f8(r, 1_000_000, 3), f8(r, 1_000_000, 3)), ()),
    "frame_alignment": (frame_alignment, lambda r: (f8(r, 2000, 500, 3), f8(r, 500, 3)), ()),
    "bezier_curves": (bezier_curves, lambda r: (f8(r, 2000, 5, 3), f8(r, 200)), ()),
    "confusion": (confusion, lambda r: (r.integers(0, 20, 4_000_000), r.integers(0, 20, 4_000_000), 20), (2,)),
    "area_under_curve": (area_under_curve, lambda r: (f8(r, 2_000_000), r.integers(0, 2, 2_000_000)), ()),
    "coordinate_descent": (coordinate_descent, lambda r: (f8(r, 20_000, 60) - 0.5, f8(r, 20_000), 1.0, 5), (3,)),
    "tree_votes": (tree_votes, lambda r: (f8(r, 200_000, 20), *trees(r, 16, 511, 20), 8), (6,)),
    "dilated_stack": (dilated_stack, lambda r: (f4(r, 64, 100_000), 0.1 * f4(r, 8, 2, 64, 64), f4(r, 8, 64)), ()),
    "causal_attention": (causal_attention, lambda r: (f4(r, 16, 1024, 64), f4(r, 16, 1024, 64), f4(r, 16, 1024, 64), f4(r, 16)), ()),
    "gated_block": (gated_block, lambda r: (f4(r, 4096, 512), f4(r, 512), f4(r, 512, 1376) - 0.5, f4(r, 512, 1376) - 0.5, f4(r, 1376, 512) - 0.5), ()),
    "sample_tokens": (sample_tokens, lambda r: (10 * f4(r, 512, 32_000), 0.8, f4(r, 512)), ()),
    "clipped_adamw": (clipped_adamw, lambda r: (f4(r, 4_000_000), f4(r, 4_000_000), f4(r, 4_000_000), f4(r, 4_000_000), 10), (4,)),
    "triplet_loss": (triplet_loss, lambda r: (f4(r, 4096, 128), f4(r, 4096, 128), 0.2), ()),
    "value_at_risk": (value_at_risk, lambda r: (f8(r, 10_000, 50) - 0.5, f8(r, 200, 50), 0.95), (2,)),
    "pair_signals": (pair_signals, lambda r: (prices(r, 4_000_000), prices(r, 4_000_000), 60, 2.0), (2,)),
    "stochastic_oscillator": (stochastic_oscillator, lambda r: (f8(r, 4_000_000) + 2, f8(r, 4_000_000), f8(r, 4_000_000) + 1, 14), (3,)),
    "analytic_envelope": (analytic_envelope, lambda r: (f4(r, 500, 8192),), ()),
    "savitzky_golay": (savitzky_golay, lambda r: (f8(r, 400, 10_000), 11), (1,)),
    "compressor": (compressor, lambda r: (f4(r, 2000, 2000) * 2 - 1, 0.9, 0.99, 4.0), ()),
    "zero_crossings": (zero_crossings, lambda r: (f4(r, 4_000_000) - 0.5, 1024, 256), (1, 2)),
    "nearest_seed": (nearest_seed, lambda r: (f8(r, 60, 2) * 1000, 1000, 1000), (1, 2)),
    "slab_transport": (slab_transport, lambda r: (f8(r, 60, 500_000) + 1e-9, 0.2, 0.7, 0.1), ()),
    "traffic": (traffic, lambda r: ((f8(r, 500_000) < 0.3).astype(np.int64), np.zeros(500_000, np.int64), f8(r, 20, 500_000), 5), (3,)),
    "network_epidemic": (network_epidemic,
                      lambda r: ((f8(r, 2000, 2000) < 0.01).astype(np.float64), (f8(r, 2000) < 0.01).astype(np.float64), 0.1, 0.05, 60), (4,)),
    "tau_leaping": (tau_leaping, lambda r: (10 * f8(r, 200_000), f8(r, 2) + 0.5, f8(r, 100, 200_000) - 0.5, 0.05), ()),
    "gram_schmidt": (gram_schmidt, lambda r: (f8(r, 4000, 100),), ()),
    "matrix_exponential": (matrix_exponential, lambda r: (0.01 * f8(r, 600, 600), 12, 4), (1, 2)),
    "newton_schulz": (newton_schulz, lambda r: (f4(r, 1024, 1024) - 0.5, 8), (1,)),
    "random_range": (random_range, lambda r: (f8(r, 20_000, 400), f8(r, 400, 20), 3), (2,)),
    "weight_matrix_scan": (weight_matrix_scan, lambda r: (r.integers(0, 4, 4_000_000), f8(r, 12, 4) - 0.6), ()),
    "skew_windows": (skew_windows, lambda r: (r.integers(0, 4, 8_000_000), 1000), (1,)),
    "theil_sen": (theil_sen, lambda r: (f8(r, 2000), f8(r, 2000)), ()),
    "kendall_tau": (kendall_tau, lambda r: (f8(r, 6000), f8(r, 6000)), ()),
    "anova": (anova, lambda r: (f8(r, 100_000, 50), r.integers(0, 8, 100_000), 8), (2,)),
    "holt_winters": (holt_winters, lambda r: (f8(r, 240, 100_000), 12, 0.3, 0.1, 0.2), (1,)),
    "quantile_normalise": (quantile_normalise, lambda r: (f8(r, 20_000, 200),), ()),
}
