"""An eighth set of array programs: fractals, noise, optical flow, matrix profiles, plasmas, networks with states, hashes, sketches, finite elements,
light curves, mosaics, games. Written before anybody looked at what npcc makes of them, each one function of NumPy that CuPy runs unchanged and, where it
stores nothing into slices, JAX compiles.
"""
import math

import numpy as np
from random_arrays import f4, f8, normal


def mandelbulb(points, power, rounds):
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    cx, cy, cz = x, y, z
    scale = np.ones_like(x)
    r = np.sqrt(x * x + y * y + z * z)
    for _ in range(rounds):
        inside = r < 2
        theta = np.arctan2(np.sqrt(x * x + y * y), z) * power
        phi = np.arctan2(y, x) * power
        grown = r ** power
        scale = np.where(inside, power * r ** (power - 1) * scale + 1, scale)
        x = np.where(inside, grown * np.sin(theta) * np.cos(phi) + cx, x)
        y = np.where(inside, grown * np.sin(theta) * np.sin(phi) + cy, y)
        z = np.where(inside, grown * np.cos(theta) + cz, z)
        r = np.sqrt(x * x + y * y + z * z)
    return 0.5 * np.log(r) * r / scale


def perlin(x, y, table, gradients, octaves):
    total = np.zeros_like(x)
    amplitude = 1.0
    for _ in range(octaves):
        xi, yi = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
        u, v = x - xi, y - yi
        a, b = u * u * u * (u * (u * 6 - 15) + 10), v * v * v * (v * (v * 6 - 15) + 10)
        corners = []
        for dy in (0, 1):
            for dx in (0, 1):
                g = gradients[table[(table[(xi + dx) & 255] + yi + dy) & 255] & 7]
                corners.append(g[..., 0] * (u - dx) + g[..., 1] * (v - dy))
        low = corners[0] + a * (corners[1] - corners[0])
        high = corners[2] + a * (corners[3] - corners[2])
        total += amplitude * (low + b * (high - low))
        x, y, amplitude = 2 * x, 2 * y, amplitude / 2
    return total


def box(a, r):
    s = np.cumsum(np.cumsum(np.pad(a, r + 1, mode="edge"), axis=0), axis=1)
    w = 2 * r + 1
    return (s[w:-1, w:-1] - s[:-w - 1, w:-1] - s[w:-1, :-w - 1] + s[:-w - 1, :-w - 1])


def optical_flow(before, after, r):
    gy, gx = np.gradient(before)
    gt = after - before
    xx, xy, yy = box(gx * gx, r), box(gx * gy, r), box(gy * gy, r)
    xt, yt = box(gx * gt, r), box(gy * gt, r)
    det = xx * yy - xy * xy
    safe = np.where(np.abs(det) > 1e-6, det, 1.0)
    u = np.where(np.abs(det) > 1e-6, (xy * yt - yy * xt) / safe, 0.0)
    v = np.where(np.abs(det) > 1e-6, (xy * xt - xx * yt) / safe, 0.0)
    return u, v


def sauvola(image, r, k):
    n = (2 * r + 1) ** 2
    mean = box(image, r) / n
    deviation = np.sqrt(np.maximum(box(image * image, r) / n - mean * mean, 0))
    return (image > mean * (1 + k * (deviation / 0.5 - 1))).astype(np.uint8)


def gabor_bank(image, angles, wavelength, sigma):
    n, m = image.shape
    fy, fx = np.fft.fftfreq(n)[:, None], np.fft.fftfreq(m)[None, :]
    spectrum = np.fft.fft2(image)
    best = np.zeros_like(image)
    which = np.zeros(image.shape, np.int64)
    for i, angle in enumerate(angles):
        cx, cy = math.cos(angle) / wavelength, math.sin(angle) / wavelength
        response = np.abs(np.fft.ifft2(spectrum * np.exp(-2 * (np.pi * sigma) ** 2 * ((fx - cx) ** 2 + (fy - cy) ** 2))))
        which = np.where(response > best, i, which)
        best = np.maximum(best, response)
    return best, which


def jump_flooding(seeds, steps):
    n, m = seeds.shape
    rows, columns = np.arange(n)[:, None], np.arange(m)[None, :]
    near_r = np.where(seeds > 0, rows, -10 * n)
    near_c = np.where(seeds > 0, columns, -10 * m)
    for step in steps:
        for dr in (-step, 0, step):
            for dc in (-step, 0, step):
                r, c = np.roll(near_r, (dr, dc), (0, 1)), np.roll(near_c, (dr, dc), (0, 1))
                closer = (r - rows) ** 2 + (c - columns) ** 2 < (near_r - rows) ** 2 + (near_c - columns) ** 2
                near_r, near_c = np.where(closer, r, near_r), np.where(closer, c, near_c)
    return np.sqrt((near_r - rows) ** 2.0 + (near_c - columns) ** 2)


