"""A seventh set of array programs: spectral solvers, samplers, swarms, embeddings, images in blocks, order books, lattices, bands, trackers,
genotypes, tensors, sparse recovery. Written before anybody looked at what npcc makes of them, each one function of NumPy that CuPy runs unchanged
and, where it stores nothing into slices, JAX compiles.
"""
import math

import numpy as np
from random_arrays import f4, f8, normal


def swift_hohenberg(u, r, dt, steps):
    n = u.shape[0]
    k = 2 * np.pi * np.fft.fftfreq(n, 0.5)
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    factor = 1 / (1 - dt * (r - (1 - k2) ** 2))
    for _ in range(steps):
        u = np.fft.ifft2(factor * np.fft.fft2(u - dt * u ** 3)).real
    return u


def korteweg_de_vries(u, dt, steps):
    n = u.shape[0]
    k = 2 * np.pi * np.fft.fftfreq(n, 20.0 / n)
    half = np.exp(1j * k ** 3 * dt / 2)

    def slope(v):
        w = np.fft.ifft(v).real
        return -3j * k * np.fft.fft(w * w)

    v = np.fft.fft(u)
    for _ in range(steps):
        a = dt * slope(v)
        b = dt * slope(half * (v + a / 2))
        c = dt * slope(half * v + b / 2)
        d = dt * slope(half * half * v + half * c)
        v = half * half * v + (half * half * a + 2 * half * (b + c) + d) / 6
    return np.fft.ifft(v).real


def robertson_batch(k1, k2, k3, dt, steps):
    y = [np.ones_like(k1), np.zeros_like(k1), np.zeros_like(k1)]

    def rates(y):
        a, b, c = k1 * y[0], k2 * y[1] * y[1], k3 * y[1] * y[2]
        return [c - a, a - c - b, b]

    for _ in range(steps):
        s1 = rates(y)
        s2 = rates([p + 0.5 * dt * q for p, q in zip(y, s1)])
        s3 = rates([p + 0.5 * dt * q for p, q in zip(y, s2)])
        s4 = rates([p + dt * q for p, q in zip(y, s3)])
        y = [p + dt / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(y, s1, s2, s3, s4)]
    return np.stack(y)


def particle_swarm(x, v, r1, r2, w, c1, c2):
    def cost(x):
        return (100 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1 - x[:, :-1]) ** 2).sum(axis=1)

    best, value = x, cost(x)
    for t in range(r1.shape[0]):
        leader = best[np.argmin(value)]
        v = w * v + c1 * r1[t][:, None] * (best - x) + c2 * r2[t][:, None] * (leader - x)
        x = x + v
        now = cost(x)
        better = now < value
        best = np.where(better[:, None], x, best)
        value = np.where(better, now, value)
    return best[np.argmin(value)], value.min()


def differential_evolution(x, a, b, c, cross, scale, rate):
    def cost(x):
        return 10 * x.shape[1] + (x * x - 10 * np.cos(2 * np.pi * x)).sum(axis=1)

    value = cost(x)
    for t in range(a.shape[0]):
        trial = np.where(cross[t] < rate, x[a[t]] + scale * (x[b[t]] - x[c[t]]), x)
        now = cost(trial)
        keep = now < value
        x = np.where(keep[:, None], trial, x)
        value = np.where(keep, now, value)
    return value.min(), x.mean(axis=0)


def annealed_chains(x, noise, uniform, start, decay):
    energy = np.sum(x ** 4 - 16 * x ** 2 + 5 * x, axis=1)
    temperature = start
    for t in range(noise.shape[0]):
        y = x + noise[t]
        now = np.sum(y ** 4 - 16 * y ** 2 + 5 * y, axis=1)
        accept = uniform[t] < np.exp(np.minimum(0, (energy - now) / temperature))
        x = np.where(accept[:, None], y, x)
        energy = np.where(accept, now, energy)
        temperature = temperature * decay
    return x, energy.min()


def hamiltonian_sampler(q, precision, momenta, uniform, step, leaps):
    taken = 0
    for t in range(momenta.shape[0]):
        p, x = momenta[t], q
        before = 0.5 * np.sum(p * p, axis=1) + 0.5 * np.sum((x @ precision) * x, axis=1)
        p = p - 0.5 * step * (x @ precision)
        for _ in range(leaps):
            x = x + step * p
            p = p - step * (x @ precision)
        p = p + 0.5 * step * (x @ precision)
        after = 0.5 * np.sum(p * p, axis=1) + 0.5 * np.sum((x @ precision) * x, axis=1)
        accept = uniform[t] < np.exp(before - after)
        q = np.where(accept[:, None], x, q)
        taken = taken + accept.sum()
    return q.mean(axis=0), taken


