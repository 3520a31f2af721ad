"""A seventh set of array programs: flows, tissue, waves, optics, radio, codes and ciphers, econometrics, psychometrics, layers and training steps,
gauge fields, qubits, rendering, robots, volatility, genomes, trees, meshes, lattices. Each is one function of NumPy that CuPy runs unchanged and, where
it stores nothing into slices, masks nothing to an unknown size and counts nothing into bins, JAX compiles.
"""
import numpy as np
from random_arrays import f4, f8


def taylor_green(u, viscosity, dt, steps):
    n = u.shape[1]
    f = np.fft.fftfreq(n, 1.0 / n)
    k = np.stack((f[:, None, None] + np.zeros((n, n, n // 2 + 1)), f[None, :, None] + np.zeros((n, n, n // 2 + 1)),
                  np.arange(n // 2 + 1.0)[None, None, :] + np.zeros((n, n, n // 2 + 1))))
    k2 = (k * k).sum(axis=0)
    keep = (np.abs(k) < n / 3).all(axis=0)
    inv = np.where(k2 > 0, 1.0 / np.where(k2 > 0, k2, 1.0), 0.0)

    def rate(uh):
        v = np.fft.irfftn(uh, s=(n, n, n), axes=(1, 2, 3))
        w = np.fft.irfftn(1j * np.cross(k, uh, axis=0), s=(n, n, n), axes=(1, 2, 3))
        nl = np.fft.rfftn(np.cross(v, w, axis=0), axes=(1, 2, 3)) * keep
        return nl - k * ((k * nl).sum(axis=0) * inv) - viscosity * k2 * uh
    uh = np.fft.rfftn(u, axes=(1, 2, 3))
    for _ in range(steps):
        mid = uh + 0.5 * dt * rate(uh)
        uh = uh + dt * rate(mid)
    v = np.fft.irfftn(uh, s=(n, n, n), axes=(1, 2, 3))
    return v, 0.5 * (v * v).sum(axis=0).mean()


def level_set(phi, speed, h, dt, steps):
    for _ in range(steps):
        p = np.pad(phi, 1, mode="edge")
        xm, xp = (p[1:-1, 1:-1] - p[1:-1, :-2]) / h, (p[1:-1, 2:] - p[1:-1, 1:-1]) / h
        ym, yp = (p[1:-1, 1:-1] - p[:-2, 1:-1]) / h, (p[2:, 1:-1] - p[1:-1, 1:-1]) / h
        grow = np.sqrt(np.maximum(xm, 0) ** 2 + np.minimum(xp, 0) ** 2 + np.maximum(ym, 0) ** 2 + np.minimum(yp, 0) ** 2)
        shrink = np.sqrt(np.minimum(xm, 0) ** 2 + np.maximum(xp, 0) ** 2 + np.minimum(ym, 0) ** 2 + np.maximum(yp, 0) ** 2)
        phi = phi - dt * (np.maximum(speed, 0) * grow + np.minimum(speed, 0) * shrink)
    return phi, (phi < 0).sum()


def cardiac_tissue(u, v, diffusion, dt, steps):
    for _ in range(steps):
        p = np.pad(u, 1, mode="edge")
        lap = p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u
        eps = 0.002 + 0.2 * v / (u + 0.3)
        du = diffusion * lap - 8.0 * u * (u - 0.15) * (u - 1) - u * v
        dv = -eps * (v + 8.0 * u * (u - 1.15))
        u, v = u + dt * du, v + dt * dv
    return u, v


def elastic_waves(lam, mu, rho, pulse, dt, h):
    n, m = lam.shape
    vx, vz = np.zeros_like(lam), np.zeros_like(lam)
    sxx, szz, sxz = np.zeros_like(lam), np.zeros_like(lam), np.zeros_like(lam)
    trace = np.zeros((pulse.shape[0], m), lam.dtype)
    c = dt / h
    for t in range(pulse.shape[0]):
        sxx[n // 2, m // 2] += pulse[t]
        szz[n // 2, m // 2] += pulse[t]
        vx[1:-1, 1:-1] += c / rho[1:-1, 1:-1] * (sxx[1:-1, 1:-1] - sxx[1:-1, :-2] + sxz[1:-1, 1:-1] - sxz[:-2, 1:-1])
        vz[1:-1, 1:-1] += c / rho[1:-1, 1:-1] * (sxz[1:-1, 2:] - sxz[1:-1, 1:-1] + szz[2:, 1:-1] - szz[1:-1, 1:-1])
        ex = vx[1:-1, 2:] - vx[1:-1, 1:-1]
        ez = vz[1:-1, 1:-1] - vz[:-2, 1:-1]
        la, mm = lam[1:-1, 1:-1], mu[1:-1, 1:-1]
        sxx[1:-1, 1:-1] += c * ((la + 2 * mm) * ex + la * ez)
        szz[1:-1, 1:-1] += c * ((la + 2 * mm) * ez + la * ex)
        sxz[1:-1, 1:-1] += c * mm * (vx[2:, 1:-1] - vx[1:-1, 1:-1] + vz[1:-1, 1:-1] - vz[1:-1, :-2])
        trace[t] = vz[n // 2 - 40]
    return trace, vx, vz


def darcy_pressure(perm, source, tol):
    fx = 2 / (1 / perm[1:] + 1 / perm[:-1])
    fy = 2 / (1 / perm[:, 1:] + 1 / perm[:, :-1])
    fz = 2 / (1 / perm[:, :, 1:] + 1 / perm[:, :, :-1])

    def apply(p):
        out = 0.01 * p
        q = fx * (p[1:] - p[:-1])
        out[1:] += q
        out[:-1] -= q
        q = fy * (p[:, 1:] - p[:, :-1])
        out[:, 1:] += q
        out[:, :-1] -= q
        q = fz * (p[:, :, 1:] - p[:, :, :-1])
        out[:, :, 1:] += q
        out[:, :, :-1] -= q
        return out
    p = np.zeros_like(source)
    r = source.copy()
    d = r.copy()
    rr = (r * r).sum()
    goal = tol * float(rr)
    while float(rr) > goal:
        ad = apply(d)
        a = rr / (d * ad).sum()
        p += a * d
        r -= a * ad
        new = (r * r).sum()
        d = r + new / rr * d
        rr = new
    return p


def phase_retrieval(size, support, start, beta, steps):
    g = start
    for _ in range(steps):
        spec = np.fft.fft2(g)
        spec = size * spec / np.maximum(np.abs(spec), 1e-6)
        back = np.fft.ifft2(spec).real
        g = np.where(support & (back > 0), back, g - beta * back)
    image = np.where(support, g, 0)
    return image, np.sqrt(((np.abs(np.fft.fft2(image)) - size) ** 2).sum() / (size * size).sum())


def stereo_disparity(left, right, reach, r):
    k = 2 * r + 1
    best = np.full((left.shape[0] - 2 * r, left.shape[1] - 2 * r), np.inf, left.dtype)
    which = np.zeros(best.shape, np.int32)
    for d in range(reach):
        cost = np.minimum(np.abs(left - np.roll(right, d, axis=1)), 0.3)
        s = np.pad(np.cumsum(cost, axis=0), ((1, 0), (0, 0)))
        s = s[k:] - s[:-k]
        s = np.pad(np.cumsum(s, axis=1), ((0, 0), (1, 0)))
        s = s[:, k:] - s[:, :-k]
        which = np.where(s < best, d, which)
        best = np.minimum(s, best)
    return which, best


def demosaic(raw, gains, power):
    h, w = raw.shape
    p = np.pad(raw, 1, mode="reflect")
    cross = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 4
    diag = (p[:-2, :-2] + p[:-2, 2:] + p[2:, :-2] + p[2:, 2:]) / 4
    side, tall = (p[1:-1, :-2] + p[1:-1, 2:]) / 2, (p[:-2, 1:-1] + p[2:, 1:-1]) / 2
    out = np.empty((h, w, 3), raw.dtype)
    out[0::2, 0::2, 0], out[0::2, 1::2, 0] = raw[0::2, 0::2], side[0::2, 1::2]
    out[1::2, 0::2, 0], out[1::2, 1::2, 0] = tall[1::2, 0::2], diag[1::2, 1::2]
    out[:, :, 1] = raw
    out[0::2, 0::2, 1], out[1::2, 1::2, 1] = cross[0::2, 0::2], cross[1::2, 1::2]
    out[1::2, 1::2, 2], out[1::2, 0::2, 2] = raw[1::2, 1::2], side[1::2, 0::2]
    out[0::2, 1::2, 2], out[0::2, 0::2, 2] = tall[0::2, 1::2], diag[0::2, 0::2]
    return np.clip(out * gains, 0, 1) ** power


def filter_bank(volts, window, average):
    taps, channels = window.shape
    frames = volts.reshape(-1, channels)
    rows = frames.shape[0] - taps + 1
    acc = sum(window[t] * frames[t: t + rows] for t in range(taps))
    spec = np.fft.fft(acc, axis=1)
    power = (spec.real ** 2 + spec.imag ** 2)[: rows // average * average]
    power = power.reshape(-1, average, channels)
    mean = power.mean(axis=1)
    kurtosis = (power * power).mean(axis=1) / (mean * mean)
    return np.fft.fftshift(mean, axes=1), np.fft.fftshift(kurtosis, axes=1)


def ldpc_minsum(llr, checks, edges, steps):
    batch, n = llr.shape
    total = llr
    r = np.zeros((batch,) + checks.shape, llr.dtype)
    slot = np.arange(checks.shape[1])
    for _ in range(steps):
        q = total[:, checks] - r
        sign = np.where(q < 0, -1, 1).astype(llr.dtype)
        size = np.abs(q)
        low = size.min(axis=2, keepdims=True)
        own = slot == size.argmin(axis=2)[:, :, None]
        second = np.where(own, np.inf, size).min(axis=2, keepdims=True)
        r = 0.8 * sign * sign.prod(axis=2, keepdims=True) * np.where(own, second, low)
        total = llr + r.reshape(batch, -1)[:, edges].sum(axis=2)
    bits = (total < 0).astype(np.int32)
    return bits, (bits[:, checks].sum(axis=2) % 2).sum(axis=1)


def galois_syndromes(code, exps, logs, count):
    n = code.shape[1]
    at = logs[code]
    place = n - 1 - np.arange(n)
    out = []
    for i in range(count):
        term = np.where(code > 0, exps[(at + i * place) % 255], 0)
        term = np.pad(term, ((0, 0), (0, 256 - n)))
        width = 128
        while width:
            term = term[:, :width] ^ term[:, width:]
            width //= 2
        out.append(term[:, 0])
    s = np.stack(out, axis=1)
    return s, (s != 0).any(axis=1).sum()


def chacha_blocks(key, nonce, counter, rounds):
    def rot(v, k):
        return (v << k) | (v >> (32 - k))

    def quarter(a, b, c, d):
        a = a + b
        d = rot(d ^ a, 16)
        c = c + d
        b = rot(b ^ c, 12)
        a = a + b
        d = rot(d ^ a, 8)
        c = c + d
        return a, rot(b ^ c, 7), c, d
    words = [np.full_like(counter, w) for w in (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)]
    first = words + [key[k] + np.zeros_like(counter) for k in range(8)] + [counter] + [nonce[k] + np.zeros_like(counter) for k in range(3)]
    s = list(first)
    for _ in range(rounds // 2):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            s[a], s[b], s[c], s[d] = quarter(s[a], s[b], s[c], s[d])
    return np.stack([x + y for x, y in zip(s, first)], axis=1)


def lcs_bits(a, b, letters):
    n, m = a.shape
    shift = np.arange(m).astype(np.uint64)
    masks = np.stack([((a == c).astype(np.uint64) << shift).sum(axis=1) for c in range(letters)])
    rows = np.arange(n)
    v = ~np.zeros(n, np.uint64)
    for j in range(b.shape[1]):
        u = v & masks[b[:, j], rows]
        v = (v + u) | (v - u)
    x = ~v
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (x * 0x0101010101010101) >> 56


def quantile_regression(x, y, tau, steps):
    b = np.linalg.solve(x.T @ x, (x.T @ y)[:, None])[:, 0]
    for _ in range(steps):
        e = y - x @ b
        w = np.where(e > 0, tau, 1 - tau) / np.sqrt(e * e + 1e-4)
        xw = x * w[:, None]
        b = np.linalg.solve(xw.T @ x, (xw.T @ y)[:, None])[:, 0]
    e = y - x @ b
    return b, np.where(e > 0, tau * e, (tau - 1) * e).mean()


def newey_west(x, y, lags):
    xx = x.T @ x
    beta = np.linalg.solve(xx, (x.T @ y)[:, None])[:, 0]
    g = x * (y - x @ beta)[:, None]
    s = g.T @ g
    for lag in range(1, lags + 1):
        c = g[lag:].T @ g[:-lag]
        s = s + (1 - lag / (lags + 1)) * (c + c.T)
    inv = np.linalg.inv(xx)
    error = np.sqrt(np.diagonal(inv @ s @ inv))
    return beta, error, beta / error


def item_response(answers, nodes, prior, steps):
    people, items = answers.shape
    a, b = np.ones(items), np.zeros(items)
    for _ in range(steps):
        z = a[:, None] * (nodes[None, :] - b[:, None])
        p = np.clip(1 / (1 + np.exp(-z)), 1e-9, 1 - 1e-9)
        like = answers @ np.log(p) + (1 - answers) @ np.log(1 - p) + np.log(prior)
        post = np.exp(like - like.max(axis=1, keepdims=True))
        post = post / post.sum(axis=1, keepdims=True)
        count, right = post.sum(axis=0), answers.T @ post
        gap = right - count * p
        curve = count * p * (1 - p)
        t = nodes[None, :] - b[:, None]
        a = np.clip(a + 0.5 * (gap * t).sum(axis=1) / ((curve * t * t).sum(axis=1) + 1e-6), 0.2, 4.0)
        b = b - 0.5 * gap.sum(axis=1) / (a * curve.sum(axis=1) + 1e-6)
    return a, b, post @ nodes


def selective_scan(x, delta, a, b, c, d):
    dt = np.log1p(np.exp(delta))
    state = np.zeros((x.shape[0], x.shape[2], a.shape[1]), x.dtype)
    out = []
    for t in range(x.shape[1]):
        step = dt[:, t, :, None]
        state = np.exp(step * a) * state + step * b[:, t, None, :] * x[:, t, :, None]
        out.append((state * c[:, t, None, :]).sum(axis=2) + d * x[:, t])
    return np.stack(out, axis=1)


def window_attention(x, qkv, bias, proj, window, heads):
    n, h, w, c = x.shape
    x = np.roll(x, (-(window // 2), -(window // 2)), axis=(1, 2))
    t = x.reshape(n, h // window, window, w // window, window, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, window * window, c)
    t = (t - t.mean(axis=2, keepdims=True)) / np.sqrt(t.var(axis=2, keepdims=True) + 1e-5)
    q, k, v = (t @ qkv).reshape(-1, window * window, 3, heads, c // heads).transpose(2, 0, 3, 1, 4)
    s = q @ k.transpose(0, 1, 3, 2) * (c // heads) ** -0.5 + bias
    e = np.exp(s - s.max(axis=3, keepdims=True))
    y = (e / e.sum(axis=3, keepdims=True)) @ v
    y = y.transpose(0, 2, 1, 3).reshape(-1, window * window, c) @ proj
    y = y.reshape(n, h // window, w // window, window, window, c).transpose(0, 1, 3, 2, 4, 5).reshape(n, h, w, c)
    return np.roll(x + y, (window // 2, window // 2), axis=(1, 2))


def clipped_policy(reward, value, done, new, old, gamma, lam, clip):
    live = 1 - done
    delta = reward + gamma * live * value[1:] - value[:-1]
    run = np.zeros_like(delta[0])
    steps = []
    for t in range(delta.shape[0] - 1, -1, -1):
        run = delta[t] + gamma * lam * live[t] * run
        steps.append(run)
    adv = np.stack(steps[::-1])
    target = adv + value[:-1]
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    ratio = np.exp(new - old)
    gain = np.minimum(ratio * adv, np.clip(ratio, 1 - clip, 1 + clip) * adv)
    return -gain.mean(), target, (np.abs(ratio - 1) > clip).mean()


def beam_step(score, logits, tokens, width):
    batch, beams, vocab = logits.shape
    top = logits.max(axis=2, keepdims=True)
    logp = logits - top - np.log(np.exp(logits - top).sum(axis=2, keepdims=True))
    flat = (score[:, :, None] + logp).reshape(batch, beams * vocab)
    pick = np.argsort(-flat, axis=1)[:, :width]
    parent, token = pick // vocab, pick % vocab
    past = np.take_along_axis(tokens, parent[:, :, None], axis=1)
    return np.take_along_axis(flat, pick, axis=1), np.concatenate((past, token[:, :, None]), axis=2)


def message_passing(h, src, dst, w_self, w_near, layers):
    deg = np.bincount(dst, minlength=h.shape[0]).astype(h.dtype)
    norm = 1 / np.sqrt(np.maximum(deg, 1))
    for k in range(layers):
        z = h @ w_near[k]
        total = np.zeros_like(z)
        np.add.at(total, dst, z[src] * (norm[src] * norm[dst])[:, None])
        h = np.maximum(h @ w_self[k] + total, 0)
        h = h / np.sqrt((h * h).sum(axis=1, keepdims=True) + 1e-6)
    return h


def boosting_round(bins, grad, hess, slots, depth, lam):
    features, n = bins.shape
    node = np.zeros(n, np.int64)
    for level in range(depth):
        nodes = 2 ** level
        base = node * slots
        gain = []
        for f in range(features):
            at = base + bins[f]
            g = np.cumsum(np.bincount(at, weights=grad, minlength=nodes * slots).reshape(nodes, slots), axis=1)
            h = np.cumsum(np.bincount(at, weights=hess, minlength=nodes * slots).reshape(nodes, slots), axis=1)
            gt, ht = g[:, -1:], h[:, -1:]
            gain.append(g * g / (h + lam) + (gt - g) ** 2 / (ht - h + lam) - gt * gt / (ht + lam))
        gain = np.stack(gain, axis=1).reshape(nodes, features * slots)
        best = gain.argmax(axis=1)
        f, cut = best // slots, best % slots
        node = 2 * node + (bins[f[node], np.arange(n)] > cut[node])
    g = np.bincount(node, weights=grad, minlength=2 ** depth)
    h = np.bincount(node, weights=hess, minlength=2 ** depth)
    leaf = -g / (h + lam)
    return leaf, leaf[node]


def plasma_cells(x, v, cells, dt, steps):
    k = 2 * np.pi * np.fft.fftfreq(cells)
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    k2 = np.where(k2 > 0, k2, 1.0)
    mean = x.shape[0] / (cells * cells)
    for _ in range(steps):
        i = np.floor(x).astype(np.int64)
        f = x - i
        i = i % cells
        j = (i + 1) % cells
        at = (i[:, 0] * cells + i[:, 1], i[:, 0] * cells + j[:, 1], j[:, 0] * cells + i[:, 1], j[:, 0] * cells + j[:, 1])
        w = ((1 - f[:, 0]) * (1 - f[:, 1]), (1 - f[:, 0]) * f[:, 1], f[:, 0] * (1 - f[:, 1]), f[:, 0] * f[:, 1])
        rho = sum(np.bincount(a, weights=b, minlength=cells * cells) for a, b in zip(at, w)).reshape(cells, cells) / mean - 1
        pot = np.fft.fft2(-rho) / k2
        ex = np.fft.ifft2(-1j * k[:, None] * pot).real.ravel()
        ey = np.fft.ifft2(-1j * k[None, :] * pot).real.ravel()
        field = np.stack([sum(b * e[a] for a, b in zip(at, w)) for e in (ex, ey)], axis=1)
        v = v - dt * field
        x = (x + dt * v) % cells
    return x, v, (ex * ex + ey * ey).sum()


def rigid_water(old, new, bond, angle, sweeps):
    inv = (1 / 15.999, 1 / 1.008, 1 / 1.008)
    p = [new[:, k] for k in range(3)]
    for _ in range(sweeps):
        for i, j, length in ((0, 1, bond), (0, 2, bond), (1, 2, angle)):
            d = p[i] - p[j]
            ref = old[:, i] - old[:, j]
            miss = (d * d).sum(axis=1) - length * length
            g = miss / (2 * (inv[i] + inv[j]) * (d * ref).sum(axis=1))
            p[i] = p[i] - (inv[i] * g)[:, None] * ref
            p[j] = p[j] + (inv[j] * g)[:, None] * ref
    out = np.stack(p, axis=1)
    off = np.abs(np.sqrt(((out[:, 0] - out[:, 1]) ** 2).sum(axis=1)) - bond).max()
    return out, off


def stokes_drag(pos, force, radius, viscosity):
    d = pos[:, None, :] - pos[None, :, :]
    r2 = np.einsum("ijk,ijk->ij", d, d)
    r = np.sqrt(np.where(r2 > 0, r2, 1.0))
    along = np.einsum("ijk,jk->ij", d, force) / r
    a = radius
    far = r > 2 * a
    s = np.where(far, 0.75 * a / r * (1 + 2 * a * a / (3 * r * r)), 1 - 9 * r / (32 * a))
    t = np.where(far, 0.75 * a / r * (1 - 2 * a * a / (r * r)), 3 * r / (32 * a))
    s = np.where(r2 > 0, s, 1.0)
    t = np.where(r2 > 0, t * along / r, 0.0)
    return (s @ force + np.einsum("ij,ijk->ik", t, d)) / (6 * np.pi * viscosity * a)


def wilson_plaquette(links, beta):
    def dagger(m):
        return np.conj(np.swapaxes(m, -1, -2))
    total = []
    staple = [0.0, 0.0, 0.0, 0.0]
    for mu in range(4):
        for nu in range(4):
            if mu != nu:
                u, v = links[mu], links[nu]
                part = np.roll(v, -1, axis=mu) @ dagger(np.roll(u, -1, axis=nu)) @ dagger(v)
                staple[mu] = staple[mu] + part
                if mu < nu:
                    total.append(np.einsum("...ij,...ji->...", u, part).real.mean() / 3)
    force = []
    for mu in range(4):
        w = links[mu] @ staple[mu]
        w = w - dagger(w)
        trace = np.einsum("...ii->...", w) / 3
        force.append(beta / 6 * (w - trace[..., None, None] * np.eye(3)))
    force = np.stack(force)
    return np.stack(total), (force.real ** 2 + force.imag ** 2).sum() / links[0].shape[0] ** 4


def quantum_circuit(angles, qubits):
    state = np.where(np.arange(2 ** qubits) == 0, 1.0, 0.0).astype(np.complex64)
    flip = np.array([[1, 1], [1, -1]], dtype=np.complex64)[None, :, :, None]
    for layer in range(angles.shape[0]):
        for k in range(qubits):
            s = state.reshape(2 ** k, 2, -1)
            c, d = np.cos(angles[layer, k, 0] / 2), np.sin(angles[layer, k, 0] / 2)
            turn = np.exp(0.5j * angles[layer, k, 1])
            a, b = (c * s[:, 0] - d * s[:, 1]) * np.conj(turn), (d * s[:, 0] + c * s[:, 1]) * turn
            state = np.stack((a, b), axis=1).reshape(-1)
        for k in range(qubits - 1):
            state = (state.reshape(2 ** k, 2, 2, -1) * flip).reshape(-1)
    p = state.real ** 2 + state.imag ** 2
    mean = [1 - 2 * p.reshape(2 ** k, 2, -1)[:, 1].sum() for k in range(qubits)]
    return np.stack(mean), p.sum()


def volume_render(grid, turn, h, w, steps):
    n = grid.shape[0]
    flat = grid.ravel()
    y, x = (np.arange(h) - h / 2)[:, None] / h * 1.4 + np.zeros((h, w)), (np.arange(w) - w / 2)[None, :] / w * 1.4 + np.zeros((h, w))
    c, s = np.cos(turn), np.sin(turn)
    color, clear = np.zeros((h, w)), np.ones((h, w))
    for k in range(steps):
        z = -0.8 + 1.6 * k / steps
        px, py, pz = (c * x + s * z + 0.5) * (n - 1), (y + 0.5) * (n - 1), (c * z - s * x + 0.5) * (n - 1)
        inside = (px >= 0) & (px < n - 1) & (py >= 0) & (py < n - 1) & (pz >= 0) & (pz < n - 1)
        i, j, l = (np.clip(np.floor(q), 0, n - 2).astype(np.int64) for q in (px, py, pz))
        fx, fy, fz = px - i, py - j, pz - l
        at = (l * n + j) * n + i
        low = (flat[at] * (1 - fx) + flat[at + 1] * fx) * (1 - fy) + (flat[at + n] * (1 - fx) + flat[at + n + 1] * fx) * fy
        at = at + n * n
        top = (flat[at] * (1 - fx) + flat[at + 1] * fx) * (1 - fy) + (flat[at + n] * (1 - fx) + flat[at + n + 1] * fx) * fy
        dense = np.where(inside, low * (1 - fz) + top * fz, 0.0)
        opaque = 1 - np.exp(-np.maximum(dense - 0.3, 0) * 20 / steps)
        color = color + clear * opaque * dense
        clear = clear * (1 - opaque)
    return color, clear


def color_cube(image, table):
    n = table.shape[0]
    flat = table.reshape(-1, 3)
    p = np.clip(image, 0, 1) * (n - 1)
    start = np.minimum(np.floor(p), n - 2)
    i, f = start.astype(np.int32), p - start
    r, g, b = f[:, :, 0], f[:, :, 1], f[:, :, 2]
    at = (i[:, :, 0] * n + i[:, :, 1]) * n + i[:, :, 2]
    high = np.maximum(np.maximum(r, g), b)
    low = np.minimum(np.minimum(r, g), b)
    mid = r + g + b - high - low
    first = np.where((r >= g) & (r >= b), n * n, np.where(g >= b, n, 1))
    last = np.where((b <= r) & (b <= g), 1, np.where(g <= r, n, n * n))
    end = n * n + n + 1
    return ((1 - high)[:, :, None] * flat[at] + (high - mid)[:, :, None] * flat[at + first]
            + (mid - low)[:, :, None] * flat[at + end - last] + low[:, :, None] * flat[at + end])


def local_kriging(sites, values, targets, near, reach):
    d2 = ((targets[:, None, :] - sites[None, :, :]) ** 2).sum(axis=2)
    pick = np.argsort(d2, axis=1)[:, :near]
    s = sites[pick]
    gap = np.sqrt(((s[:, :, None, :] - s[:, None, :, :]) ** 2).sum(axis=3))
    cov = np.exp(-gap / reach)
    m = targets.shape[0]
    left = np.concatenate((cov, np.ones((m, 1, near))), axis=1)
    edge = np.concatenate((np.ones((m, near, 1)), np.zeros((m, 1, 1))), axis=1)
    left = np.concatenate((left, edge), axis=2)
    right = np.concatenate((np.exp(-np.sqrt(np.take_along_axis(d2, pick, axis=1)) / reach), np.ones((m, 1))), axis=1)
    w = np.linalg.solve(left, right[:, :, None])[:, :, 0]
    return (w[:, :near] * values[pick]).sum(axis=1), 1 - (w * right).sum(axis=1)


def path_integral_control(start, plan, noise, posts, dt, heat):
    x, y, yaw, speed = (start[k] + np.zeros(noise.shape[1]) for k in range(4))
    cost = np.zeros(noise.shape[1])
    for t in range(plan.shape[0]):
        u = np.clip(plan[t] + noise[t], -1, 1)
        speed = np.clip(speed + 3 * dt * u[:, 0], 0, 12)
        yaw = yaw + dt * speed * np.tan(0.5 * u[:, 1]) / 2.5
        x, y = x + dt * speed * np.cos(yaw), y + dt * speed * np.sin(yaw)
        clear = np.sqrt((x[:, None] - posts[:, 0]) ** 2 + (y[:, None] - posts[:, 1]) ** 2).min(axis=1)
        cost = cost + 0.1 * y * y + 0.05 * (speed - 8) ** 2 + np.where(clear < 1, 50.0, 0.0) + 0.02 * (u * u).sum(axis=1)
    w = np.exp(-(cost - cost.min()) / heat)
    w = w / w.sum()
    return plan + np.einsum("k,tkj->tj", w, noise), 1 / (w * w).sum(), (w * cost).sum()


def arm_kinematics(joints, target, shift, length, twist, steps):
    n, count = joints.shape
    one, zero = np.ones(n), np.zeros(n)
    q = joints
    for _ in range(steps):
        frame = np.broadcast_to(np.eye(4), (n, 4, 4))
        frames = [frame]
        for k in range(count):
            c, s, ca, sa = np.cos(q[:, k]), np.sin(q[:, k]), np.cos(twist[k]), np.sin(twist[k])
            link = np.stack((c, -s * ca, s * sa, length[k] * c, s, c * ca, -c * sa, length[k] * s, zero, sa * one, ca * one, shift[k] * one,
                             zero, zero, zero, one), axis=1).reshape(n, 4, 4)
            frame = frame @ link
            frames.append(frame)
        tip = frame[:, :3, 3]
        jac = np.stack([np.cross(f[:, :3, 2], tip - f[:, :3, 3]) for f in frames[:-1]], axis=2)
        miss = target - tip
        a = jac @ np.swapaxes(jac, 1, 2) + 0.01 * np.eye(3)
        q = q + np.einsum("nij,ni->nj", jac, np.linalg.solve(a, miss[:, :, None])[:, :, 0])
    return q, np.sqrt((miss * miss).sum(axis=1))


def sabr_smile(forward, strike, expiry, alpha, beta, rho, nu):
    f, k = forward[:, None], strike[None, :]
    t = expiry[:, None]
    a, r, v = alpha[:, None], rho[:, None], nu[:, None]
    mid = (f * k) ** ((1 - beta) / 2)
    log = np.log(f / k)
    z = v / a * mid * log
    chi = np.log((np.sqrt(1 - 2 * r * z + z * z) + z - r) / (1 - r))
    ratio = np.where(np.abs(z) < 1e-6, 1 - r * z / 2, z / np.where(np.abs(chi) < 1e-12, 1.0, chi))
    e = 1 - beta
    under = mid * (1 + e * e / 24 * log ** 2 + e ** 4 / 1920 * log ** 4)
    grow = 1 + (e * e / 24 * a * a / (mid * mid) + r * beta * v * a / (4 * mid) + (2 - 3 * r * r) / 24 * v * v) * t
    return a / under * ratio * grow


def gwas_scan(dosage, trait, covariates):
    x = dosage.astype(np.float32)
    freq = x.mean(axis=0) / 2
    q, _ = np.linalg.qr(covariates)
    x = x - q @ (q.T @ x)
    y = trait - q @ (q.T @ trait)
    xx, xy, yy = (x * x).sum(axis=0), x.T @ y, (y * y).sum()
    beta = xy / xx
    left = dosage.shape[0] - covariates.shape[1] - 1
    chi = beta * beta * xx * left / (yy - beta * xy)
    return beta, chi, np.median(chi) / 0.4549, freq


def tree_likelihood(tips, branch, rates, kappa):
    freq = np.full(4, 0.25)
    like = (tips[:, :, None] == np.arange(4)).astype(np.float64)[:, None]
    at = 0
    same = np.arange(4)[:, None] == np.arange(4)[None, :]
    swap = (np.arange(4)[:, None] + 2) % 4 == np.arange(4)[None, :]
    logs = np.zeros(tips.shape[1])
    while like.shape[0] > 1:
        t = branch[at: at + like.shape[0], None] * rates[None, :]
        at += like.shape[0]
        e1, e2 = np.exp(-4 * t / (kappa + 2)), np.exp(-2 * t * (kappa + 1) / (kappa + 2))
        e1, e2 = e1[:, :, None, None], e2[:, :, None, None]
        p = np.where(same, 0.25 + 0.25 * e1 + 0.5 * e2, np.where(swap, 0.25 + 0.25 * e1 - 0.5 * e2, 0.25 - 0.25 * e1))
        up = np.einsum("nrij,nrsj->nrsi", p, np.broadcast_to(like, (like.shape[0], rates.shape[0]) + like.shape[2:]))
        like = up[0::2] * up[1::2]
        top = like.max(axis=(1, 3), keepdims=True)
        like = like / top
        logs = logs + np.log(top).sum(axis=(0, 1, 3))
    return (np.log((like[0] @ freq).mean(axis=0)) + logs).sum()


def minimizers(bases, k, window):
    n = bases.shape[0] - k + 1
    code, back = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    for j in range(k):
        code = (code << 2) | bases[j: j + n]
        back = (back << 2) | (3 - bases[k - 1 - j: k - 1 - j + n])
    x = np.minimum(code, back)
    x = (x ^ (x >> 33)) * 0x7F51AFD7ED558CCD
    x = (x ^ (x >> 29)) * 0x44CEB9FE1A85EC53
    x = x ^ (x >> 32)
    m = n - window + 1
    low, where = x[:m], np.arange(m)
    for j in range(1, window):
        less = x[j: j + m] < low
        where = np.where(less, np.arange(m) + j, where)
        low = np.where(less, x[j: j + m], low)
    return low, where, (where[1:] != where[:-1]).mean()


def winding_number(points, corners):
    v = [corners[None, :, k, :] - points[:, None, :] for k in range(3)]
    a, b, c = v
    la, lb, lc = (np.sqrt((e * e).sum(axis=2)) for e in v)
    det = (a * np.cross(b, c)).sum(axis=2)
    rest = la * lb * lc + (a * b).sum(axis=2) * lc + (b * c).sum(axis=2) * la + (c * a).sum(axis=2) * lb
    total = np.arctan2(det, rest).sum(axis=1) / (2 * np.pi)
    return total, total > 0.5


def lattice_gas(cells, wall, steps):
    for _ in range(steps):
        e, n, w, s = cells & 1, (cells >> 1) & 1, (cells >> 2) & 1, (cells >> 3) & 1
        hit = (e & w & (1 - n) & (1 - s)) | (n & s & (1 - e) & (1 - w))
        cells = np.where(hit > 0, cells ^ 15, cells)
        cells = np.where(wall, ((cells & 3) << 2) | (cells >> 2), cells)
        cells = (np.roll(cells & 1, 1, axis=1) | np.roll(cells & 2, -1, axis=0)
                 | np.roll(cells & 4, -1, axis=1) | np.roll(cells & 8, 1, axis=0))
    h, w = cells.shape
    count = (cells & 1) + ((cells >> 1) & 1) + ((cells >> 2) & 1) + ((cells >> 3) & 1)
    return cells, count.reshape(h // 16, 16, w // 16, 16).mean(axis=(1, 3))


def knapsack(weight, value, capacity):
    room = np.arange(capacity + 1)
    best = np.zeros(capacity + 1)
    used = np.zeros(capacity + 1, np.int32)
    for k in range(weight.shape[0]):
        from_ = room - weight[k]
        back = np.maximum(from_, 0)
        take = np.where(from_ >= 0, best[back] + value[k], -1.0)
        used = np.where(take > best, used[back] + 1, used)
        best = np.maximum(best, take)
    return best, used


def box_least_squares(time, flux, periods, bins):
    y = flux - flux.mean()
    n = y.shape[0]
    power, depth, phase = [], [], []
    for k in range(periods.shape[0]):
        at = ((time / periods[k]) % 1.0 * bins).astype(np.int64) % bins
        r = np.bincount(at, minlength=bins) / n
        s = np.bincount(at, weights=y, minlength=bins) / n
        r, s = (np.cumsum(np.concatenate((np.zeros(1), q, q[:16]))) for q in (r, s))
        found, dip = [], []
        for width in (2, 4, 8, 16):
            a, b = r[width: bins + width] - r[:bins], s[width: bins + width] - s[:bins]
            gap = np.maximum(a * (1 - a), 1e-9)
            found.append(np.where(b < 0, b * b / gap, 0.0))
            dip.append(-b / gap)
        found, dip = np.stack(found).ravel(), np.stack(dip).ravel()
        at = found.argmax()
        power.append(found[at])
        depth.append(dip[at])
        phase.append(at % bins)
    power = np.stack(power)
    return power, np.stack(depth), np.stack(phase), periods[power.argmax()]


def suffix_ranks(text):
    n = text.shape[0]
    rank = text.astype(np.int64)
    step = 1
    while True:
        after = np.zeros(n, np.int64)
        after[:-step] = rank[step:] + 1
        key = rank * (n + 2) + after
        order = np.argsort(key)
        key = key[order]
        new = np.zeros(n, np.int64)
        new[1:] = key[1:] != key[:-1]
        rank = np.empty(n, np.int64)
        rank[order] = np.cumsum(new)
        step *= 2
        if int(rank.max()) == n - 1 or step >= n:
            break
    return order, text[order - 1]


def two_opt(x, y, limit):
    n = x.shape[0]
    tour = np.arange(n)
    i, j = np.arange(n)[:, None], np.arange(n)[None, :]
    valid = (j > i + 1) & ((i > 0) | (j < n - 1))
    dist = np.sqrt((x[:, None] - x[None, :]) ** 2 + (y[:, None] - y[None, :]) ** 2)
    moves = 0
    while moves < limit:
        after = np.roll(tour, -1)
        legs = dist[tour, after]
        gain = dist[tour[:, None], tour[None, :]] + dist[after[:, None], after[None, :]] - legs[:, None] - legs[None, :]
        gain = np.where(valid, gain, 0.0)
        at = int(gain.argmin())
        a, b = at // n, at % n
        if float(gain[a, b]) > -1e-9:
            break
        tour[a + 1: b + 1] = tour[a + 1: b + 1][::-1].copy()
        moves += 1
    return tour, dist[tour, np.roll(tour, -1)].sum()


def hop_counts(adjacency, sources):
    n = adjacency.shape[0]
    rows = np.arange(sources.shape[0])
    hops = np.full((sources.shape[0], n), -1, np.int32)
    hops[rows, sources] = 0
    front = np.zeros((sources.shape[0], n), np.float32)
    front[rows, sources] = 1
    paths = front.copy()
    step = 0
    while bool(front.any()):
        step += 1
        count = front @ adjacency
        fresh = (count > 0) & (hops < 0)
        hops[fresh] = step
        front = np.where(fresh, count, 0).astype(np.float32)
        paths = paths + front
    reached = (hops > 0).sum(axis=1)
    return hops, paths, reached / np.maximum(np.where(hops > 0, hops, 0).sum(axis=1), 1)


def spike_correlogram(times, units, count, bins, width):
    table = np.zeros(count * count * bins)
    lag = 1
    while True:
        gap = times[lag:] - times[:-lag]
        near = gap < width
        if not bool(near.any()):
            break
        first, second = units[:-lag][near], units[lag:][near]
        slot = np.minimum((gap[near] / width * bins).astype(np.int64), bins - 1)
        table += np.bincount((first * count + second) * bins + slot, minlength=count * count * bins)
        lag += 1
    table = table.reshape(count, count, bins)
    return table, table.sum(axis=2) / table.sum()


def n4(r, *shape):
    return r.standard_normal(shape, dtype=np.float32)


def vortex(n):
    g = 2 * np.pi * np.arange(n) / n
    x, y, z = g[:, None, None], g[None, :, None], g[None, None, :]
    return np.stack((np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0 * (x + y + z)))


def bubbles(r, n):
    y, x = np.arange(n)[:, None] / n, np.arange(n)[None, :] / n
    return np.min([np.sqrt((x - a) ** 2 + (y - b) ** 2) - 0.05 for a, b in f8(r, 12, 2)], axis=0).astype(np.float32)


def ricker(n):
    t = (np.arange(n) - n / 4) / (n / 10)
    return ((1 - 2 * t * t) * np.exp(-t * t)).astype(np.float32)


def diffraction(r, n):
    inside = np.zeros((n, n), bool)
    inside[n // 4: n // 4 + n // 3, n // 4: n // 4 + n // 3] = True
    return np.abs(np.fft.fft2(np.where(inside, f8(r, n, n), 0))), inside, f8(r, n, n), 0.8, 20


def stereo_pair(r, h, w):
    left = f4(r, h, w)
    return left, np.where(np.arange(h)[:, None] < h // 2, np.roll(left, -7, axis=1), np.roll(left, -21, axis=1)) + 0.1 * f4(r, h, w), 40, 4


def parity(r, batch, n, noise):
    slots = r.permutation(3 * n)
    return (2 / noise ** 2 * (1 + noise * n4(r, batch, n))).astype(np.float32), (slots // 3).reshape(-1, 6), np.argsort(slots).reshape(n, 3), 12


def galois(r, n, count):
    exps, x = [], 1
    for _ in range(255):
        exps.append(x)
        x = x << 1 ^ (0x11D if x & 128 else 0)
    logs = np.zeros(256, np.int64)
    logs[np.array(exps)] = np.arange(255)
    return r.integers(0, 256, (n, 255)), np.array(exps), logs, count


def regression(r, n, k):
    x = np.concatenate((np.ones((n, 1)), r.standard_normal((n, k - 1))), axis=1)
    return x, x @ f8(r, k) + r.standard_normal(n) * (1 + 0.3 * np.abs(x[:, 1]))


def exam(r, people, items, nodes):
    grid = np.linspace(-4, 4, nodes)
    skill, hard, sharp = r.standard_normal(people), r.standard_normal(items), 0.5 + 1.5 * f8(r, items)
    right = f8(r, people, items) < 1 / (1 + np.exp(-sharp * (skill[:, None] - hard)))
    return right.astype(np.float64), grid, np.exp(-grid ** 2 / 2) / np.exp(-grid ** 2 / 2).sum(), 12


def waters(r, n):
    base = np.array([[0, 0, 0], [0.9572, 0, 0], [-0.23999, 0.92663, 0]])
    old = base + 20 * f8(r, n, 1, 3)
    return old, old + 0.05 * r.standard_normal((n, 3, 3)), 0.9572, 1.5139, 16


def gauge(r, n):
    m = r.standard_normal((4, n, n, n, n, 3, 3)) + 1j * r.standard_normal((4, n, n, n, n, 3, 3))
    q, up = np.linalg.qr(np.eye(3) + 0.1 * m)
    d = np.einsum("...ii->...i", up)
    q = q * (d / np.abs(d))[..., None, :]
    return q / np.linalg.det(q)[..., None, None] ** (1 / 3)


def blobs(r, n):
    g = np.arange(n) / n
    z, y, x = g[:, None, None], g[None, :, None], g[None, None, :]
    return sum(np.exp(-((x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2) * 80) for a, b, c in 0.2 + 0.6 * f8(r, 10, 3)).astype(np.float32)


def cube(r, n):
    g = np.linspace(0, 1, n)
    plain = np.stack(np.meshgrid(g, g, g, indexing="ij"), axis=3)
    return (plain ** 0.8 + 0.02 * f8(r, n, n, n, 3)).astype(np.float32)


def cohort(r, people, snps, extra):
    dosage = r.binomial(2, 0.05 + 0.45 * f8(r, snps), (people, snps)).astype(np.int8)
    trait = dosage[:, :5] @ np.full(5, 0.2) + r.standard_normal(people)
    return dosage, trait.astype(np.float32), np.concatenate((np.ones((people, 1), np.float32), n4(r, people, extra)), axis=1)


def species(r, tips, sites):
    root = r.integers(0, 4, sites)
    return np.where(f8(r, tips, sites) < 0.15, r.integers(0, 4, (tips, sites)), root), 0.02 + 0.2 * f8(r, 2 * tips), np.array([0.15, 0.5, 1.0, 2.35]), 4.0


def sphere(n):
    a, b = np.pi * np.arange(n + 1) / n, np.pi * np.arange(2 * n + 1) / n
    p = np.stack((np.sin(a)[:, None] * np.cos(b), np.sin(a)[:, None] * np.sin(b), np.cos(a)[:, None] + 0 * b), axis=2)
    q, s, t, u = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
    return np.concatenate((np.stack((q, s, t), axis=2).reshape(-1, 3, 3), np.stack((q, t, u), axis=2).reshape(-1, 3, 3)))


def transits(r, n, periods):
    t = np.sort(90 * f8(r, n))
    return t, 1 - 0.01 * ((t / 3.7) % 1.0 < 0.04) + 0.005 * r.standard_normal(n), np.linspace(2.0, 5.4, periods), 256


def repeats(r, n):
    text = r.integers(0, 4, n)
    return np.concatenate((text, text[: n // 20], text[n // 2:]))


def graph(r, n, degree):
    a = f4(r, n, n) < degree / n
    return (a | a.T).astype(np.float32) * (1 - np.eye(n, dtype=np.float32))


def cities(r, n):
    p = f8(r, n, 2)
    row = np.floor(p[:, 1] * 10)
    p = p[np.lexsort((np.where(row % 2 == 0, p[:, 0], -p[:, 0]), row))]
    return p[:, 0].copy(), p[:, 1].copy(), 400


PROGRAMS = {  # name: (function, its arguments from a generator, positions of what is known when compiling)
    "taylor_green": (taylor_green, lambda r: (vortex(64), 0.01, 0.01, 3), (3,)),
    "level_set": (level_set, lambda r: (bubbles(r, 1200), f4(r, 1200, 1200) - 0.3, 1 / 1200, 0.3 / 1200, 12), (4,)),
    "cardiac_tissue": (cardiac_tissue, lambda r: ((f4(r, 512, 512) < 0.3).astype(np.float32), 0.2 * f4(r, 512, 512), 0.2, 0.1, 80), (4,)),
    "elastic_waves": (elastic_waves, lambda r: (1 + 0.2 * f4(r, 500, 500), 1 + 0.2 * f4(r, 500, 500), 1 + 0.1 * f4(r, 500, 500), ricker(80), 0.3, 1.0), ()),
    "darcy_pressure": (darcy_pressure, lambda r: (np.exp(1.5 * r.standard_normal((48, 48, 48))), f8(r, 48, 48, 48) - 0.5, 1e-8), ()),
    "phase_retrieval": (phase_retrieval, lambda r: diffraction(r, 512), (4,)),
    "stereo_disparity": (stereo_disparity, lambda r: stereo_pair(r, 600, 800), (2, 3)),
    "demosaic": (demosaic, lambda r: (f4(r, 2000, 3000), np.array([1.9, 1.0, 1.5], np.float32), 1 / 2.2), ()),
    "filter_bank": (filter_bank, lambda r: ((n4(r, 2 ** 22) + 1j * n4(r, 2 ** 22)).astype(np.complex64), np.hanning(8 * 1024).reshape(8, 1024)
                                            .astype(np.float32), 64), (2,)),
    "ldpc_minsum": (ldpc_minsum, lambda r: parity(r, 128, 1200, 0.75), (3,)),
    "galois_syndromes": (galois_syndromes, lambda r: galois(r, 4000, 16), (3,)),
    "chacha_blocks": (chacha_blocks, lambda r: (r.integers(0, 2 ** 32, 8, np.uint32), r.integers(0, 2 ** 32, 3, np.uint32),
                                                np.arange(400_000, dtype=np.uint32), 20), (3,)),
    "lcs_bits": (lcs_bits, lambda r: (r.integers(0, 4, (200_000, 64)), r.integers(0, 4, (200_000, 64)), 4), (2,)),
    "quantile_regression": (quantile_regression, lambda r: (*regression(r, 60_000, 16), 0.9, 12), (3,)),
    "newey_west": (newey_west, lambda r: (*regression(r, 200_000, 12), 24), (2,)),
    "item_response": (item_response, lambda r: exam(r, 20_000, 40, 31), (3,)),
    "selective_scan": (selective_scan, lambda r: (n4(r, 8, 64, 1536), n4(r, 8, 64, 1536) - 2, -4 * f4(r, 1536, 16), n4(r, 8, 64, 16), n4(r, 8, 64, 16),
                                                  f4(r, 1536)), ()),
    "window_attention": (window_attention, lambda r: (n4(r, 4, 112, 112, 96), 0.1 * n4(r, 96, 288), n4(r, 3, 49, 49), 0.1 * n4(r, 96, 96), 7, 3), (4, 5)),
    "clipped_policy": (clipped_policy, lambda r: (n4(r, 80, 100_000), n4(r, 81, 100_000), (f4(r, 80, 100_000) < 0.02).astype(np.float32),
                                                  0.1 * n4(r, 80, 100_000), 0.1 * n4(r, 80, 100_000), 0.99, 0.95, 0.2), ()),
    "beam_step": (beam_step, lambda r: (-8 * f4(r, 96, 5), 3 * n4(r, 96, 5, 12_000), r.integers(0, 12_000, (96, 5, 20)), 5), (3,)),
    "message_passing": (message_passing, lambda r: (f4(r, 20_000, 32), r.integers(0, 20_000, 100_000), r.integers(0, 20_000, 100_000),
                                                    0.3 * n4(r, 2, 32, 32), 0.3 * n4(r, 2, 32, 32), 2), (5,)),
    "boosting_round": (boosting_round, lambda r: (r.integers(0, 64, (16, 200_000)), r.standard_normal(200_000), 0.1 + f8(r, 200_000), 64, 4, 1.0), (3, 4)),
    "plasma_cells": (plasma_cells, lambda r: (128 * f8(r, 400_000, 2), 0.2 * r.standard_normal((400_000, 2)), 128, 0.1, 4), (2, 4)),
    "rigid_water": (rigid_water, lambda r: waters(r, 100_000), (4,)),
    "stokes_drag": (stokes_drag, lambda r: (30 * f8(r, 1600, 3), r.standard_normal((1600, 3)), 0.5, 1.0), ()),
    "wilson_plaquette": (wilson_plaquette, lambda r: (gauge(r, 12), 6.0), ()),
    "quantum_circuit": (quantum_circuit, lambda r: (6.28 * f4(r, 2, 19, 2), 19), (1,)),
    "volume_render": (volume_render, lambda r: (blobs(r, 96), 0.6, 300, 300, 48), (2, 3, 4)),
    "color_cube": (color_cube, lambda r: (f4(r, 1000, 1500, 3), cube(r, 33)), ()),
    "local_kriging": (local_kriging, lambda r: (f8(r, 1000, 2), r.standard_normal(1000), f8(r, 4000, 2), 12, 0.2), (3,)),
    "path_integral_control": (path_integral_control, lambda r: (np.array([0.0, 1.0, 0.0, 6.0]), np.zeros((50, 2)), 0.4 * r.standard_normal((50, 10_000, 2)),
                                                                f8(r, 6, 2) * np.array([20.0, 8.0]) + np.array([4.0, -4.0]), 0.05, 5.0), ()),
    "arm_kinematics": (arm_kinematics, lambda r: (f8(r, 20_000, 6) * 2 - 1, f8(r, 20_000, 3) - 0.3, np.array([0.4, 0.0, 0.1, 0.4, 0.0, 0.1]),
                                                  np.array([0.0, 0.4, 0.0, 0.0, 0.0, 0.0]), np.pi / 2 * np.array([1.0, 0.0, 1.0, -1.0, 1.0, 0.0]), 4), (5,)),
    "sabr_smile": (sabr_smile, lambda r: (0.02 + 0.03 * f8(r, 1000), np.linspace(0.005, 0.1, 1500), 0.2 + 10 * f8(r, 1000), 0.02 + 0.03 * f8(r, 1000), 0.5,
                                          f8(r, 1000) - 0.7, 0.2 + 0.4 * f8(r, 1000)), ()),
    "gwas_scan": (gwas_scan, lambda r: cohort(r, 2000, 5000, 5), ()),
    "tree_likelihood": (tree_likelihood, lambda r: species(r, 32, 12_000), ()),
    "minimizers": (minimizers, lambda r: (r.integers(0, 4, 2_000_000).astype(np.uint64), 21, 11), (1, 2)),
    "winding_number": (winding_number, lambda r: (2.4 * f8(r, 1500, 3) - 1.2, sphere(16)), ()),
    "lattice_gas": (lattice_gas, lambda r: (r.integers(0, 16, (1024, 1024)).astype(np.uint8), f4(r, 1024, 1024) < 0.01, 40), (2,)),
    "knapsack": (knapsack, lambda r: (r.integers(50, 6000, 90), f8(r, 90) * 100, 250_000), (2,)),
    "box_least_squares": (box_least_squares, lambda r: transits(r, 100_000, 80), (3,)),
    "suffix_ranks": (suffix_ranks, lambda r: (repeats(r, 200_000),), ()),
    "two_opt": (two_opt, lambda r: cities(r, 500), (2,)),
    "hop_counts": (hop_counts, lambda r: (graph(r, 3000, 4), r.integers(0, 3000, 100)), ()),
    "spike_correlogram": (spike_correlogram, lambda r: (np.sort(600 * f8(r, 400_000)), r.integers(0, 12, 400_000), 12, 50, 0.02), (2, 3)),
}
