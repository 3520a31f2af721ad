"""A fifth set of array programs: circuits, crystals, orbits, ecology, chemistry, geometry, coding, control, queues, signals, text, terrain. Written
before anybody looked at what npcc makes of them, each one function of NumPy that CuPy runs unchanged and, where it stores nothing into slices, JAX
compiles.
"""
import numpy as np
from random_arrays import f8


def structure_factor(pos, q):
    phase = q @ pos.T
    return (np.cos(phase).sum(axis=1) ** 2 + np.sin(phase).sum(axis=1) ** 2) / pos.shape[0]


def radial_distribution(pos, box, bins):
    d = pos[:, None, :] - pos[None, :, :]
    d = d - box * np.round(d / box)
    r = np.sqrt((d * d).sum(axis=2)).ravel()
    hist, edges = np.histogram(r, bins=bins, range=(0.01, box / 2))
    shell = 4 / 3 * np.pi * (edges[1:] ** 3 - edges[:-1] ** 3)
    return hist / shell


def verlet_chain(x, v, k, dt, steps):
    for _ in range(steps):
        stretch = np.diff(x)
        force = np.zeros_like(x)
        force[:-1] += k * stretch
        force[1:] -= k * stretch
        v = v + dt * force
        x = x + dt * v
    return x


def solar_system(pos, vel, mass, dt, steps):
    for _ in range(steps):
        d = pos[None, :, :] - pos[:, None, :]
        r2 = (d ** 2).sum(axis=-1) + 1e-3
        acc = (mass[None, :, None] * d / (r2 * np.sqrt(r2))[:, :, None]).sum(axis=1)
        vel = vel + dt * acc
        pos = pos + dt * vel
    kinetic = 0.5 * (mass * (vel ** 2).sum(axis=1)).sum()
    return pos, kinetic


def hodgkin_huxley(v, current, dt, steps):
    m = np.full_like(v, 0.05)
    h = np.full_like(v, 0.6)
    n = np.full_like(v, 0.32)
    spikes = np.zeros(v.shape)
    for _ in range(steps):
        am = 0.1 * (v + 40) / (1 - np.exp(-(v + 40) / 10))
        bm = 4 * np.exp(-(v + 65) / 18)
        ah = 0.07 * np.exp(-(v + 65) / 20)
        bh = 1 / (1 + np.exp(-(v + 35) / 10))
        an = 0.01 * (v + 55) / (1 - np.exp(-(v + 55) / 10))
        bn = 0.125 * np.exp(-(v + 65) / 80)
        m = m + dt * (am * (1 - m) - bm * m)
        h = h + dt * (ah * (1 - h) - bh * h)
        n = n + dt * (an * (1 - n) - bn * n)
        ionic = 120 * m ** 3 * h * (v - 50) + 36 * n ** 4 * (v + 77) + 0.3 * (v + 54.4)
        new = v + dt * (current - ionic)
        spikes = spikes + ((new > 0) & (v <= 0))
        v = new
    return spikes, v


def predator_grid(prey, pred, dt, steps):
    for _ in range(steps):
        lp = np.roll(prey, 1, 0) + np.roll(prey, -1, 0) + np.roll(prey, 1, 1) + np.roll(prey, -1, 1) - 4 * prey
        lq = np.roll(pred, 1, 0) + np.roll(pred, -1, 0) + np.roll(pred, 1, 1) + np.roll(pred, -1, 1) - 4 * pred
        grow = prey * (1 - prey) - prey * pred / (prey + 0.2)
        prey, pred = prey + dt * (0.1 * lp + grow), pred + dt * (0.2 * lq + 0.8 * prey * pred / (prey + 0.2) - 0.3 * pred)
    return prey.mean(), pred.mean()


def heat_implicit_sides(t, alpha, steps):
    for _ in range(steps):
        new = t.copy()
        new[1:-1, 1:-1] = t[1:-1, 1:-1] + alpha * (t[2:, 1:-1] + t[:-2, 1:-1] + t[1:-1, 2:] + t[1:-1, :-2] - 4 * t[1:-1, 1:-1])
        new[0, :] = new[1, :]
        new[-1, :] = new[-2, :]
        new[:, 0] = 1.0
        new[:, -1] = 0.0
        t = new
    return t