def matrix_profile(series, w):
    views = np.lib.stride_tricks.sliding_window_view(series, w)
    mean, deviation = views.mean(axis=1), views.std(axis=1)
    products = views @ views.T
    correlation = (products - w * mean[:, None] * mean[None, :]) / (w * deviation[:, None] * deviation[None, :])
    at = np.arange(views.shape[0])
    correlation = np.where(np.abs(at[:, None] - at[None, :]) < w // 2, -1.0, correlation)
    return np.sqrt(2 * w * (1 - correlation.max(axis=1))), correlation.argmax(axis=1)


def randomized_svd(a, sketch, rounds):
    q = np.linalg.qr(a @ sketch)[0]
    for _ in range(rounds):
        q = np.linalg.qr(a.T @ q)[0]
        q = np.linalg.qr(a @ q)[0]
    u, s, v = np.linalg.svd(q.T @ a, full_matrices=False)
    return s, np.abs(q @ u).sum(), np.abs(v).sum()


def ridge_path(x, y, penalties):
    gram, moment = x.T @ x, x.T @ y
    errors = np.zeros(len(penalties))
    for i in range(len(penalties)):
        w = np.linalg.solve(gram + penalties[i] * np.eye(x.shape[1]), moment)
        errors[i] = ((x @ w - y) ** 2).mean() + penalties[i] * (w * w).sum()
    return errors


def distance_correlation(x, y):
    a = np.sqrt(((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2))
    b = np.sqrt(((y[:, None, :] - y[None, :, :]) ** 2).sum(axis=2))
    a = a - a.mean(axis=0)[None, :] - a.mean(axis=1)[:, None] + a.mean()
    b = b - b.mean(axis=0)[None, :] - b.mean(axis=1)[:, None] + b.mean()
    return np.sqrt((a * b).mean() / np.sqrt((a * a).mean() * (b * b).mean()))


def mutual_matches(a, b, ratio):
    a = a / np.linalg.norm(a, axis=1, keepdims=True)
    b = b / np.linalg.norm(b, axis=1, keepdims=True)
    s = a @ b.T
    forth, back = s.argmax(axis=1), s.argmax(axis=0)
    best = s.max(axis=1)
    second = np.where(np.arange(b.shape[0])[None, :] == forth[:, None], -2.0, s).max(axis=1)
    good = (back[forth] == np.arange(a.shape[0])) & (1 - best < ratio * (1 - second))
    return np.where(good, forth, -1), good.sum()


def ransac_lines(points, pairs, tolerance):
    p, q = points[pairs[:, 0]], points[pairs[:, 1]]
    d = q - p
    length = np.hypot(d[:, 0], d[:, 1]) + 1e-12
    nx, ny = -d[:, 1] / length, d[:, 0] / length
    off = np.abs(nx[:, None] * (points[None, :, 0] - p[:, :1]) + ny[:, None] * (points[None, :, 1] - p[:, 1:]))
    votes = (off < tolerance).sum(axis=1)
    best = votes.argmax()
    return votes[best], nx[best], ny[best]


def homography(image, h, shape):
    rows, columns = np.meshgrid(np.arange(shape[0]), np.arange(shape[1]), indexing="ij")
    w = h[2, 0] * columns + h[2, 1] * rows + h[2, 2]
    x = (h[0, 0] * columns + h[0, 1] * rows + h[0, 2]) / w
    y = (h[1, 0] * columns + h[1, 1] * rows + h[1, 2]) / w
    x0, y0 = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    inside = (x0 >= 0) & (y0 >= 0) & (x0 < image.shape[1] - 1) & (y0 < image.shape[0] - 1)
    x0, y0 = np.clip(x0, 0, image.shape[1] - 2), np.clip(y0, 0, image.shape[0] - 2)
    fx, fy = (x - x0)[..., None], (y - y0)[..., None]
    top = image[y0, x0] * (1 - fx) + image[y0, x0 + 1] * fx
    bottom = image[y0 + 1, x0] * (1 - fx) + image[y0 + 1, x0 + 1] * fx
    return np.where(inside[..., None], top * (1 - fy) + bottom * fy, 0.0)


def ice_sheet(bed, h, rate, dt, dx, steps):
    for _ in range(steps):
        s = bed + h
        hx, hy = 0.5 * (h[:, 1:] + h[:, :-1]), 0.5 * (h[1:] + h[:-1])
        sx, sy = np.diff(s, axis=1) / dx, np.diff(s, axis=0) / dx
        qx, qy = -rate * hx ** 5 * np.abs(sx) ** 2 * sx, -rate * hy ** 5 * np.abs(sy) ** 2 * sy
        flow = np.zeros_like(h)
        flow[:, :-1] -= qx
        flow[:, 1:] += qx
        flow[:-1] -= qy
        flow[1:] += qy
        h = np.maximum(h + dt * (flow / dx + 0.3 - 0.001 * s), 0)
    return h


def sod_tubes(rho, u, p, dt, steps):
    g = 1.4
    m, e = rho * u, p / (g - 1) + 0.5 * rho * u * u
    for _ in range(steps):
        v = m / rho
        p = (g - 1) * (e - 0.5 * rho * v * v)
        c = np.sqrt(g * p / rho)
        q = np.stack((rho, m, e))
        f = np.stack((m, m * v + p, (e + p) * v))
        left, right = q[:, :, :-1], q[:, :, 1:]
        sl = np.minimum((v - c)[:, :-1], (v - c)[:, 1:])
        sr = np.maximum((v + c)[:, :-1], (v + c)[:, 1:])
        middle = (sr * f[:, :, :-1] - sl * f[:, :, 1:] + sl * sr * (right - left)) / (sr - sl)
        flux = np.where(sl > 0, f[:, :, :-1], np.where(sr < 0, f[:, :, 1:], middle))
        q[:, :, 1:-1] -= dt * (flux[:, :, 1:] - flux[:, :, :-1])
        rho, m, e = q[0], q[1], q[2]
    return rho, m, e


def two_stream(x, v, cells, length, dt, steps):
    k = 2 * np.pi * np.fft.rfftfreq(cells, length / cells)
    k[0] = 1.0
    n = x.shape[0]
    energy = np.zeros(steps)
    for t in range(steps):
        at = x * (cells / length)
        i = np.floor(at).astype(np.int64)
        w = at - i
        i, j = i % cells, (i + 1) % cells
        rho = np.bincount(i, weights=1 - w, minlength=cells) + np.bincount(j, weights=w, minlength=cells)
        spectrum = np.fft.rfft(rho * (cells / n) - 1)
        spectrum[0] = 0
        field = np.fft.irfft(spectrum / (1j * k), cells)
        v = v - dt * ((1 - w) * field[i] + w * field[j])
        x = (x + dt * v) % length
        energy[t] = (field * field).sum()
    return energy, x, v


def echo_state(u, win, w, leak, ridge):
    x = np.zeros(w.shape[0])
    states = np.zeros((u.shape[0], w.shape[0]))
    for t in range(u.shape[0]):
        x = (1 - leak) * x + leak * np.tanh(win @ u[t] + w @ x)
        states[t] = x
    target = np.roll(u[:, 0], -1)
    out = np.linalg.solve(states.T @ states + ridge * np.eye(w.shape[0]), states.T @ target)
    return out, np.abs(states @ out - target).mean()


def hopfield(patterns, probes, rounds):
    w = patterns.T @ patterns / patterns.shape[1]
    np.fill_diagonal(w, 0)
    s = probes
    for _ in range(rounds):
        s = np.where(s @ w >= 0, 1.0, -1.0)
    overlap = s @ patterns.T / patterns.shape[1]
    return overlap.max(axis=1), overlap.argmax(axis=1)


def linear_attention(q, k, v, chunk):
    q, k = np.maximum(q, 0) + 1e-3, np.maximum(k, 0) + 1e-3
    heads, n, d = q.shape
    state, norm = np.zeros((heads, d, d), q.dtype), np.zeros((heads, d, 1), q.dtype)
    mask = np.tril(np.ones((chunk, chunk), q.dtype))
    out = []
    for b in range(0, n, chunk):
        qb, kb, vb = q[:, b:b + chunk], k[:, b:b + chunk], v[:, b:b + chunk]
        scores = (qb @ kb.transpose(0, 2, 1)) * mask
        top = qb @ state + scores @ vb
        bottom = qb @ norm + scores.sum(axis=2, keepdims=True)
        out.append(top / bottom)
        state = state + kb.transpose(0, 2, 1) @ vb
        norm = norm + kb.sum(axis=1)[:, :, None]
    return np.concatenate(out, axis=1)


def codebook(x, codes, rounds):
    for _ in range(rounds):
        distance = (codes * codes).sum(axis=1)[None, :] - 2 * x @ codes.T
        nearest = distance.argmin(axis=1)
        counts = np.bincount(nearest, minlength=codes.shape[0])
        sums = np.zeros_like(codes)
        np.add.at(sums, nearest, x)
        codes = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], codes)
    return codes, ((x - codes[nearest]) ** 2).mean()