def gibbs_bivariate(z1, z2, rho):
    spread = np.sqrt(1 - rho * rho)
    x = np.zeros(z1.shape[1])
    y = np.zeros(z1.shape[1])
    sx, sxy = np.zeros(z1.shape[1]), np.zeros(z1.shape[1])
    for t in range(z1.shape[0]):
        x = rho * y + spread * z1[t]
        y = rho * x + spread * z2[t]
        sx = sx + x
        sxy = sxy + x * y
    return sx / z1.shape[0], sxy / z1.shape[0]


def kernel_pca(x, gamma, rounds):
    sq = (x * x).sum(axis=1)
    k = np.exp(-gamma * (sq[:, None] + sq[None, :] - 2 * x @ x.T))
    k = k - k.mean(axis=0) - k.mean(axis=1)[:, None] + k.mean()
    v = np.ones(x.shape[0]) + np.arange(x.shape[0]) % 3
    for _ in range(rounds):
        v = k @ v
        v = v / np.sqrt((v * v).sum())
    return np.abs(v) * np.sqrt(v @ (k @ v))


def tsne_gradient(p, y, rate, steps):
    n = y.shape[0]
    for _ in range(steps):
        d = ((y[:, None, :] - y[None, :, :]) ** 2).sum(axis=2)
        w = 1 / (1 + d)
        w = w * (1 - np.eye(n))
        q = np.maximum(w / w.sum(), 1e-12)
        f = (p - q) * w
        y = y - rate * 4 * (f.sum(axis=1)[:, None] * y - f @ y)
        y = y - y.mean(axis=0)
    return np.abs(y)


def label_spreading(x, y, sigma, alpha, rounds):
    d = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=-1)
    w = np.exp(-d / (2 * sigma ** 2)) - np.eye(x.shape[0])
    scale = 1 / np.sqrt(w.sum(axis=1))
    s = scale[:, None] * w * scale[None, :]
    f = y
    for _ in range(rounds):
        f = alpha * (s @ f) + (1 - alpha) * y
    return f.argmax(axis=1)


def skip_gram(centre, context, inputs, outputs, rate):
    h = centre[inputs]
    targets = context[outputs]
    score = 1 / (1 + np.exp(-np.einsum("bd,bkd->bk", h, targets)))
    truth = np.zeros_like(score)
    truth[:, 0] = 1.0
    error = rate * (score - truth)
    step = np.einsum("bk,bkd->bd", error, targets)
    new_context, new_centre = context.copy(), centre.copy()
    np.subtract.at(new_context, outputs, error[:, :, None] * h[:, None, :])
    np.subtract.at(new_centre, inputs, step)
    return new_centre, new_context


def text_cnn(tokens, embedding, kernels, bias, weights):
    x = embedding[tokens]
    features = []
    for kernel, b in zip(kernels, bias):
        width = kernel.shape[0]
        n = x.shape[1] - width + 1
        h = sum(x[:, i:i + n] @ kernel[i] for i in range(width)) + b
        features.append(np.maximum(h, 0).max(axis=1))
    return np.concatenate(features, axis=1) @ weights


def residual_tower(x, weights, scale, shift):
    for w, g, b in zip(weights, scale, shift):
        h = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + 1e-5) * g + b
        h = h @ w
        h = 0.5 * h * (1 + np.tanh(0.79788456 * (h + 0.044715 * h ** 3)))
        x = x + h
    return x


def conv_block(x, w1, w2):
    def conv(x, w):
        h, k = x.shape[1], w.shape[0]
        p = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        out = 0.0
        for i in range(k):
            for j in range(k):
                out = out + p[:, i:i + h, j:j + h] @ w[i, j]
        return out

    y = np.maximum(conv(x, w1), 0)
    y = conv(y, w2)
    return np.maximum(x + y, 0).mean(axis=(1, 2))