def ladder_circuit(v, r, c, dt, steps):
    out = np.empty((steps, v.shape[0]))
    for s in range(steps):
        left = np.concatenate((np.ones(1) * np.sin(0.01 * s), v[:-1]))
        right = np.concatenate((v[1:], v[-1:]))
        v = v + dt / (r * c) * (left - 2 * v + right)
        out[s] = v
    return out


def michaelis_fit(s, rate, vmax, km, iters):
    for _ in range(iters):
        pred = vmax * s / (km + s)
        res = rate - pred
        j1 = s / (km + s)
        j2 = -vmax * s / (km + s) ** 2
        a11, a12, a22 = (j1 * j1).sum(), (j1 * j2).sum(), (j2 * j2).sum()
        b1, b2 = (j1 * res).sum(), (j2 * res).sum()
        det = a11 * a22 - a12 * a12
        vmax = vmax + (a22 * b1 - a12 * b2) / det
        km = km + (a11 * b2 - a12 * b1) / det
    return vmax, km


def triangle_areas(points, tri):
    a, b, c = points[tri[:, 0]], points[tri[:, 1]], points[tri[:, 2]]
    n = np.cross(b - a, c - a)
    area = 0.5 * np.sqrt((n ** 2).sum(axis=1))
    normals = n / (2 * area[:, None])
    return area.sum(), (area[:, None] * (a + b + c) / 3).sum(axis=0) / area.sum(), normals


def vertex_normals(points, tri):
    n = np.cross(points[tri[:, 1]] - points[tri[:, 0]], points[tri[:, 2]] - points[tri[:, 0]])
    out = np.zeros_like(points)
    for k in range(3):
        for d in range(3):
            out[:, d] += np.bincount(tri[:, k], weights=n[:, d], minlength=points.shape[0])
    return out / np.sqrt((out ** 2).sum(axis=1, keepdims=True))


def point_in_polygon(px, py, vx, vy):
    inside = np.zeros(px.shape, dtype=bool)
    n = len(vx)
    j = n - 1
    for i in range(n):
        crosses = ((vy[i] > py) != (vy[j] > py)) & (px < (vx[j] - vx[i]) * (py - vy[i]) / (vy[j] - vy[i]) + vx[i])
        inside = inside ^ crosses
        j = i
    return inside


def hamming_decode(words, h):
    syndrome = (words @ h.T) % 2
    position = (syndrome * np.array([1, 2, 4])).sum(axis=1)
    flip = position[:, None] == np.arange(1, 8)[None, :]
    return words ^ flip.astype(words.dtype)


def gray_codes(x):
    g = x ^ (x >> 1)
    b = g.copy()
    for s in (1, 2, 4, 8, 16):
        b = b ^ (b >> s)
    return g, (b == x).all()


def pid_bank(target, kp, ki, kd, steps, dt):
    x = np.zeros_like(kp)
    v = np.zeros_like(kp)
    total = np.zeros_like(kp)
    last = np.zeros_like(kp)
    cost = np.zeros_like(kp)
    for _ in range(steps):
        err = target - x
        total = np.clip(total + err * dt, -5, 5)
        u = np.clip(kp * err + ki * total + kd * (err - last) / dt, -10, 10)
        last = err
        v = v + dt * (u - 0.5 * v)
        x = x + dt * v
        cost = cost + dt * np.abs(err)
    return cost, cost.argmin()


def riccati(a, b, q, r, iters):
    p = q
    for _ in range(iters):
        bp = b.T @ p
        k = np.linalg.solve(r + bp @ b, bp @ a)
        p = q + a.T @ p @ (a - b @ k)
    return p, k


def queue_lindley(arrive, service):
    wait = np.zeros(arrive.shape[0])
    out = np.empty_like(arrive)
    for i in range(arrive.shape[1]):
        wait = np.maximum(wait + service[:, i] - arrive[:, i], 0)
        out[:, i] = wait
    return out.mean(axis=0), out.max(axis=1)