def coupling_flow(x, weights, biases, rounds):
    d = x.shape[1] // 2
    log_det = np.zeros(x.shape[0], x.dtype)
    for i in range(rounds):
        a, b = x[:, :d], x[:, d:]
        h = np.tanh(a @ weights[i, 0] + biases[i, 0])
        s = np.tanh(h @ weights[i, 1] + biases[i, 1])
        t = h @ weights[i, 2] + biases[i, 2]
        x = np.concatenate((b * np.exp(s) + t, a), axis=1)
        log_det = log_det + s.sum(axis=1)
    return -0.5 * (x * x).sum(axis=1) + log_det


def denoise_steps(x, w1, b1, w2, b2, betas, noise):
    alpha = 1 - betas
    bar = np.cumprod(alpha)
    for t in range(betas.shape[0] - 1, -1, -1):
        h = x @ w1 + b1 + t / betas.shape[0]
        h = h / (1 + np.exp(-h))
        eps = h @ w2 + b2
        x = (x - betas[t] / np.sqrt(1 - bar[t]) * eps) / np.sqrt(alpha[t])
        if t > 0:
            x = x + np.sqrt(betas[t]) * noise[t]
    return x


def isolation_depth(x, feature, threshold, levels):
    samples = np.arange(x.shape[0])
    depth = np.zeros(x.shape[0])
    for tree in range(feature.shape[0]):
        node = np.zeros(x.shape[0], np.int64)
        for _ in range(levels):
            f = feature[tree, node]
            right = x[samples, np.maximum(f, 0)] > threshold[tree, node]
            depth += f >= 0
            node = np.where(f >= 0, 2 * node + 1 + right, node)
    return 2.0 ** (-depth / feature.shape[0] / 8)


def factor_updates(p, q, users, items, ratings, rate, decay, batch):
    for b in range(0, users.shape[0], batch):
        u, i = users[b:b + batch], items[b:b + batch]
        error = ratings[b:b + batch] - (p[u] * q[i]).sum(axis=1)
        gp = error[:, None] * q[i] - decay * p[u]
        gq = error[:, None] * p[u] - decay * q[i]
        np.add.at(p, u, rate * gp)
        np.add.at(q, i, rate * gq)
    return p, q


def credit_losses(factor, idiosyncratic, threshold, exposure, rho, levels):
    loss = np.zeros(factor.shape[0])
    for k in range(threshold.shape[0]):
        latent = np.sqrt(rho) * factor + np.sqrt(1 - rho) * idiosyncratic[k]
        loss += np.where(latent < threshold[k], exposure[k], 0.0)
    ordered = np.sort(loss)
    at = (np.asarray(levels) * factor.shape[0]).astype(np.int64)
    tail = np.cumsum(ordered[::-1])[::-1]
    return ordered[at], tail[at] / (factor.shape[0] - at)


def cliquet(noise, sigma, rate, floor, cap, low):
    step = 1.0 / noise.shape[0]
    growth = np.exp((rate - 0.5 * sigma * sigma) * step + sigma * np.sqrt(step) * noise) - 1
    locked = np.clip(growth, floor, cap).sum(axis=0)
    payoff = np.maximum(locked, low)
    return np.exp(-rate) * payoff.mean(), payoff.std() / np.sqrt(noise.shape[1])


def local_volatility(noise, grid, table, spot, dt):
    s = np.full(noise.shape[1], spot)
    low = s
    for t in range(noise.shape[0]):
        sigma = np.interp(s, grid, table[t])
        s = s * np.exp(-0.5 * sigma ** 2 * dt + sigma * math.sqrt(dt) * noise[t])
        low = np.minimum(low, s)
    return np.maximum(s - low, 0).mean(), np.maximum(100 - s, 0).mean()