def option_greeks(s, k, t, r, sigma):
    root = np.sqrt(t)
    d1 = (np.log(s / k) + (r + 0.5 * sigma * sigma) * t) / (sigma * root)
    d2 = d1 - sigma * root

    def cdf(x):
        a = np.abs(x)
        y = 1 / (1 + 0.2316419 * a)
        poly = y * (0.319381530 + y * (-0.356563782 + y * (1.781477937 + y * (-1.821255978 + y * 1.330274429))))
        tail = np.exp(-0.5 * a * a) * 0.3989422804014327 * poly
        return np.where(x > 0, 1 - tail, tail)

    pdf = np.exp(-0.5 * d1 * d1) / math.sqrt(2 * math.pi)
    price = s * cdf(d1) - k * np.exp(-r * t) * cdf(d2)
    return price, cdf(d1), pdf / (s * sigma * root), s * pdf * root


def vasicek_bonds(z, r0, a, b, sigma, dt):
    r = np.full(z.shape[1], r0)
    area = np.zeros(z.shape[1])
    for t in range(z.shape[0]):
        area += 0.5 * dt * r
        r = r + a * (b - r) * dt + sigma * math.sqrt(dt) * z[t]
        area += 0.5 * dt * r
    price = np.exp(-area)
    return price.mean(), price.std()


def order_imbalance(bid, ask, bid_size, ask_size, window):
    up, down = bid[1:] > bid[:-1], ask[1:] < ask[:-1]
    buy = np.where(bid[1:] >= bid[:-1], bid_size[1:], 0.0) - np.where(~up, bid_size[:-1], 0.0)
    sell = np.where(ask[1:] <= ask[:-1], ask_size[1:], 0.0) - np.where(~down, ask_size[:-1], 0.0)
    flow = np.cumsum(buy - sell)
    rolled = flow[window:] - flow[:-window]
    mid = 0.5 * (bid + ask)
    change = mid[1 + window:] - mid[1:-window]
    beta = ((rolled - rolled.mean()) * (change - change.mean())).sum() / ((rolled - rolled.mean()) ** 2).sum()
    return beta, np.corrcoef(rolled, change)[0, 1]


def bars(price, volume, size):
    n = price.shape[0] // size * size
    p, v = price[:n].reshape(-1, size), volume[:n].reshape(-1, size)
    vwap = (p * v).sum(axis=1) / v.sum(axis=1)
    spread = p.max(axis=1) - p.min(axis=1)
    moves = np.log(p[1:, -1] / p[:-1, -1])
    return vwap, spread, (p[:, -1] - p[:, 0]) / np.maximum(spread, 1e-9), moves.std()


def running_extremes(x):
    high = np.maximum.accumulate(x, axis=1)
    low = np.minimum.accumulate(x[:, ::-1], axis=1)[:, ::-1]
    fall = (high - x) / high
    rise = (x - low) / low
    return fall.max(axis=1), rise.max(axis=1), fall.argmax(axis=1)


def histogram_match(source, reference):
    n = 256
    a = np.bincount(source.ravel(), minlength=n)
    b = np.bincount(reference.ravel(), minlength=n)
    ca, cb = np.cumsum(a) / source.size, np.cumsum(b) / reference.size
    table = np.interp(ca, cb, np.arange(n))
    return table[source]


def median_background(frames, threshold):
    background = np.median(frames, axis=0)
    difference = np.abs(frames - background)
    mad = np.median(difference, axis=0)
    mask = difference > threshold * (1.4826 * mad + 1e-6)
    return mask.sum(axis=(1, 2)), background


def richardson_lucy(image, kernel, rounds):
    transfer = np.fft.rfft2(kernel)
    estimate = np.full_like(image, 0.5)
    for _ in range(rounds):
        blurred = np.fft.irfft2(np.fft.rfft2(estimate) * transfer, image.shape)
        ratio = image / np.maximum(blurred, 1e-6)
        estimate = estimate * np.fft.irfft2(np.fft.rfft2(ratio) * np.conj(transfer), image.shape)
    return estimate


def canny(image, low, high, rounds):
    gx = image[1:-1, 2:] - image[1:-1, :-2]
    gy = image[2:, 1:-1] - image[:-2, 1:-1]
    m = np.hypot(gx, gy)
    flat = np.abs(gx) > np.abs(gy)
    p = np.pad(m, 1)
    side = np.where(flat, np.maximum(p[1:-1, 2:], p[1:-1, :-2]), np.maximum(p[2:, 1:-1], p[:-2, 1:-1]))
    thin = np.where(m >= side, m, 0)
    edge, weak = thin > high, thin > low
    for _ in range(rounds):
        q = np.pad(edge, 1)
        near = q[1:-1, 1:-1]
        for dy in (0, 1, 2):
            for dx in (0, 1, 2):
                near = near | q[dy:dy + edge.shape[0], dx:dx + edge.shape[1]]
        edge = near & weak
    return edge