def goertzel(x, freqs):
    w = 2 * np.cos(2 * np.pi * freqs)
    s1 = np.zeros_like(freqs)
    s2 = np.zeros_like(freqs)
    for n in range(x.shape[0]):
        s0 = x[n] + w * s1 - s2
        s2 = s1
        s1 = s0
    return s1 * s1 + s2 * s2 - w * s1 * s2


def matched_filter(x, template):
    n = x.shape[-1]
    f = np.fft.rfft(x, n)
    t = np.fft.rfft(template, n)
    c = np.fft.irfft(f * np.conj(t), n)
    energy = np.cumsum(x ** 2, axis=-1)
    return c.argmax(axis=-1), c.max(axis=-1) / np.sqrt(energy[..., -1])


def decimate(x, taps, m):
    n = (x.shape[0] - taps.shape[0]) // m + 1
    y = np.zeros(n)
    for k in range(taps.shape[0]):
        y += taps[k] * x[k:k + m * n:m]
    return y


def letter_pairs(text):
    pair = text[:-1].astype(np.int64) * 26 + text[1:]
    counts = np.bincount(pair, minlength=676).reshape(26, 26)
    p = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
    return -(p * np.log2(p)).sum(axis=1)


def caesar_break(text, freq):
    best = np.zeros(26)
    for k in range(26):
        shifted = (text + k) % 26
        hist = np.bincount(shifted, minlength=26) / text.shape[0]
        best[k] = ((hist - freq) ** 2 / freq).sum()
    return best.argmin(), best


def flow_accumulation(z, iters):
    water = np.ones_like(z)
    for _ in range(iters):
        h = z + 0.1 * water
        out = np.zeros_like(z)
        gain = np.zeros_like(z)
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            drop = np.maximum(h - np.roll(h, (dy, dx), (0, 1)), 0)
            move = np.minimum(0.2 * drop, 0.2 * water)
            out = out + move
            gain = gain + np.roll(move, (-dy, -dx), (0, 1))
        water = water - out + gain
    return water


def viewshed(z):
    d = np.arange(1, z.shape[1])
    slope = (z[:, 1:] - z[:, :1]) / d
    seen = np.maximum.accumulate(slope, axis=1)
    return (slope >= seen).sum(axis=1)


def slope_aspect(z, cell):
    p = np.pad(z, 1, mode="edge")
    dx = ((p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])) / (8 * cell)
    dy = ((p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])) / (8 * cell)
    return np.degrees(np.arctan(np.hypot(dx, dy))), (np.degrees(np.arctan2(dy, -dx)) + 360) % 360


def local_binary(img):
    c = img[1:-1, 1:-1]
    code = np.zeros(c.shape, dtype=np.uint8)
    shifts = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
    for bit, (i, j) in enumerate(shifts):
        code |= (img[i:i + c.shape[0], j:j + c.shape[1]] >= c).astype(np.uint8) << bit
    return np.bincount(code.ravel(), minlength=256)


def guided_filter(img, guide, r, eps):
    def box(a):
        s = np.cumsum(np.pad(a, ((r + 1, r), (r + 1, r)), mode="edge"), axis=0)
        s = s[2 * r + 1:] - s[:-2 * r - 1]
        s = np.cumsum(s, axis=1)
        return (s[:, 2 * r + 1:] - s[:, :-2 * r - 1]) / (2 * r + 1) ** 2
    mg, mi = box(guide), box(img)
    cov = box(guide * img) - mg * mi
    var = box(guide * guide) - mg * mg
    a = cov / (var + eps)
    b = mi - a * mg
    return box(a) * guide + box(b)


def dither_ordered(img, matrix):
    h, w = img.shape
    tiled = np.tile(matrix, (h // matrix.shape[0], w // matrix.shape[1]))
    return (img > tiled).astype(np.uint8) * 255


def cielab(rgb):
    lin = np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    m = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = lin @ m.T / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack((116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])), axis=-1)