def phase_vocoder(x, size, hop, stretch):
    window = np.hanning(size)
    starts = np.arange(0, x.shape[0] - size, hop)
    frames = np.fft.rfft(x[starts[:, None] + np.arange(size)[None, :]] * window, axis=1)
    advance = 2 * np.pi * hop * np.arange(size // 2 + 1) / size
    turn = np.diff(np.angle(frames), axis=0) - advance
    turn = turn - 2 * np.pi * np.round(turn / (2 * np.pi))
    phase = np.cumsum(np.concatenate((np.angle(frames[:1]), (advance + turn) * stretch)), axis=0)
    made = np.fft.irfft(np.abs(frames) * np.exp(1j * phase), size, axis=1) * window
    out = np.zeros(x.shape[0] + size)
    for part in range(size // hop):
        piece = made[part::size // hop]
        flat = piece.reshape(-1)
        begin = part * hop
        out[begin:begin + flat.shape[0]] += flat
    return out


def plucked_strings(noise, delays, damping, samples):
    strings = noise.shape[0]
    line = noise.copy()
    out = np.zeros((samples, strings))
    at = np.zeros(strings, np.int64)
    which = np.arange(strings)
    for t in range(samples):
        following = (at + 1) % delays
        value = line[which, at]
        out[t] = value
        line[which, at] = damping * 0.5 * (value + line[which, following])
        at = following
    return out


def onset_strength(x, size, hop):
    views = np.lib.stride_tricks.sliding_window_view(x, size)[::hop]
    power = np.abs(np.fft.rfft(views * np.hanning(size), axis=1))
    flux = np.maximum(np.diff(np.log1p(power), axis=0), 0).sum(axis=1)
    flux = (flux - flux.mean()) / flux.std()
    peak = (flux[1:-1] > flux[:-2]) & (flux[1:-1] >= flux[2:]) & (flux[1:-1] > 1.0)
    return flux, peak.sum()


def min_hash(shingles, a, b, documents):
    signature = np.full((a.shape[0], documents), 2 ** 31 - 1, np.int64)
    for h in range(a.shape[0]):
        hashed = (a[h] * shingles + b[h]) % 2147483647
        signature[h] = hashed.min(axis=1)
    same = (signature[:, :, None] == signature[:, None, :64]).mean(axis=0)
    return signature, same


def count_min(items, salts, width):
    table = np.zeros((salts.shape[0], width), np.int64)
    least = np.full(items.shape[0], items.shape[0])
    for row in range(salts.shape[0]):
        h = (items * salts[row] >> 16) % width
        table[row] = np.bincount(h, minlength=width)
        least = np.minimum(least, table[row][h])
    return least.max(), (least > 3 * items.shape[0] // width).sum()


def sha_rounds(blocks, constants, start):
    def turned(x, n):
        return (x >> np.uint32(n)) | (x << np.uint32(32 - n))

    w = [blocks[:, i] for i in range(16)]
    for i in range(16, 64):
        s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ (w[i - 15] >> np.uint32(3))
        s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ (w[i - 2] >> np.uint32(10))
        w.append(w[i - 16] + s0 + w[i - 7] + s1)
    a, b, c, d, e, f, g, h = [np.full(blocks.shape[0], start[i]) for i in range(8)]
    for i in range(64):
        s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
        t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i]
        s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
        t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
        a, b, c, d, e, f, g, h = t1 + t2, a, b, c, d + t1, e, f, g
    return np.stack((a, b, c, d, e, f, g, h), axis=1) + start


def modular_powers(base, exponent, modulus):
    result = np.ones_like(base)
    base = base % modulus
    while np.any(exponent > 0):
        result = np.where(exponent & 1, result * base % modulus, result)
        base = base * base % modulus
        exponent = exponent >> 1
    return result


def wham(energies, counts, rounds):
    f = np.zeros(energies.shape[0])
    log_n = np.log(counts)
    for _ in range(rounds):
        terms = log_n[:, None] + f[:, None] - energies
        top = terms.max(axis=0)
        bottom = top + np.log(np.exp(terms - top).sum(axis=0))
        g = -energies - bottom
        peak = g.max(axis=1)
        f = -(peak + np.log(np.exp(g - peak[:, None]).sum(axis=1)))
        f = f - f[0]
    return f


def debye_scattering(points, weights, q):
    d = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))
    pair = weights[:, None] * weights[None, :]
    out = np.zeros(q.shape[0])
    for i in range(q.shape[0]):
        out[i] = (pair * np.sinc(q[i] * d / np.pi)).sum()
    return out


def power_by_shells(field, bins):
    n = field.shape[0]
    k = np.fft.fftfreq(n) * n
    spectrum = np.abs(np.fft.fftn(field)) ** 2
    radius = np.sqrt(k[:, None, None] ** 2 + k[None, :, None] ** 2 + k[None, None, :] ** 2)
    shell = np.minimum((radius * bins / (n / 2)).astype(np.int64), bins)
    sums = np.bincount(shell.ravel(), weights=spectrum.ravel(), minlength=bins + 1)
    counts = np.bincount(shell.ravel(), minlength=bins + 1)
    return sums[:bins] / np.maximum(counts[:bins], 1)


def cloud_in_cell(points, mass, n):
    at = points * n
    i = np.floor(at).astype(np.int64)
    w = at - i
    grid = np.zeros((n, n, n))
    for dx in (0, 1):
        for dy in (0, 1):
            for dz in (0, 1):
                wx = w[:, 0] if dx else 1 - w[:, 0]
                wy = w[:, 1] if dy else 1 - w[:, 1]
                wz = w[:, 2] if dz else 1 - w[:, 2]
                np.add.at(grid, ((i[:, 0] + dx) % n, (i[:, 1] + dy) % n, (i[:, 2] + dz) % n), mass * wx * wy * wz)
    return grid / grid.mean() - 1


def clipped_stack(frames, sigma, rounds):
    keep = np.ones(frames.shape, bool)
    for _ in range(rounds):
        n = keep.sum(axis=0)
        mean = np.where(keep, frames, 0).sum(axis=0) / n
        deviation = np.sqrt(np.where(keep, (frames - mean) ** 2, 0).sum(axis=0) / n)
        keep &= np.abs(frames - mean) <= sigma * deviation
    return np.where(keep, frames, 0).sum(axis=0) / keep.sum(axis=0)


def phase_dispersion(times, values, periods, bins):
    total = values.var()
    out = np.zeros(periods.shape[0])
    for i in range(periods.shape[0]):
        at = ((times / periods[i]) % 1.0 * bins).astype(np.int64)
        n = np.bincount(at, minlength=bins)
        s = np.bincount(at, weights=values, minlength=bins)
        q = np.bincount(at, weights=values * values, minlength=bins)
        spread = q - s * s / np.maximum(n, 1)
        out[i] = spread.sum() / (values.shape[0] - bins) / total
    return out


def unscented(points, weights, controls, process):
    n = points.shape[1]
    for t in range(controls.shape[0]):
        heading, speed = points[..., 2], controls[t, 0]
        x = points[..., 0] + speed * np.cos(heading)
        y = points[..., 1] + speed * np.sin(heading)
        moved = np.stack((x, y, heading + controls[t, 1]), axis=2)
        mean = (weights[None, :, None] * moved).sum(axis=1)
        off = moved - mean[:, None, :]
        covariance = np.einsum("k,bki,bkj->bij", weights, off, off) + process
        root = np.linalg.cholesky(2.5 * covariance).transpose(0, 2, 1)
        points = np.concatenate((mean[:, None, :], mean[:, None, :] + root, mean[:, None, :] - root), axis=1)
    return points.reshape(-1, n, 3).mean(axis=1)


def many_servers(arrivals, services, servers):
    paths = arrivals.shape[1]
    free = np.zeros((paths, servers))
    waited = np.zeros(paths)
    now = np.zeros(paths)
    for k in range(arrivals.shape[0]):
        now = now + arrivals[k]
        first = free.argmin(axis=1)
        start = np.maximum(now, free.min(axis=1))
        waited += start - now
        free[np.arange(paths), first] = start + services[k]
    return waited / arrivals.shape[0]


def replicator(shares, payoff, dt, steps):
    for _ in range(steps):
        fitness = shares @ payoff.T
        mean = (shares * fitness).sum(axis=1, keepdims=True)
        shares = np.maximum(shares + dt * shares * (fitness - mean), 0)
        shares = shares / shares.sum(axis=1, keepdims=True)
    return shares


def chamfer(a, b):
    d = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=-1)
    return np.sqrt(d.min(axis=1)).mean() + np.sqrt(d.min(axis=0)).mean()