def jpeg_blocks(image, quality):
    k = np.arange(8)
    c = np.cos(np.pi * (2 * k[None, :] + 1) * k[:, None] / 16) * np.where(k == 0, np.sqrt(1 / 8), 0.5)[:, None]
    h, w = image.shape
    blocks = image.reshape(h // 8, 8, w // 8, 8).transpose(0, 2, 1, 3) - 128.0
    table = quality * (1 + k[:, None] + k[None, :])
    coefficients = np.round(c @ blocks @ c.T / table)
    back = c.T @ (coefficients * table) @ c + 128.0
    out = np.clip(back.transpose(0, 2, 1, 3).reshape(h, w), 0, 255)
    return out, (coefficients != 0).sum()


def limb_darkening(absorption, source, dz):
    mid = 0.5 * (absorption[1:] + absorption[:-1]) * dz
    tau = np.concatenate((np.zeros_like(mid[:1]), np.cumsum(mid, axis=0)))
    weight = np.exp(-tau)
    return ((weight[1:] * source[1:] + weight[:-1] * source[:-1]) * 0.5 * (tau[1:] - tau[:-1])).sum(axis=0)


def photon_walk(x, mu, weight, lengths, cosines, albedo):
    escaped = np.zeros_like(x)
    for t in range(lengths.shape[0]):
        x = x + mu * lengths[t]
        out = (x < 0) | (x > 10)
        escaped = escaped + np.where(out, weight, 0.0)
        weight = np.where(out, 0.0, weight * albedo)
        mu = cosines[t]
    return escaped.sum(), weight.sum()


def dissipative_particles(x, v, box, dt, steps):
    n = x.shape[0]
    for _ in range(steps):
        d = x[:, None, :] - x[None, :, :]
        d = d - box * np.round(d / box)
        r = np.sqrt((d * d).sum(axis=2) + np.eye(n))
        w = np.maximum(1 - r, 0) * (1 - np.eye(n))
        e = d / r[:, :, None]
        approach = np.einsum("ijk,ijk->ij", e, v[:, None, :] - v[None, :, :])
        f = ((25 * w - 4.5 * w * w * approach)[:, :, None] * e).sum(axis=1)
        v = v + dt * f
        x = (x + dt * v) % box
    return x, 0.5 * (v * v).sum()


def phonon_bands(k, springs, masses):
    phase = np.exp(1j * k)[:, None, None]
    hop = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    wrap = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    link = springs[0] * hop + springs[1] * wrap * phase
    d = (springs[0] + springs[1]) * np.eye(3) - link - np.conj(link.transpose(0, 2, 1))
    root = 1 / np.sqrt(masses)
    w2 = np.linalg.eigvalsh(d * root[:, None] * root[None, :])
    return np.sqrt(np.maximum(w2, 0))


def anderson_states(disorder, hop, edges):
    n = disorder.shape[1]
    line = np.arange(n)
    ring = (np.abs(line[:, None] - line[None, :]) % (n - 2) == 1) * hop
    h = disorder[:, :, None] * np.eye(n) - ring
    e, v = np.linalg.eigh(h)
    participation = 1 / (v ** 4).sum(axis=1)
    counts, _ = np.histogram(e, edges)
    return counts, participation.mean(axis=0)


def matrix_product_norm(tensors):
    n, d = tensors.shape[0], tensors.shape[2]
    e = np.eye(d)
    scale = 0.0
    for i in range(n):
        t = tensors[i]
        e = np.einsum("ab,sac,sbd->cd", e, t, t)
        size = np.sqrt((e * e).sum())
        e = e / size
        scale = scale + np.log(size)
    return scale + np.log(np.trace(e))


def trotter_ising(state, angle, field, steps):
    n = int(math.log2(state.shape[0]))
    basis = np.arange(state.shape[0])
    bits = 1 - 2 * ((basis[:, None] >> np.arange(n)) & 1)
    bond = (bits * np.roll(bits, 1, axis=1)).sum(axis=1)
    phase = np.exp(-1j * angle * bond)
    c, s = math.cos(field), math.sin(field)
    for _ in range(steps):
        state = state * phase
        for q in range(n):
            t = state.reshape(-1, 2, 1 << q)
            a, b = t[:, 0], t[:, 1]
            state = np.stack((c * a - 1j * s * b, c * b - 1j * s * a), axis=1).reshape(-1)
    return (np.abs(state) ** 2 * bits.sum(axis=1)).sum() / n


def trackers(x, p, f, h, q, r, z):
    n = x.shape[1]
    for t in range(z.shape[0]):
        x = x @ f.T
        p = f @ p @ f.T + q
        s = h @ p @ h.T + r
        k = p @ h.T @ np.linalg.inv(s)
        y = z[t] - x @ h.T
        x = x + (k @ y[:, :, None])[:, :, 0]
        p = (np.eye(n) - k @ h) @ p
    return x, p


def closest_points(source, target, rounds):
    for _ in range(rounds):
        d = (source * source).sum(axis=1)[:, None] - 2 * source @ target.T + (target * target).sum(axis=1)
        match = target[d.argmin(axis=1)]
        a, b = source.mean(axis=0), match.mean(axis=0)
        u, _, vt = np.linalg.svd((source - a).T @ (match - b))
        turn = u @ vt
        source = (source - a) @ turn + b
    return source, np.sqrt(d.min(axis=1).mean())


def bundle_normals(cameras, points, seen_camera, seen_point, observed):
    c, p = cameras[seen_camera], points[seen_point]
    angle = np.sqrt((c[:, :3] ** 2).sum(axis=1, keepdims=True) + 1e-12)
    axis = c[:, :3] / angle
    cosine, sine = np.cos(angle), np.sin(angle)
    dot = (axis * p).sum(axis=1, keepdims=True)
    turned = p * cosine + np.cross(axis, p) * sine + axis * dot * (1 - cosine) + c[:, 3:6]
    flat = -turned[:, :2] / turned[:, 2:]
    r2 = (flat * flat).sum(axis=1, keepdims=True)
    residual = c[:, 6:7] * (1 + r2 * (c[:, 7:8] + r2 * c[:, 8:9])) * flat - observed
    cost = 0.5 * (residual * residual).sum()
    per_camera = np.bincount(seen_camera, (residual * residual).sum(axis=1), cameras.shape[0])
    return cost, per_camera


def slerp(a, b, t):
    dot = (a * b).sum(axis=-1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    dot = np.minimum(np.abs(dot), 1.0)
    theta = np.arccos(dot)
    sine = np.sin(theta)
    close = sine < 1e-6
    safe = np.where(close, 1.0, sine)
    wa = np.where(close, 1 - t, np.sin((1 - t) * theta) / safe)
    wb = np.where(close, t, np.sin(t * theta) / safe)
    q = wa * a + wb * b
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def linkage_disequilibrium(genotypes):
    g = genotypes.astype(np.float32)
    p = g.mean(axis=0) / 2
    z = (g - 2 * p) / np.sqrt(2 * p * (1 - p) + 1e-6)
    r = z.T @ z / g.shape[0]
    r2 = r * r
    n = g.shape[1]
    at = np.arange(n)
    far = np.abs(at[:, None] - at[None, :])
    return r2.sum(axis=1) - 1, np.where((far > 0) & (far <= 50), r2, 0).sum() / (far <= 50).sum()


def log_rank(time, event, group):
    order = np.argsort(time, kind="stable")
    e, g = event[order].astype(np.float64), group[order].astype(np.float64)
    n = time.shape[0]
    risk = n - np.arange(n)
    risk1 = g[::-1].cumsum()[::-1]
    expected = e * risk1 / risk
    variance = e * risk1 * (risk - risk1) / risk ** 2
    observed = (e * g).sum()
    return (observed - expected.sum()) ** 2 / variance.sum()


def spline_table(knots, coefficients, x):
    at = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, knots.shape[0] - 2)
    d = x - knots[at]
    c = coefficients[:, at]
    return c[0] + d * (c[1] + d * (c[2] + d * c[3]))


def beamformer(signals, delays, weights):
    n = signals.shape[1] - 256
    out = np.zeros((delays.shape[0], n), signals.dtype)
    for b in range(delays.shape[0]):
        for m in range(signals.shape[0]):
            start = delays[b, m]
            out[b] += weights[m] * signals[m, start:start + n]
    return (out * out).mean(axis=1)


def iterative_threshold(a, y, rate, penalty, rounds):
    x = np.zeros(a.shape[1])
    z, t = x, 1.0
    for _ in range(rounds):
        g = z - rate * (a.T @ (a @ z - y))
        new = np.sign(g) * np.maximum(np.abs(g) - rate * penalty, 0)
        following = 0.5 * (1 + math.sqrt(1 + 4 * t * t))
        z = new + (t - 1) / following * (new - x)
        x, t = new, following
    return x, np.count_nonzero(x)


def alternating_directions(a, b, rho, penalty, rounds):
    n = a.shape[1]
    inverse = np.linalg.inv(a.T @ a + rho * np.eye(n))
    start = a.T @ b
    z, u = np.zeros(n), np.zeros(n)
    for _ in range(rounds):
        x = inverse @ (start + rho * (z - u))
        z = np.sign(x + u) * np.maximum(np.abs(x + u) - penalty / rho, 0)
        u = u + x - z
    return z


def life_in_space(cells, steps):
    for _ in range(steps):
        total = np.zeros(cells.shape, np.int8)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for dz in (-1, 0, 1):
                    if dx or dy or dz:
                        total = total + np.roll(cells, (dx, dy, dz), (0, 1, 2))
        cells = np.where(cells == 1, (total == 4) | (total == 5), total == 5).astype(np.int8)
    return cells


def wireworld(grid, steps):
    for _ in range(steps):
        head = (grid == 1).astype(np.int64)
        p = np.pad(head, 1)
        count = sum(p[1 + dy:p.shape[0] - 1 + dy, 1 + dx:p.shape[1] - 1 + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - head
        grid = np.select([grid == 1, grid == 2, (grid == 3) & ((count == 1) | (count == 2))], [2, 3, 1], grid)
    return grid


def discrete_hartley(x):
    y = np.fft.fft(x, axis=1)
    h = y.real - y.imag
    power = (h * h + h[:, ::-1] ** 2) / 2
    return power / power.sum(axis=1, keepdims=True)


def dose_response(dose, response, parameters, rounds):
    bottom, top, ec50, hill = (parameters[:, i] for i in range(4))
    for _ in range(rounds):
        ratio = (dose[None, :] / ec50[:, None]) ** hill[:, None]
        shape = ratio / (1 + ratio)
        fit = bottom[:, None] + (top - bottom)[:, None] * shape
        error = response - fit
        g_top = (error * shape).sum(axis=1)
        g_bottom = (error * (1 - shape)).sum(axis=1)
        slope = (top - bottom)[:, None] * shape * (1 - shape)
        g_hill = (error * slope * np.log(dose[None, :] / ec50[:, None])).sum(axis=1)
        g_ec50 = (error * -slope * hill[:, None] / ec50[:, None]).sum(axis=1)
        top, bottom = top + 0.01 * g_top, bottom + 0.01 * g_bottom
        hill, ec50 = hill + 0.001 * g_hill, np.maximum(ec50 + 0.001 * g_ec50, 1e-3)
    return np.stack((bottom, top, ec50, hill), axis=1)


def cumulative_regret(rewards, uniform, noise):
    arms = rewards.shape[0]
    counts, sums = np.ones((uniform.shape[1], arms)), np.zeros((uniform.shape[1], arms))
    regret = np.zeros(uniform.shape[1])
    for t in range(uniform.shape[0]):
        bound = sums / counts + np.sqrt(2 * np.log(t + 1.0) / counts)
        arm = bound.argmax(axis=1)
        chosen = np.arange(arms)[None, :] == arm[:, None]
        reward = (uniform[t] < rewards[arm]).astype(np.float64) + noise * 0
        counts = counts + chosen
        sums = sums + chosen * reward[:, None]
        regret = regret + rewards.max() - rewards[arm]
    return regret.mean(), counts.mean(axis=0)


def markets(r, n):
    mid = 100 + np.cumsum(0.01 * r.integers(-1, 2, n))
    return mid - 0.01 * r.integers(1, 4, n), mid + 0.01 * r.integers(1, 4, n), r.random(n), r.random(n)


def point_spread(n):
    at = np.minimum(np.arange(n), n - np.arange(n))
    k = np.exp(-(at[:, None] ** 2 + at[None, :] ** 2) / 18.0)
    return (k / k.sum()).astype(np.float32)


def tracks(r, n, steps):
    f = np.eye(4) + 0.1 * np.eye(4, k=2)
    h = np.eye(4)[:2]
    return np.zeros((n, 4)), np.tile(np.eye(4), (n, 1, 1)), f, h, 0.01 * np.eye(4), 0.1 * np.eye(2), r.standard_normal((steps, n, 2))


def symmetric(r, n):
    a = r.random((n, n))
    return (a + a.T) / (2 * n * n)


def amplitudes(r, n):
    a = np.arange(n) + 1j * r.random(n)
    return a / np.linalg.norm(a)


def coupling(r, n):
    a = 0.1 * r.standard_normal((n, n))
    return np.eye(n) + a @ a.T


PROGRAMS = {  # name: (function, its arguments from a generator, positions of what is known when compiling)
    "swift_hohenberg": (swift_hohenberg, lambda r: (f8(r, 1024, 1024) - 0.5, 0.3, 0.1, 30), (3,)),
    "korteweg_de_vries": (korteweg_de_vries, lambda r: (np.exp(-np.linspace(-10, 10, 4096) ** 2), 1e-6, 200), (2,)),
    "robertson_batch": (robertson_batch, lambda r: (0.04 * f8(r, 200_000), 30 * f8(r, 200_000), 10 * f8(r, 200_000), 1e-3, 200), (4,)),
    "particle_swarm": (particle_swarm, lambda r: (4 * f8(r, 4000, 30) - 2, 0.1 * f8(r, 4000, 30), f8(r, 100, 4000), f8(r, 100, 4000), 0.7, 1.4, 1.4), ()),
    "differential_evolution": (differential_evolution, lambda r: (10 * f8(r, 4000, 40) - 5, *(r.integers(0, 4000, (60, 4000)) for _ in range(3)),
                                                                  f8(r, 60, 4000, 40), 0.6, 0.9), ()),
    "annealed_chains": (annealed_chains, lambda r: (8 * f8(r, 20_000, 8) - 4, 0.3 * normal(r, 100, 20_000, 8), f8(r, 100, 20_000), 50.0, 0.95), ()),
    "hamiltonian_sampler": (hamiltonian_sampler, lambda r: (normal(r, 4096, 32), coupling(r, 32), normal(r, 20, 4096, 32), f8(r, 20, 4096), 0.1, 8), (5,)),
    "gibbs_bivariate": (gibbs_bivariate, lambda r: (normal(r, 300, 50_000), normal(r, 300, 50_000), 0.8), ()),
    "kernel_pca": (kernel_pca, lambda r: (f8(r, 3000, 20), 0.5, 30), (2,)),
    "tsne_gradient": (tsne_gradient, lambda r: (symmetric(r, 2000), 0.01 * normal(r, 2000, 2), 10.0, 20), (3,)),
    "label_spreading": (label_spreading, lambda r: (f8(r, 3000, 8), np.eye(4)[r.integers(0, 4, 3000)] * (f8(r, 3000, 1) < 0.1), 0.3, 0.9, 30), (4,)),
    "skip_gram": (skip_gram, lambda r: (f4(r, 50_000, 128) - 0.5, f4(r, 50_000, 128) - 0.5, r.integers(0, 50_000, 16_384),
                                        r.integers(0, 50_000, (16_384, 6)), np.float32(0.05)), ()),
    "text_cnn": (text_cnn, lambda r: (r.integers(0, 20_000, (256, 128)), f4(r, 20_000, 128), [f4(r, w, 128, 64) - 0.5 for w in (3, 4, 5)],
                                      [f4(r, 64) for _ in range(3)], f4(r, 192, 10)), ()),
    "residual_tower": (residual_tower, lambda r: (f4(r, 8192, 256), f4(r, 8, 256, 256) - 0.5, f4(r, 8, 256), f4(r, 8, 256)), ()),
    "conv_block": (conv_block, lambda r: (f4(r, 32, 56, 56, 64), f4(r, 3, 3, 64, 64) - 0.5, f4(r, 3, 3, 64, 64) - 0.5), ()),
    "option_greeks": (option_greeks, lambda r: (80 + 40 * f8(r, 4_000_000), 100.0, 0.1 + f8(r, 4_000_000), 0.02, 0.1 + 0.3 * f8(r, 4_000_000)), ()),
    "vasicek_bonds": (vasicek_bonds, lambda r: (normal(r, 250, 100_000), 0.03, 0.5, 0.04, 0.01, 0.004), ()),
    "order_imbalance": (order_imbalance, lambda r: (*markets(r, 4_000_000), 200), (4,)),
    "bars": (bars, lambda r: (100 + f8(r, 10_000_000), f8(r, 10_000_000) + 0.1, 390), (2,)),
    "running_extremes": (running_extremes, lambda r: (np.exp(np.cumsum(0.01 * normal(r, 2000, 4000), axis=1)),), ()),
    "histogram_match": (histogram_match, lambda r: (r.integers(0, 256, (4096, 4096)), r.integers(0, 128, (2048, 2048))), ()),
    "median_background": (median_background, lambda r: (f4(r, 15, 1080, 1920), 3.0), ()),
    "richardson_lucy": (richardson_lucy, lambda r: (f4(r, 1024, 1024) + 0.1, point_spread(1024), 20), (2,)),
    "canny": (canny, lambda r: (f4(r, 2048, 2048), 0.3, 1.2, 10), (3,)),
    "jpeg_blocks": (jpeg_blocks, lambda r: (255 * f4(r, 4096, 4096), 8.0), ()),
    "limb_darkening": (limb_darkening, lambda r: (f8(r, 100, 100_000), f8(r, 100, 100_000), 0.05), ()),
    "photon_walk": (photon_walk, lambda r: (np.zeros(500_000), f8(r, 500_000), np.ones(500_000), f8(r, 40, 500_000), 2 * f8(r, 40, 500_000) - 1, 0.9), ()),
    "dissipative_particles": (dissipative_particles, lambda r: (8 * f8(r, 1500, 3), normal(r, 1500, 3), 8.0, 0.01, 10), (4,)),
    "phonon_bands": (phonon_bands, lambda r: (2 * np.pi * f8(r, 50_000), np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0])), ()),
    "anderson_states": (anderson_states, lambda r: (4 * f8(r, 2000, 24) - 2, 1.0, np.linspace(-5, 5, 101)), ()),
    "matrix_product_norm": (matrix_product_norm, lambda r: (f8(r, 100, 2, 64, 64) - 0.4,), ()),
    "trotter_ising": (trotter_ising, lambda r: (amplitudes(r, 1 << 18), 0.2, 0.3, 4), (3,)),
    "trackers": (trackers, lambda r: tracks(r, 5000, 50), ()),
    "closest_points": (closest_points, lambda r: (f8(r, 4000, 3), f8(r, 5000, 3), 10), (2,)),
    "bundle_normals": (bundle_normals, lambda r: (0.1 * f8(r, 500, 9), f8(r, 100_000, 3) + 5, r.integers(0, 500, 2_000_000),
                                                  r.integers(0, 100_000, 2_000_000), f8(r, 2_000_000, 2)), ()),
    "slerp": (slerp, lambda r: (normal(r, 1_000_000, 4), normal(r, 1_000_000, 4), f8(r, 1_000_000, 1)), ()),
    "linkage_disequilibrium": (linkage_disequilibrium, lambda r: (r.integers(0, 3, (4000, 2000), np.int8),), ()),
    "log_rank": (log_rank, lambda r: (f8(r, 4_000_000), r.integers(0, 2, 4_000_000), r.integers(0, 2, 4_000_000)), ()),
    "spline_table": (spline_table, lambda r: (np.sort(f8(r, 1000)), f8(r, 4, 999), f8(r, 4_000_000)), ()),
    "beamformer": (beamformer, lambda r: (f4(r, 16, 100_256), r.integers(0, 256, (24, 16)), f4(r, 16)), ()),
    "iterative_threshold": (iterative_threshold, lambda r: (normal(r, 1000, 4000) / 32, normal(r, 1000), 0.1, 0.1, 100), (4,)),
    "alternating_directions": (alternating_directions, lambda r: (normal(r, 4000, 500), normal(r, 4000), 1000.0, 50.0, 100), (4,)),
    "life_in_space": (life_in_space, lambda r: ((f8(r, 192, 192, 192) < 0.2).astype(np.int8), 10), (1,)),
    "wireworld": (wireworld, lambda r: (r.integers(0, 4, (2048, 2048)), 20), (1,)),
    "discrete_hartley": (discrete_hartley, lambda r: (f8(r, 2000, 4096),), ()),
    "dose_response": (dose_response, lambda r: (0.01 + 10 * f8(r, 12), f8(r, 50_000, 12), f8(r, 50_000, 4) + 0.5, 20), (3,)),
    "cumulative_regret": (cumulative_regret, lambda r: (f8(r, 10), f8(r, 200, 10_000), 0.0), ()),
}