def focal_loss(logits, labels, gamma):
    z = logits - logits.max(axis=1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    pt = p[np.arange(labels.shape[0]), labels]
    loss = -((1 - pt) ** gamma) * np.log(pt + 1e-12)
    return loss.mean(), (p.argmax(axis=1) == labels).mean()


def mixture_experts(x, gate, w1, w2):
    g = x @ gate
    g = np.exp(g - g.max(axis=1, keepdims=True))
    g = g / g.sum(axis=1, keepdims=True)
    out = np.zeros((x.shape[0], w2.shape[2]))
    for e in range(gate.shape[1]):
        out = out + g[:, e:e + 1] * (np.maximum(x @ w1[e], 0) @ w2[e])
    return out


def bagged_stumps(x, feature, threshold, left, right):
    score = np.zeros(x.shape[0])
    for t in range(feature.shape[0]):
        score = score + np.where(x[:, feature[t]] < threshold[t], left[t], right[t])
    return 1 / (1 + np.exp(-score))


def calinski(x, labels, k):
    centre = x.mean(axis=0)
    between, within = 0.0, 0.0
    for c in range(k):
        mask = labels == c
        n = mask.sum()
        m = (x * mask[:, None]).sum(axis=0) / n
        between = between + n * ((m - centre) ** 2).sum()
        within = within + (((x - m) ** 2).sum(axis=1) * mask).sum()
    return between * (x.shape[0] - k) / (within * (k - 1))


def mutual_information(a, b, bins):
    ia = np.minimum((a * bins).astype(np.int64), bins - 1)
    ib = np.minimum((b * bins).astype(np.int64), bins - 1)
    joint = np.bincount(ia * bins + ib, minlength=bins * bins).reshape(bins, bins) / a.shape[0]
    pa, pb = joint.sum(axis=1), joint.sum(axis=0)
    return (joint * np.log((joint + 1e-12) / (pa[:, None] * pb[None, :] + 1e-12))).sum()


def permutation_entropy(x):
    a, b, c = x[:-2], x[1:-1], x[2:]
    code = (a < b) * 4 + (b < c) * 2 + (a < c) * 1
    p = np.bincount(code, minlength=8) / code.shape[0]
    return -(p * np.log(p + 1e-300)).sum()


def detrended_fluctuation(x, sizes):
    y = np.cumsum(x - x.mean())
    out = []
    for n in sizes:
        m = y.shape[0] // n
        seg = y[:m * n].reshape(m, n)
        t = np.arange(n) - (n - 1) / 2
        slope = (seg * t).sum(axis=1) / (t * t).sum()
        trend = seg.mean(axis=1)[:, None] + slope[:, None] * t
        out.append(np.sqrt(((seg - trend) ** 2).mean()))
    return np.array(out)


def kaplan_meier(time, event, grid):
    order = np.argsort(time, kind="stable")
    t, e = time[order], event[order]
    risk = t.shape[0] - np.arange(t.shape[0])
    surv = np.cumprod(1 - e / risk)
    at = np.searchsorted(t, grid, side="right")
    return np.where(at > 0, surv[np.maximum(at - 1, 0)], 1.0)


def portfolio_paths(chol, mu, z, w):
    paths = z @ chol.T + mu
    growth = np.cumprod(1 + paths @ w, axis=1)
    peak = np.maximum.accumulate(growth, axis=1)
    dd = ((peak - growth) / peak).max(axis=1)
    return growth[:, -1].mean(), np.quantile(dd, 0.95)


def life_table(q):
    l = np.concatenate((np.ones((q.shape[0], 1)), np.cumprod(1 - q, axis=1)), axis=1)
    years = 0.5 * (l[:, 1:] + l[:, :-1])
    return np.cumsum(years[:, ::-1], axis=1)[:, ::-1] / l[:, :-1]


def wright_fisher(p, s, u, steps):
    for k in range(steps):
        mean = p * (1 + s) / (p * (1 + s) + (1 - p))
        mean = mean * (1 - u) + (1 - mean) * u
        wave = np.sin(12.9898 * (k + 1) + 78.233 * np.arange(p.shape[0])) * 43758.5453
        noise = wave - np.floor(wave) - 0.5
        p = np.clip(mean + noise * np.sqrt(mean * (1 - mean) / 500), 0, 1)
    return p.mean(), (p == 0).sum(), (p == 1).sum()


def codon_usage(seq):
    n = seq.shape[0] // 3
    c = seq[:3 * n].reshape(n, 3)
    code = c[:, 0] * 16 + c[:, 1] * 4 + c[:, 2]
    counts = np.bincount(code, minlength=64)
    return counts / counts.sum(), (c[:, 2] > 1).mean()


def nussinov_score(seq_a, seq_b, gap):
    n, m = seq_a.shape[0], seq_b.shape[0]
    prev = gap * np.arange(m + 1)
    for i in range(n):
        match = prev[:-1] + np.where(seq_a[i] == seq_b, 2.0, -1.0)
        best = np.maximum(match, prev[1:] + gap)
        row = np.concatenate((np.ones(1) * gap * (i + 1), best))
        prev = np.maximum.accumulate(row - gap * np.arange(m + 1)) + gap * np.arange(m + 1)
    return prev[-1]


def kohonen(grid, data, steps):
    gy, gx = np.meshgrid(np.arange(32), np.arange(32), indexing="ij")
    gy, gx = gy.ravel(), gx.ravel()
    for t in range(steps):
        x = data[t]
        win = ((grid - x) ** 2).sum(axis=1).argmin()
        d2 = (gy - gy[win]) ** 2 + (gx - gx[win]) ** 2
        h = 0.3 * np.exp(-d2 / (2 * 9.0))
        grid = grid + h[:, None] * (x - grid)
    return grid


def simulated_ferromagnet(theta, j, steps):
    for _ in range(steps):
        down, up = np.roll(theta, 1, 0), np.roll(theta, -1, 0)
        right, left = np.roll(theta, 1, 1), np.roll(theta, -1, 1)
        field = np.sin(down - theta) + np.sin(up - theta) + np.sin(right - theta) + np.sin(left - theta)
        theta = theta + 0.05 * j * field
    return np.abs(np.exp(1j * theta).mean())


def ewald_real(pos, charge, alpha):
    d = pos[:, None, :] - pos[None, :, :]
    r = np.sqrt((d * d).sum(axis=2) + np.eye(pos.shape[0]))
    erfc = np.exp(-(alpha * r) ** 2) / (1 + 0.3275911 * alpha * r)
    e = charge[:, None] * charge[None, :] * erfc / r
    return (e.sum() - np.trace(e)) / 2


def hartree_steps(h, eri_a, n_occ, iters):
    d = np.zeros_like(h)
    for _ in range(iters):
        f = h + np.einsum("pqrs,rs->pq", eri_a, d) - 0.5 * np.einsum("prqs,rs->pq", eri_a, d)
        _, c = np.linalg.eigh(f)
        d = 2 * c[:, :n_occ] @ c[:, :n_occ].T
    return (d * (h + f)).sum() / 2


def power_flow(g, b, p, theta, iters):
    for _ in range(iters):
        d = theta[:, None] - theta[None, :]
        calc = (g * np.cos(d) + b * np.sin(d)).sum(axis=1)
        theta = theta + 0.01 * (p - calc)
    return theta


def csr_by_rows(cols, vals, x):
    y = (vals * x[cols]).sum(axis=1)
    for _ in range(10):
        y = y / np.sqrt((y * y).sum())
        y = (vals * y[cols]).sum(axis=1)
    return y


def cooccurrence(img, levels):
    q = np.minimum((img * levels).astype(np.int64), levels - 1)
    out = np.zeros((4, levels, levels))
    for k, (dy, dx) in enumerate(((0, 1), (1, 0), (1, 1), (2, 0))):
        a = q[:q.shape[0] - dy, :q.shape[1] - dx]
        b = q[dy:, dx:]
        out[k] = np.bincount((a * levels + b).ravel(), minlength=levels * levels).reshape(levels, levels)
    return out / out.sum(axis=(1, 2), keepdims=True)


def radon(img, angles):
    n = img.shape[0]
    c = (n - 1) / 2
    y, x = np.meshgrid(np.arange(n) - c, np.arange(n) - c, indexing="ij")
    out = np.zeros((len(angles), n))
    for k, a in enumerate(angles):
        xs = np.cos(a) * x - np.sin(a) * y + c
        ys = np.sin(a) * x + np.cos(a) * y + c
        ok = (xs >= 0) & (xs < n - 1) & (ys >= 0) & (ys < n - 1)
        xi, yi = np.where(ok, xs, 0).astype(np.int64), np.where(ok, ys, 0).astype(np.int64)
        fx, fy = xs - xi, ys - yi
        v = img[yi, xi] * (1 - fx) * (1 - fy) + img[yi, xi + 1] * fx * (1 - fy) + img[yi + 1, xi] * (1 - fx) * fy + img[yi + 1, xi + 1] * fx * fy
        out[k] = np.where(ok, v, 0).sum(axis=0)
    return out


def adjacency(r, n):
    a = r.random((n, n))
    return (a + a.T) / 2


PROGRAMS = {  # name: (function, its arguments from a generator, positions of what is known when compiling)
    "structure_factor": (structure_factor, lambda r: (f8(r, 4000, 3), 10 * f8(r, 2000, 3)), ()),
    "radial_distribution": (radial_distribution, lambda r: (10 * f8(r, 2000, 3), 10.0, 200), (1, 2)),
    "verlet_chain": (verlet_chain, lambda r: (np.cumsum(f8(r, 100_000)), f8(r, 100_000), 1.0, 0.01, 200), (4,)),
    "solar_system": (solar_system, lambda r: (f8(r, 200, 3), f8(r, 200, 3), f8(r, 200), 0.001, 100), (4,)),
    "hodgkin_huxley": (hodgkin_huxley, lambda r: (-65 + f8(r, 100_000), 10 * f8(r, 100_000), 0.01, 200), (3,)),
    "predator_grid": (predator_grid, lambda r: (f8(r, 1024, 1024), f8(r, 1024, 1024), 0.1, 50), (3,)),
    "heat_implicit_sides": (heat_implicit_sides, lambda r: (f8(r, 1024, 1024), 0.2, 100), (2,)),
    "ladder_circuit": (ladder_circuit, lambda r: (f8(r, 5000), 1.0, 1.0, 0.1, 300), (4,)),
    "michaelis_fit": (michaelis_fit, lambda r: (f8(r, 1_000_000) + 0.1, f8(r, 1_000_000), 1.0, 0.5, 20), (4,)),
    "triangle_areas": (triangle_areas, lambda r: (f8(r, 500_000, 3), r.integers(0, 500_000, (1_000_000, 3))), ()),
    "vertex_normals": (vertex_normals, lambda r: (f8(r, 200_000, 3), r.integers(0, 200_000, (400_000, 3))), ()),
    "point_in_polygon": (point_in_polygon, lambda r: (f8(r, 1_000_000), f8(r, 1_000_000), f8(r, 100), f8(r, 100)), ()),
    "hamming_decode": (hamming_decode, lambda r: (r.integers(0, 2, (1_000_000, 7)), r.integers(0, 2, (3, 7))), ()),
    "gray_codes": (gray_codes, lambda r: (r.integers(0, 1 << 30, 4_000_000),), ()),
    "pid_bank": (pid_bank, lambda r: (1.0, 10 * f8(r, 200_000), f8(r, 200_000), f8(r, 200_000), 300, 0.01), (4,)),
    "riccati": (riccati, lambda r: (f8(r, 64, 64) / 40, f8(r, 64, 8), np.eye(64), np.eye(8), 50), (4,)),
    "queue_lindley": (queue_lindley, lambda r: (f8(r, 50_000, 200), f8(r, 50_000, 200)), ()),
    "goertzel": (goertzel, lambda r: (f8(r, 2000), f8(r, 20_000) / 2), ()),
    "matched_filter": (matched_filter, lambda r: (f8(r, 500, 8192), f8(r, 512)), ()),
    "decimate": (decimate, lambda r: (f8(r, 8_000_000), f8(r, 64), 4), (2,)),
    "letter_pairs": (letter_pairs, lambda r: (r.integers(0, 26, 5_000_000).astype(np.uint8),), ()),
    "caesar_break": (caesar_break, lambda r: (r.integers(0, 26, 1_000_000), f8(r, 26) + 0.1), ()),
    "flow_accumulation": (flow_accumulation, lambda r: (f8(r, 1024, 1024), 20), (1,)),
    "viewshed": (viewshed, lambda r: (f8(r, 2000, 4000),), ()),
    "slope_aspect": (slope_aspect, lambda r: (f8(r, 2048, 2048), 30.0), ()),
    "local_binary": (local_binary, lambda r: (r.integers(0, 256, (2048, 2048)).astype(np.uint8),), ()),
    "guided_filter": (guided_filter, lambda r: (f8(r, 2048, 2048), f8(r, 2048, 2048), 8, 0.01), (2,)),
    "dither_ordered": (dither_ordered, lambda r: (f8(r, 4096, 4096), f8(r, 8, 8)), ()),
    "cielab": (cielab, lambda r: (f8(r, 1024, 1024, 3),), ()),
    "focal_loss": (focal_loss, lambda r: (f8(r, 100_000, 100), r.integers(0, 100, 100_000), 2.0), ()),
    "mixture_experts": (mixture_experts, lambda r: (f8(r, 8192, 256), f8(r, 256, 8), f8(r, 8, 256, 256), f8(r, 8, 256, 128)), ()),
    "bagged_stumps": (bagged_stumps, lambda r: (f8(r, 200_000, 32), r.integers(0, 32, 200), f8(r, 200), f8(r, 200), f8(r, 200)), ()),
    "calinski": (calinski, lambda r: (f8(r, 200_000, 16), r.integers(0, 10, 200_000), 10), (2,)),
    "mutual_information": (mutual_information, lambda r: (f8(r, 4_000_000), f8(r, 4_000_000), 64), (2,)),
    "permutation_entropy": (permutation_entropy, lambda r: (f8(r, 8_000_000),), ()),
    "detrended_fluctuation": (detrended_fluctuation, lambda r: (f8(r, 4_000_000), (16, 64, 256, 1024)), (1,)),
    "kaplan_meier": (kaplan_meier, lambda r: (f8(r, 1_000_000), r.integers(0, 2, 1_000_000), np.linspace(0, 1, 1000)), ()),
    "portfolio_paths": (portfolio_paths, lambda r: (f8(r, 20, 20) / 50, f8(r, 20) / 1000, r.standard_normal((4000, 250, 20)), f8(r, 20) / 20), ()),
    "life_table": (life_table, lambda r: (f8(r, 100_000, 100) / 20,), ()),
    "wright_fisher": (wright_fisher, lambda r: (f8(r, 200_000), 0.01, 1e-4, 200), (3,)),
    "codon_usage": (codon_usage, lambda r: (r.integers(0, 4, 9_000_000),), ()),
    "nussinov_score": (nussinov_score, lambda r: (r.integers(0, 4, 1000), r.integers(0, 4, 2000), -1.0), ()),
    "kohonen": (kohonen, lambda r: (f8(r, 1024, 16), f8(r, 300, 16), 300), (2,)),
    "simulated_ferromagnet": (simulated_ferromagnet, lambda r: (6 * f8(r, 1024, 1024), 1.0, 30), (2,)),
    "ewald_real": (ewald_real, lambda r: (f8(r, 3000, 3), f8(r, 3000), 2.0), ()),
    "hartree_steps": (hartree_steps, lambda r: (adjacency(r, 32), f8(r, 32, 32, 32, 32) / 100, 8, 10), (2, 3)),
    "power_flow": (power_flow, lambda r: (adjacency(r, 500), adjacency(r, 500), f8(r, 500), f8(r, 500), 100), (4,)),
    "csr_by_rows": (csr_by_rows, lambda r: (r.integers(0, 200_000, (200_000, 8)), f8(r, 200_000, 8), f8(r, 200_000)), ()),
    "cooccurrence": (cooccurrence, lambda r: (f8(r, 1024, 1024), 16), (1,)),
    "radon": (radon, lambda r: (f8(r, 256, 256), np.linspace(0, 3, 90)), ()),
}