def civil_dates(days):
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    day = doy - (153 * mp + 2) // 5 + 1
    month = np.where(mp < 10, mp + 3, mp - 9)
    year = yoe + era * 400 + (month <= 2)
    return np.bincount(month, minlength=13), (year * 10000 + month * 100 + day).max(), np.bincount((days + 4) % 7, minlength=7)


def vincenty(lat1, lon1, lat2, lon2, rounds):
    a, f = 6378137.0, 1 / 298.257223563
    b = (1 - f) * a
    u1, u2 = np.arctan((1 - f) * np.tan(lat1)), np.arctan((1 - f) * np.tan(lat2))
    l = lon2 - lon1
    lam = l
    for _ in range(rounds):
        sl, cl = np.sin(lam), np.cos(lam)
        ss = np.sqrt((np.cos(u2) * sl) ** 2 + (np.cos(u1) * np.sin(u2) - np.sin(u1) * np.cos(u2) * cl) ** 2)
        cs = np.sin(u1) * np.sin(u2) + np.cos(u1) * np.cos(u2) * cl
        sigma = np.arctan2(ss, cs)
        sa = np.cos(u1) * np.cos(u2) * sl / np.maximum(ss, 1e-12)
        ca = 1 - sa * sa
        cm = cs - 2 * np.sin(u1) * np.sin(u2) / np.maximum(ca, 1e-12)
        c = f / 16 * ca * (4 + f * (4 - 3 * ca))
        lam = l + (1 - c) * f * sa * (sigma + c * ss * (cm + c * cs * (2 * cm * cm - 1)))
    return b * sigma


def assemble_and_solve(nodes, triangles, load, rounds):
    p = nodes[triangles]
    d1, d2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    area = 0.5 * np.abs(d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0])
    g = np.stack((p[:, [1, 2, 0], 1] - p[:, [2, 0, 1], 1], p[:, [2, 0, 1], 0] - p[:, [1, 2, 0], 0]), axis=1)
    k = np.einsum("eai,eaj->eij", g, g) / (4 * area)[:, None, None]

    def multiply(v):
        y = np.zeros_like(v)
        np.add.at(y, triangles, np.einsum("eij,ej->ei", k, v[triangles]))
        return y + 0.01 * v

    x = np.zeros_like(load)
    r = load - multiply(x)
    d = r
    rr = r @ r
    for _ in range(rounds):
        q = multiply(d)
        alpha = rr / (d @ q)
        x = x + alpha * d
        r = r - alpha * q
        new = r @ r
        d = r + new / rr * d
        rr = new
    return x


def daubechies(image, levels):
    h = np.array([0.48296291314453, 0.83651630373781, 0.22414386804201, -0.12940952255126])
    g = np.array([h[3], -h[2], h[1], -h[0]])
    out = image.copy()
    n = image.shape[0]
    for _ in range(levels):
        a = out[:n, :n]
        low = sum(h[i] * np.roll(a, -i, axis=1)[:, ::2] for i in range(4))
        high = sum(g[i] * np.roll(a, -i, axis=1)[:, ::2] for i in range(4))
        b = np.concatenate((low, high), axis=1)
        low = sum(h[i] * np.roll(b, -i, axis=0)[::2] for i in range(4))
        high = sum(g[i] * np.roll(b, -i, axis=0)[::2] for i in range(4))
        out[:n, :n] = np.concatenate((low, high), axis=0)
        n //= 2
    return np.where(np.abs(out) > 0.1, out, 0)


def seamless_blend(source, target, mask, rounds):
    laplacian = 4 * source - np.roll(source, 1, 0) - np.roll(source, -1, 0) - np.roll(source, 1, 1) - np.roll(source, -1, 1)
    x = target
    for _ in range(rounds):
        around = np.roll(x, 1, 0) + np.roll(x, -1, 0) + np.roll(x, 1, 1) + np.roll(x, -1, 1)
        x = np.where(mask[..., None], 0.25 * (around + laplacian), target)
    return np.clip(x, 0, 1)


def chan_vese(image, phi, mu, dt, rounds):
    for _ in range(rounds):
        inside = phi > 0
        c1 = (image * inside).sum() / np.maximum(inside.sum(), 1)
        c2 = (image * ~inside).sum() / np.maximum((~inside).sum(), 1)
        gy, gx = np.gradient(phi)
        norm = np.sqrt(gx * gx + gy * gy) + 1e-8
        curvature = np.gradient(gy / norm, axis=0) + np.gradient(gx / norm, axis=1)
        delta = 1 / (np.pi * (1 + phi * phi))
        phi = phi + dt * delta * (mu * curvature - (image - c1) ** 2 + (image - c2) ** 2)
    return phi > 0, c1, c2


def semblance(gather, offsets, velocities, times, dt):
    out = np.zeros((velocities.shape[0], times.shape[0]))
    traces = np.arange(offsets.shape[0])
    for i in range(velocities.shape[0]):
        arrival = np.sqrt(times[None, :] ** 2 + (offsets[:, None] / velocities[i]) ** 2) / dt
        at = np.minimum(arrival.astype(np.int64), gather.shape[1] - 2)
        w = np.minimum(arrival - at, 1.0)
        moved = (1 - w) * gather[traces[:, None], at] + w * gather[traces[:, None], at + 1]
        out[i] = moved.sum(axis=0) ** 2 / (offsets.shape[0] * (moved * moved).sum(axis=0) + 1e-12)
    return out


def local_regression(x, y, at, width):
    w = np.maximum(1 - (np.abs(x[None, :] - at[:, None]) / width) ** 3, 0) ** 3
    s0, s1, s2 = w.sum(axis=1), (w * x).sum(axis=1), (w * x * x).sum(axis=1)
    t0, t1 = (w * y).sum(axis=1), (w * x * y).sum(axis=1)
    det = s0 * s2 - s1 * s1
    return (s2 * t0 - s1 * t1) / det + (s0 * t1 - s1 * t0) / det * at


def rank_sum(a, b):
    both = np.concatenate((a, b), axis=1)
    order = both.argsort(axis=1)
    ranks = np.empty(both.shape)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1.0, both.shape[1] + 1), both.shape), axis=1)
    n, m = a.shape[1], b.shape[1]
    u = ranks[:, :n].sum(axis=1) - n * (n + 1) / 2
    return (u - n * m / 2) / np.sqrt(n * m * (n + m + 1) / 12)


def poisson_regression(x, y, rounds):
    w = np.zeros(x.shape[1])
    for _ in range(rounds):
        mean = np.exp(x @ w)
        gradient = x.T @ (y - mean)
        hessian = (x * mean[:, None]).T @ x
        w = w + np.linalg.solve(hessian, gradient)
    return w, (y * (x @ w) - np.exp(x @ w)).sum()


def gini(incomes):
    ordered = np.sort(incomes, axis=1)
    n = incomes.shape[1]
    share = np.cumsum(ordered, axis=1) / ordered.sum(axis=1, keepdims=True)
    return (n + 1 - 2 * share.sum(axis=1)) / n, share[:, n // 2]


def panel_method(x, y, angle):
    xm, ym = 0.5 * (x[1:] + x[:-1]), 0.5 * (y[1:] + y[:-1])
    dx, dy = np.diff(x), np.diff(y)
    length = np.hypot(dx, dy)
    nx, ny = dy / length, -dx / length
    rx, ry = xm[:, None] - xm[None, :], ym[:, None] - ym[None, :]
    r2 = rx * rx + ry * ry + np.eye(xm.shape[0])
    influence = (rx * nx[:, None] + ry * ny[:, None]) / (2 * np.pi * r2) * length[None, :]
    influence = influence + 0.5 * np.eye(xm.shape[0])
    strength = np.linalg.solve(influence, -(np.cos(angle) * nx + np.sin(angle) * ny))
    along = (rx * dx[:, None] + ry * dy[:, None]) / length[:, None] / (2 * np.pi * r2) * length[None, :]
    speed = (np.cos(angle) * dx + np.sin(angle) * dy) / length + along @ strength
    return 1 - speed ** 2


def vortex_blobs(x, y, gamma, delta, dt, steps):
    for _ in range(steps):
        dx, dy = x[:, None] - x[None, :], y[:, None] - y[None, :]
        k = gamma[None, :] / (2 * np.pi * (dx * dx + dy * dy + delta * delta))
        u, v = -(k * dy).sum(axis=1), (k * dx).sum(axis=1)
        x, y = x + dt * u, y + dt * v
    return x, y


def tone_map(image, key):
    luminance = 0.2126 * image[..., 0] + 0.7152 * image[..., 1] + 0.0722 * image[..., 2]
    average = np.exp(np.log(luminance + 1e-6).mean())
    scaled = key / average * luminance
    white = scaled.max()
    mapped = scaled * (1 + scaled / (white * white)) / (1 + scaled)
    out = image * (mapped / (luminance + 1e-6))[..., None]
    return (np.clip(out, 0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8)


def horizon_light(height, directions, steps):
    light = np.zeros_like(height)
    for dy, dx in directions:
        horizon = np.zeros_like(height)
        for s in range(1, steps + 1):
            rise = (np.roll(height, (-s * dy, -s * dx), (0, 1)) - height) / (s * math.hypot(dy, dx))
            horizon = np.maximum(horizon, rise)
        light += 1 / np.sqrt(1 + horizon * horizon)
    return light / len(directions)


def document_scores(counts, lengths, query, k, b):
    present = counts > 0
    idf = np.log(1 + (counts.shape[0] - present.sum(axis=0) + 0.5) / (present.sum(axis=0) + 0.5))
    norm = k * (1 - b + b * lengths / lengths.mean())
    score = (idf[query] * counts[:, query] * (k + 1) / (counts[:, query] + norm[:, None])).sum(axis=1)
    top = np.argsort(-score)[:100]
    return top, score[top]


def trees(r, count, levels):
    nodes = 2 ** (levels + 1) - 1
    feature = r.integers(0, 16, (count, nodes))
    feature[:, 2 ** levels - 1:] = -1
    feature[r.random((count, nodes)) < 0.1] = -1
    return feature, r.random((count, nodes))


def tubes(r, count, n):
    left = np.arange(n)[None, :] < n // 2 + r.integers(-50, 50, (count, 1))
    return np.where(left, 1.0, 0.125), np.zeros((count, n)), np.where(left, 1.0, 0.1)


def mesh(r, n):
    rows, columns = np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij")
    a = (rows * n + columns).ravel()
    triangles = np.concatenate((np.stack((a, a + 1, a + n), axis=1), np.stack((a + 1, a + n + 1, a + n), axis=1)))
    y, x = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    nodes = np.stack((x.ravel(), y.ravel()), axis=1) + 0.2 * r.random((n * n, 2))
    return nodes, triangles, r.standard_normal(n * n)


def sigma_points(r, count):
    w = np.full(7, 1 / 7)
    return np.concatenate((np.zeros((count, 1, 3)), np.tile(np.eye(3), (count, 1, 1)), np.tile(-np.eye(3), (count, 1, 1))), axis=1), w


PROGRAMS = {  # name: (function, its arguments from a generator, positions of what is known when compiling)
    "mandelbulb": (mandelbulb, lambda r: (3 * f8(r, 1_000_000, 3) - 1.5, 8, 8), (1, 2)),
    "perlin": (perlin, lambda r: (16 * f8(r, 2048, 2048), 16 * f8(r, 2048, 2048), r.integers(0, 256, 256), normal(r, 8, 2), 5), (4,)),
    "optical_flow": (optical_flow, lambda r: (f8(r, 2048, 2048), f8(r, 2048, 2048), 7), (2,)),
    "sauvola": (sauvola, lambda r: (f8(r, 4096, 4096), 12, 0.2), (1,)),
    "gabor_bank": (gabor_bank, lambda r: (f8(r, 2048, 2048), (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8), 8.0, 4.0), (1,)),
    "jump_flooding": (jump_flooding, lambda r: (f8(r, 1024, 1024) < 0.0005, (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)), (1,)),
    "matrix_profile": (matrix_profile, lambda r: (np.cumsum(normal(r, 8192)), 128), (1,)),
    "randomized_svd": (randomized_svd, lambda r: (f8(r, 20_000, 1000), normal(r, 1000, 50), 3), (2,)),
    "ridge_path": (ridge_path, lambda r: (normal(r, 100_000, 100), normal(r, 100_000), np.logspace(-3, 3, 30)), ()),
    "distance_correlation": (distance_correlation, lambda r: (normal(r, 4000, 3), normal(r, 4000, 5)), ()),
    "mutual_matches": (mutual_matches, lambda r: (f4(r, 8192, 128) - 0.5, f4(r, 8192, 128) - 0.5, 0.9), ()),
    "ransac_lines": (ransac_lines, lambda r: (f8(r, 20_000, 2), r.integers(0, 20_000, (5000, 2)), 0.01), ()),
    "homography": (homography, lambda r: (f8(r, 2048, 2048, 3), np.array([[1.1, 0.1, -80.0], [-0.1, 1.05, 60.0], [2e-5, 1e-5, 1.0]]), (2048, 2048)), (2,)),
    "ice_sheet": (ice_sheet, lambda r: (f8(r, 1024, 1024), 10 * f8(r, 1024, 1024), 1e-6, 0.01, 1.0, 100), (5,)),
    "sod_tubes": (sod_tubes, lambda r: (*tubes(r, 500, 2000), 0.2, 200), (4,)),
    "two_stream": (two_stream, lambda r: (10 * f8(r, 1_000_000), normal(r, 1_000_000) + 2 * r.integers(0, 2, 1_000_000) - 1, 512, 10.0, 0.05, 50), (2, 5)),
    "echo_state": (echo_state, lambda r: (f8(r, 2000, 3), f8(r, 500, 3) - 0.5, 0.05 * normal(r, 500, 500), 0.3, 1e-3), ()),
    "hopfield": (hopfield, lambda r: (np.sign(f8(r, 200, 2500) - 0.5), np.sign(f8(r, 1000, 2500) - 0.5), 10), (2,)),
    "linear_attention": (linear_attention, lambda r: (f4(r, 16, 8192, 64) - 0.5, f4(r, 16, 8192, 64) - 0.5, f4(r, 16, 8192, 64), 128), (3,)),
    "codebook": (codebook, lambda r: (f4(r, 200_000, 16), f4(r, 256, 16), 5), (2,)),
    "coupling_flow": (coupling_flow, lambda r: (f4(r, 100_000, 64), 0.2 * f4(r, 8, 3, 32, 32), f4(r, 8, 3, 32), 8), (3,)),
    "denoise_steps": (denoise_steps, lambda r: (normal(r, 4096, 64), 0.1 * normal(r, 64, 256), normal(r, 256), 0.1 * normal(r, 256, 64), normal(r, 64),
                                                np.linspace(1e-4, 0.02, 50), normal(r, 50, 4096, 64)), ()),
    "isolation_depth": (isolation_depth, lambda r: (f8(r, 200_000, 16), *trees(r, 50, 8), 8), (3,)),
    "factor_updates": (factor_updates, lambda r: (f4(r, 50_000, 32), f4(r, 10_000, 32), r.integers(0, 50_000, 1_000_000), r.integers(0, 10_000, 1_000_000),
                                                  5 * f4(r, 1_000_000), np.float32(0.01), np.float32(0.02), 100_000), (7,)),
    "credit_losses": (credit_losses, lambda r: (normal(r, 200_000), normal(r, 100, 200_000), normal(r, 100) - 2, f8(r, 100), 0.2, (0.95, 0.99, 0.999)), (5,)),
    "cliquet": (cliquet, lambda r: (normal(r, 60, 500_000), 0.2, 0.02, -0.02, 0.03, 0.1), ()),
    "local_volatility": (local_volatility, lambda r: (normal(r, 100, 200_000), np.linspace(20, 400, 64), 0.1 + 0.2 * f8(r, 100, 64), 100.0, 0.01), ()),
    "phase_vocoder": (phase_vocoder, lambda r: (normal(r, 2_000_000), 1024, 256, 1.25), (1, 2)),
    "plucked_strings": (plucked_strings, lambda r: (normal(r, 2000, 400), r.integers(50, 400, 2000), 0.996, 2000), (3,)),
    "onset_strength": (onset_strength, lambda r: (normal(r, 4_000_000), 1024, 512), (1, 2)),
    "min_hash": (min_hash, lambda r: (r.integers(0, 2 ** 31 - 1, (2000, 500)), r.integers(1, 2 ** 31 - 1, 64), r.integers(0, 2 ** 31 - 1, 64), 2000), (3,)),
    "count_min": (count_min, lambda r: (r.integers(0, 2 ** 31, 10_000_000), r.integers(1, 2 ** 31, 5), 65_536), (2,)),
    "sha_rounds": (sha_rounds, lambda r: (*(r.integers(0, 2 ** 32, shape, np.uint32) for shape in ((1_000_000, 16), 64, 8)),), ()),
    "modular_powers": (modular_powers, lambda r: (r.integers(1, 2 ** 31, 2_000_000), r.integers(1, 2 ** 30, 2_000_000), 2_147_483_647), ()),
    "wham": (wham, lambda r: (5 * f8(r, 40, 200_000), r.integers(1000, 9000, 40), 30), (2,)),
    "debye_scattering": (debye_scattering, lambda r: (20 * f8(r, 2000, 3), f8(r, 2000), np.linspace(0.1, 10, 100)), ()),
    "power_by_shells": (power_by_shells, lambda r: (f8(r, 256, 256, 256), 64), (1,)),
    "cloud_in_cell": (cloud_in_cell, lambda r: (f8(r, 2_000_000, 3), f8(r, 2_000_000), 128), (2,)),
    "clipped_stack": (clipped_stack, lambda r: (f4(r, 20, 1024, 1024), np.float32(2.0), 3), (2,)),
    "phase_dispersion": (phase_dispersion, lambda r: (np.sort(1000 * f8(r, 100_000)), f8(r, 100_000), np.linspace(0.5, 5, 200), 20), (3,)),
    "unscented": (unscented, lambda r: (*sigma_points(r, 20_000), f8(r, 50, 2), 0.01 * np.eye(3)), ()),
    "many_servers": (many_servers, lambda r: (r.exponential(1.0, (300, 20_000)), r.exponential(7.0, (300, 20_000)), 8), (2,)),
    "replicator": (replicator, lambda r: (f8(r, 50_000, 8) + 0.1, f8(r, 8, 8), 0.1, 100), (3,)),
    "chamfer": (chamfer, lambda r: (f4(r, 8192, 3), f4(r, 8192, 3)), ()),
    "civil_dates": (civil_dates, lambda r: (r.integers(-700_000, 700_000, 10_000_000),), ()),
    "vincenty": (vincenty, lambda r: (f8(r, 2_000_000) - 0.5, f8(r, 2_000_000), f8(r, 2_000_000) - 0.5, f8(r, 2_000_000), 8), (4,)),
    "assemble_and_solve": (assemble_and_solve, lambda r: (*mesh(r, 500), 50), (3,)),
    "daubechies": (daubechies, lambda r: (f8(r, 4096, 4096), 4), (1,)),
    "seamless_blend": (seamless_blend, lambda r: (f4(r, 1024, 1024, 3), f4(r, 1024, 1024, 3), f8(r, 1024, 1024) < 0.5, 100), (3,)),
    "chan_vese": (chan_vese, lambda r: (f8(r, 1024, 1024), f8(r, 1024, 1024) - 0.5, 0.2, 0.5, 50), (4,)),
    "semblance": (semblance, lambda r: (f8(r, 48, 2000), np.linspace(0, 3000, 48), np.linspace(1500, 4500, 60), np.arange(2000) * 0.002, 0.002), ()),
    "local_regression": (local_regression, lambda r: (np.sort(f8(r, 5000)), f8(r, 5000), np.linspace(0, 1, 2000), 0.1), ()),
    "rank_sum": (rank_sum, lambda r: (normal(r, 5000, 200), normal(r, 5000, 300)), ()),
    "poisson_regression": (poisson_regression, lambda r: (0.1 * normal(r, 200_000, 50), r.poisson(1.0, 200_000).astype(float), 8), (2,)),
    "gini": (gini, lambda r: (np.exp(normal(r, 2000, 5000)),), ()),
    "panel_method": (panel_method, lambda r: (np.cos(np.linspace(0, 2 * np.pi, 1501)), 0.3 * np.sin(np.linspace(0, 2 * np.pi, 1501)), 0.1), ()),
    "vortex_blobs": (vortex_blobs, lambda r: (f8(r, 4000), f8(r, 4000), f8(r, 4000) - 0.5, 0.02, 0.001, 10), (5,)),
    "tone_map": (tone_map, lambda r: (np.exp(f4(r, 2048, 2048, 3)), np.float32(0.18)), ()),
    "horizon_light": (horizon_light, lambda r: (f4(r, 1024, 1024), ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)), 12), (1, 2)),
    "document_scores": (document_scores, lambda r: (r.poisson(0.3, (20_000, 500)), 50 + 100 * f8(r, 20_000), r.integers(0, 500, 8), 1.2, 0.75), ()),
}
