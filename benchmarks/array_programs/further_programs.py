"""A fifth set of array programs: solvers, filters, statistics, genetics, astronomy, maps, images, physics, finance, learning.
Written as scientists and students write them, each one function of NumPy that CuPy runs unchanged and, where it stores nothing into slices, JAX compiles.
"""
import numpy as np
from random_arrays import f4, f8, normal


def thomas(a, b, c, d):
    n = d.shape[1]
    cp, dp = np.zeros_like(c), np.zeros_like(d)
    cp[:, 0] = c[:, 0] / b[:, 0]
    dp[:, 0] = d[:, 0] / b[:, 0]
    for i in range(1, n):
        w = b[:, i] - a[:, i] * cp[:, i - 1]
        cp[:, i] = c[:, i] / w
        dp[:, i] = (d[:, i] - a[:, i] * dp[:, i - 1]) / w
    x = np.zeros_like(d)
    x[:, -1] = dp[:, -1]
    for i in range(n - 2, -1, -1):
        x[:, i] = dp[:, i] - cp[:, i] * x[:, i + 1]
    return x


def conjugate_gradient(b, iterations):
    def laplace(u):
        out = 4 * u
        out[1:, :] -= u[:-1, :]
        out[:-1, :] -= u[1:, :]
        out[:, 1:] -= u[:, :-1]
        out[:, :-1] -= u[:, 1:]
        return out
    x = np.zeros_like(b)
    r = b - laplace(x)
    p = r.copy()
    rr = np.sum(r * r)
    for _ in range(iterations):
        ap = laplace(p)
        alpha = rr / np.sum(p * ap)
        x += alpha * p
        r -= alpha * ap
        new = np.sum(r * r)
        p = r + new / rr * p
        rr = new
    return x, np.sqrt(rr)


def arnoldi(a, v, m):
    q = np.zeros((m + 1, v.shape[0]))
    h = np.zeros((m + 1, m))
    q[0] = v / np.linalg.norm(v)
    for k in range(m):
        w = a @ q[k]
        for j in range(k + 1):
            h[j, k] = np.dot(q[j], w)
            w = w - h[j, k] * q[j]
        h[k + 1, k] = np.linalg.norm(w)
        q[k + 1] = w / h[k + 1, k]
    return q, h


def power_deflation(a, v, count, iterations):
    values = []
    for _ in range(count):
        x = v
        for _ in range(iterations):
            y = a @ x
            x = y / np.sqrt(np.sum(y * y))
        value = x @ (a @ x)
        a = a - value * np.outer(x, x)
        values.append(value)
    return np.stack(values)


def fit_exponentials(t, y, amp, rate, iterations):
    lam = 1e-2
    for _ in range(iterations):
        e = np.exp(-rate[:, None] * t)
        r = y - amp[:, None] * e
        j1, j2 = e, -amp[:, None] * t * e
        a11, a12, a22 = (j1 * j1).sum(1) * (1 + lam), (j1 * j2).sum(1), (j2 * j2).sum(1) * (1 + lam)
        g1, g2 = (j1 * r).sum(1), (j2 * r).sum(1)
        det = a11 * a22 - a12 * a12
        amp = amp + (a22 * g1 - a12 * g2) / det
        rate = rate + (a11 * g2 - a12 * g1) / det
    return amp, rate


def kalman_tracks(z, f, h, q, r, x, p):
    eye = np.eye(4)
    for t in range(z.shape[0]):
        x = x @ f.T
        p = f @ p @ f.T + q
        s = h @ p @ h.T + r
        k = p @ h.T @ np.linalg.inv(s)
        x = x + np.squeeze(k @ (z[t] - x @ h.T)[:, :, None], axis=2)
        p = (eye - k @ h) @ p
    return x, p


def hmm_forward(start, trans, emit, obs):
    alpha = start * emit[:, obs[0]].T
    total = np.zeros(obs.shape[1])
    for t in range(1, obs.shape[0]):
        alpha = (alpha @ trans) * emit[:, obs[t]].T
        scale = alpha.sum(axis=1)
        alpha = alpha / scale[:, None]
        total = total + np.log(scale)
    return total, alpha


def viterbi(log_start, log_trans, log_emit):
    score = log_start + log_emit[:, 0]
    back = []
    for t in range(1, log_emit.shape[1]):
        choice = score[:, :, None] + log_trans
        back.append(np.argmax(choice, axis=1))
        score = np.max(choice, axis=1) + log_emit[:, t]
    state = np.argmax(score, axis=1)
    path = [state]
    for step in reversed(back):
        state = np.take_along_axis(step, state[:, None], axis=1)[:, 0]
        path.append(state)
    return np.stack(path[::-1], axis=1), np.max(score, axis=1)


def mixture_em(x, mean, var, weight, iterations):
    for _ in range(iterations):
        d = x[:, None, :] - mean[None]
        logp = -0.5 * np.sum(d * d / var + np.log(2 * np.pi * var), axis=2) + np.log(weight)
        top = logp.max(axis=1, keepdims=True)
        lse = top + np.log(np.sum(np.exp(logp - top), axis=1, keepdims=True))
        resp = np.exp(logp - lse)
        nk = resp.sum(axis=0)
        mean = resp.T @ x / nk[:, None]
        var = resp.T @ (x * x) / nk[:, None] - mean ** 2 + 1e-6
        weight = nk / x.shape[0]
    return mean, var, weight, lse.sum()


def asian_option(z, s0, k, r, sigma, dt):
    steps = (r - 0.5 * sigma ** 2) * dt + sigma * np.sqrt(dt) * z
    paths = s0 * np.exp(np.cumsum(steps, axis=1))
    arith, geo = paths.mean(axis=1), np.exp(np.log(paths).mean(axis=1))
    x, y = np.maximum(arith - k, 0), np.maximum(geo - k, 0)
    beta = np.mean((x - x.mean()) * (y - y.mean())) / np.var(y)
    adjusted = x - beta * (y - y.mean())
    return adjusted.mean(), adjusted.std() / np.sqrt(adjusted.shape[0])


def implied_volatility(price, s, k, t, r, iterations):
    sigma = np.full_like(price, 0.3)
    for _ in range(iterations):
        d1 = (np.log(s / k) + (r + 0.5 * sigma ** 2) * t) / (sigma * np.sqrt(t))
        d2 = d1 - sigma * np.sqrt(t)
        n1 = 1 / (1 + np.exp(-1.5976 * d1 - 0.07056 * d1 ** 3))
        n2 = 1 / (1 + np.exp(-1.5976 * d2 - 0.07056 * d2 ** 3))
        value = s * n1 - k * np.exp(-r * t) * n2
        vega = s * np.exp(-0.5 * d1 ** 2) / np.sqrt(2 * np.pi) * np.sqrt(t)
        sigma = np.clip(sigma - (value - price) / (vega + 1e-8), 0.01, 3.0)
    return sigma


def ising(spin, uniform, beta, sweeps):
    n = spin.shape[0]
    i, j = np.arange(n)[:, None], np.arange(n)[None, :]
    energy = []
    for s in range(sweeps):
        for parity in range(2):
            near = np.roll(spin, 1, 0) + np.roll(spin, -1, 0) + np.roll(spin, 1, 1) + np.roll(spin, -1, 1)
            flip = (uniform[s, parity] < np.exp(-2 * beta * spin * near)) & ((i + j) % 2 == parity)
            spin = np.where(flip, -spin, spin)
        energy.append(-np.mean(spin * np.roll(spin, 1, 0)) - np.mean(spin * np.roll(spin, 1, 1)))
    return spin, np.stack(energy)


def lennard_jones(pos, vel, box, dt, steps):
    n = pos.shape[0]
    far = np.eye(n) * 1e6

    def force(p):
        d = p[:, None, :] - p[None, :, :]
        d = d - box * np.round(d / box)
        r2 = np.sum(d ** 2, axis=-1) + far
        i6 = 1.0 / r2 ** 3
        f = np.where(r2 < 6.25, 24 * (2 * i6 * i6 - i6) / r2, 0.0)
        return np.sum(f[:, :, None] * d, axis=1), 0.5 * np.sum(np.where(r2 < 6.25, 4 * (i6 * i6 - i6), 0.0))
    f, potential = force(pos)
    for _ in range(steps):
        vel = vel + 0.5 * dt * f
        pos = (pos + dt * vel) % box
        f, potential = force(pos)
        vel = vel + 0.5 * dt * f
    return pos, vel, potential


def bellman_ford(dist, weight, rounds):
    for _ in range(rounds):
        dist = np.minimum(dist, np.min(dist[:, :, None] + weight[None], axis=1))
    return dist


def warp_bilinear(image, flow):
    h, w = image.shape
    y = np.clip(np.arange(h)[:, None] + flow[0], 0, h - 1.001)
    x = np.clip(np.arange(w)[None, :] + flow[1], 0, w - 1.001)
    y0, x0 = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    fy, fx = y - y0, x - x0
    return ((1 - fy) * (1 - fx) * image[y0, x0] + (1 - fy) * fx * image[y0, x0 + 1]
            + fy * (1 - fx) * image[y0 + 1, x0] + fy * fx * image[y0 + 1, x0 + 1])


def equalise(image):
    histogram = np.bincount(image.ravel(), minlength=256)
    cdf = np.cumsum(histogram)
    low = cdf[np.argmax(cdf > 0)]
    table = np.round((cdf - low) / (image.size - low) * 255).astype(np.uint8)
    return table[image]


def morphology(image, rounds):
    for _ in range(rounds):
        p = np.pad(image, 1, mode="edge")
        eroded = p[1:-1, 1:-1]
        for dy in range(3):
            for dx in range(3):
                eroded = np.minimum(eroded, p[dy:dy + image.shape[0], dx:dx + image.shape[1]])
        p = np.pad(eroded, 1, mode="edge")
        image = p[1:-1, 1:-1]
        for dy in range(3):
            for dx in range(3):
                image = np.maximum(image, p[dy:dy + eroded.shape[0], dx:dx + eroded.shape[1]])
    return image


def horn_schunck(a, b, alpha, iterations):
    ix, iy = np.gradient(a, axis=1), np.gradient(a, axis=0)
    it = b - a
    u, v = np.zeros_like(a), np.zeros_like(a)

    def mean(f):
        return (np.roll(f, 1, 0) + np.roll(f, -1, 0) + np.roll(f, 1, 1) + np.roll(f, -1, 1)) / 4
    for _ in range(iterations):
        um, vm = mean(u), mean(v)
        t = (ix * um + iy * vm + it) / (alpha ** 2 + ix ** 2 + iy ** 2)
        u, v = um - ix * t, vm - iy * t
    return u, v


def hough_lines(y, x, angles, bins):
    rho = x[:, None] * np.cos(angles) + y[:, None] * np.sin(angles)
    k = np.floor((rho + 2) / 4 * bins).astype(np.int64)
    flat = k * angles.shape[0] + np.arange(angles.shape[0])
    votes = np.bincount(flat.ravel(), minlength=bins * angles.shape[0]).reshape(bins, angles.shape[0])
    return votes, votes.max(axis=0)


def ssim(a, b, w):
    def box(f):
        s = np.cumsum(np.cumsum(np.pad(f, ((1, 0), (1, 0))), axis=0), axis=1)
        return (s[w:, w:] - s[:-w, w:] - s[w:, :-w] + s[:-w, :-w]) / (w * w)
    ma, mb = box(a), box(b)
    va, vb, cov = box(a * a) - ma * ma, box(b * b) - mb * mb, box(a * b) - ma * mb
    s = (2 * ma * mb + 1e-4) * (2 * cov + 9e-4) / ((ma ** 2 + mb ** 2 + 1e-4) * (va + vb + 9e-4))
    return s.mean()


def nonlocal_means(image, reach, h):
    total, norm = np.zeros_like(image), np.zeros_like(image)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            moved = np.roll(np.roll(image, dy, axis=0), dx, axis=1)
            d = (image - moved) ** 2
            d = d + np.roll(d, 1, 0) + np.roll(d, -1, 0) + np.roll(d, 1, 1) + np.roll(d, -1, 1)
            wgt = np.exp(-d / h)
            total, norm = total + wgt * moved, norm + wgt
    return total / norm


def biquad_channels(x, b, a):
    y = np.zeros_like(x)
    z1, z2 = np.zeros(x.shape[0], x.dtype), np.zeros(x.shape[0], x.dtype)
    for t in range(x.shape[1]):
        out = b[0] * x[:, t] + z1
        z1 = b[1] * x[:, t] - a[1] * out + z2
        z2 = b[2] * x[:, t] - a[2] * out
        y[:, t] = out
    return y


def lms_filter(x, d, taps, mu):
    w = np.zeros((x.shape[0], taps))
    err = np.zeros_like(d)
    for t in range(taps, x.shape[1]):
        window = x[:, t - taps:t]
        err[:, t] = d[:, t] - np.sum(w * window, axis=1)
        w = w + mu * err[:, t][:, None] * window
    return w, err


def haar_levels(x, levels):
    coefficients = []
    for _ in range(levels):
        even, odd = x[:, 0::2], x[:, 1::2]
        coefficients.append((even - odd) / np.sqrt(2.0))
        x = (even + odd) / np.sqrt(2.0)
    return np.concatenate(coefficients[::-1] + [x], axis=1)


def levinson(r, order):
    a = np.zeros((r.shape[0], order + 1))
    a[:, 0] = 1.0
    e = r[:, 0].copy()
    for m in range(1, order + 1):
        k = -np.sum(a[:, :m] * r[:, m:0:-1], axis=1) / e
        flipped = a[:, m::-1].copy()
        a[:, :m + 1] += k[:, None] * flipped
        e *= 1 - k * k
    return a, e


def mel_features(frames, window, filters, dct):
    power = np.abs(np.fft.rfft(frames * window, axis=1)) ** 2
    mel = np.log(power @ filters.T + 1e-10)
    feat = mel @ dct.T
    delta = np.zeros_like(feat)
    delta[1:-1] = (feat[2:] - feat[:-2]) / 2
    both = np.concatenate([feat, delta], axis=1)
    return (both - both.mean(axis=0)) / (both.std(axis=0) + 1e-8)


def tf_idf_search(counts, queries, k):
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    idf = np.log((1 + counts.shape[0]) / (1 + np.sum(counts > 0, axis=0))) + 1
    d = tf * idf
    d = d / (np.linalg.norm(d, axis=1, keepdims=True) + 1e-12)
    q = queries * idf
    q = q / (np.linalg.norm(q, axis=1, keepdims=True) + 1e-12)
    score = q @ d.T
    order = np.argsort(-score, axis=1)[:, :k]
    return order, np.take_along_axis(score, order, axis=1)


def word_vectors(emb, ctx, centre, pos, neg, lr, steps):
    for s in range(steps):
        c, p, n = emb[centre[s]], ctx[pos[s]], ctx[neg[s]]
        gp = 1 / (1 + np.exp(-np.sum(c * p, axis=1))) - 1
        gn = 1 / (1 + np.exp(-np.einsum("bd,bkd->bk", c, n)))
        gc = gp[:, None] * p + np.einsum("bk,bkd->bd", gn, n)
        emb[centre[s]] -= lr * gc
        ctx[pos[s]] -= lr * gp[:, None] * c
    return emb, ctx


def softmax_regression(x, onehot, w, b, lr, epochs):
    n = x.shape[0]
    losses = []
    for _ in range(epochs):
        z = x @ w + b
        z = z - z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p = p / p.sum(axis=1, keepdims=True)
        losses.append(-np.mean(np.sum(onehot * np.log(p + 1e-12), axis=1)))
        g = (p - onehot) / n
        w, b = w - lr * (x.T @ g), b - lr * g.sum(axis=0)
    return w, b, np.stack(losses)


def adam_autoencoder(x, w1, w2, lr, steps):
    m1, v1, m2, v2 = np.zeros_like(w1), np.zeros_like(w1), np.zeros_like(w2), np.zeros_like(w2)
    for t in range(1, steps + 1):
        h = np.maximum(x @ w1, 0)
        diff = h @ w2 - x
        g2 = h.T @ diff / x.shape[0]
        g1 = x.T @ ((diff @ w2.T) * (h > 0)) / x.shape[0]
        m1, v1 = 0.9 * m1 + 0.1 * g1, 0.999 * v1 + 0.001 * g1 * g1
        m2, v2 = 0.9 * m2 + 0.1 * g2, 0.999 * v2 + 0.001 * g2 * g2
        w1 = w1 - lr * (m1 / (1 - 0.9 ** t)) / (np.sqrt(v1 / (1 - 0.999 ** t)) + 1e-8)
        w2 = w2 - lr * (m2 / (1 - 0.9 ** t)) / (np.sqrt(v2 / (1 - 0.999 ** t)) + 1e-8)
    return w1, w2, np.mean(diff * diff)


def max_pool_net(x, w, bias):
    n, h, wd, c = x.shape
    out = np.zeros((n, h - 2, wd - 2, w.shape[3]), x.dtype)
    for i in range(3):
        for j in range(3):
            out = out + np.tensordot(x[:, i:i + h - 2, j:j + wd - 2, :], w[i, j], axes=1)
    out = np.maximum(out + bias, 0)
    return out.reshape(n, (h - 2) // 2, 2, (wd - 2) // 2, 2, -1).max(axis=(2, 4))


def batch_norm_train(x, gamma, beta, running, momentum):
    mean = x.mean(axis=(0, 2, 3))
    var = x.var(axis=(0, 2, 3))
    xhat = (x - mean[None, :, None, None]) / np.sqrt(var + 1e-5)[None, :, None, None]
    y = gamma[None, :, None, None] * xhat + beta[None, :, None, None]
    return np.maximum(y, 0), momentum * running + (1 - momentum) * mean


def linkage(g):
    g = g.astype(np.float32)
    p = g.mean(axis=0) / 2
    c = g - g.mean(axis=0)
    cov = c.T @ c / g.shape[0]
    sd = np.sqrt(np.diag(cov))
    r2 = (cov / (sd[:, None] * sd[None, :])) ** 2
    return r2.mean(axis=1), np.sum(r2 > 0.2, axis=1), 2 * p * (1 - p)


def kmer_counts(seq, k):
    windows = np.lib.stride_tricks.sliding_window_view(seq, k)
    code = windows @ (4 ** np.arange(k))
    counts = np.bincount(code, minlength=4 ** k)
    freq = counts / counts.sum()
    return counts, -np.sum(freq * np.log(freq + 1e-300))


def smith_waterman(a, b, match, gap):
    n, m = a.shape[1], b.shape[1]
    prev = np.zeros((a.shape[0], m + 1), np.int32)
    best = np.zeros(a.shape[0], np.int32)
    for i in range(n):
        diag = prev[:, :-1] + np.where(a[:, i:i + 1] == b, match, -match)
        row = np.maximum(np.maximum(diag, prev[:, 1:] - gap), 0)
        run = np.maximum.accumulate(row + gap * np.arange(m), axis=1) - gap * np.arange(m)
        row = np.maximum(row, run)
        prev = np.concatenate([np.zeros((a.shape[0], 1), np.int32), row.astype(np.int32)], axis=1)
        best = np.maximum(best, prev.max(axis=1))
    return best


def lomb_scargle(t, y, freq):
    y = y - y.mean()
    power = []
    for w in range(freq.shape[0]):
        arg = 2 * np.pi * freq[w] * t
        tau = 0.5 * np.arctan2(np.sin(2 * arg).sum(), np.cos(2 * arg).sum())
        c, s = np.cos(arg - tau), np.sin(arg - tau)
        power.append(0.5 * ((y * c).sum() ** 2 / (c * c).sum() + (y * s).sum() ** 2 / (s * s).sum()))
    return np.stack(power)


def sigma_clip(frames, kappa, rounds):
    good = np.ones(frames.shape, bool)
    for _ in range(rounds):
        n = good.sum(axis=0)
        mean = np.sum(np.where(good, frames, 0), axis=0) / n
        sd = np.sqrt(np.sum(np.where(good, (frames - mean) ** 2, 0), axis=0) / n)
        good = np.abs(frames - mean) <= kappa * sd
    return np.sum(np.where(good, frames, 0), axis=0) / good.sum(axis=0), good.sum()


def inverse_distance(x, y, px, py, value, power):
    d2 = (x[:, None] - px) ** 2 + (y[:, None] - py) ** 2
    w = 1 / (d2 ** (power / 2) + 1e-12)
    return np.sum(w * value, axis=1) / np.sum(w, axis=1)


def haversine_nearest(lat, lon, clat, clon):
    dlat, dlon = clat - lat[:, None], clon - lon[:, None]
    h = np.sin(dlat / 2) ** 2 + np.cos(lat)[:, None] * np.cos(clat) * np.sin(dlon / 2) ** 2
    km = 2 * 6371.0 * np.arcsin(np.sqrt(h))
    nearest = km.argmin(axis=1)
    return nearest, km.min(axis=1), np.bincount(nearest, minlength=clat.shape[0])


def hillshade(z, cell, azimuth, altitude):
    dy, dx = np.gradient(z, cell)
    slope = np.arctan(np.hypot(dx, dy))
    aspect = np.arctan2(-dx, dy)
    s = np.sin(altitude) * np.cos(slope) + np.cos(altitude) * np.sin(slope) * np.cos(azimuth - aspect)
    return np.clip(255 * s, 0, 255).astype(np.uint8)


def kuramoto(theta, omega, coupling, dt, steps):
    order = []
    for _ in range(steps):
        pull = np.sin(theta[None, :] - theta[:, None]).mean(axis=1)
        theta = theta + dt * (omega + coupling * pull)
        order.append(np.abs(np.exp(1j * theta).mean()))
    return theta, np.stack(order)


def euler_tube(rho, mom, ene, dtdx, steps):
    gamma = 1.4
    for _ in range(steps):
        u = mom / rho
        p = (gamma - 1) * (ene - 0.5 * rho * u * u)
        c = np.sqrt(gamma * p / rho)
        speed = np.maximum(np.abs(u[:, :-1]) + c[:, :-1], np.abs(u[:, 1:]) + c[:, 1:])

        def flux(q, f):
            return 0.5 * (f[:, :-1] + f[:, 1:]) - 0.5 * speed * (q[:, 1:] - q[:, :-1])
        f1, f2, f3 = flux(rho, mom), flux(mom, mom * u + p), flux(ene, u * (ene + p))
        rho = np.concatenate([rho[:, :1], rho[:, 1:-1] - dtdx * (f1[:, 1:] - f1[:, :-1]), rho[:, -1:]], axis=1)
        mom = np.concatenate([mom[:, :1], mom[:, 1:-1] - dtdx * (f2[:, 1:] - f2[:, :-1]), mom[:, -1:]], axis=1)
        ene = np.concatenate([ene[:, :1], ene[:, 1:-1] - dtdx * (f3[:, 1:] - f3[:, :-1]), ene[:, -1:]], axis=1)
    return rho, mom, ene


def vlasov(f, v, dx, dt, steps):
    n, m = f.shape
    x = np.arange(n)[:, None]
    for _ in range(steps):
        shift = (x - v * dt / dx) % n
        i = np.floor(shift).astype(np.int64)
        w = shift - i
        f = (1 - w) * f[i % n, np.arange(m)] + w * f[(i + 1) % n, np.arange(m)]
        density = f.sum(axis=1) / m
        field = np.cumsum(density - density.mean()) * dx
        slope = (np.roll(f, -1, axis=1) - np.roll(f, 1, axis=1)) / 2
        f = f - dt * (field - field.mean())[:, None] * slope
    return f, field


def double_pendulum(th1, th2, w1, w2, dt, steps):
    def rhs(a, b, p, q):
        d = a - b
        den = 3 - np.cos(2 * d)
        dp = (-3 * 9.81 * np.sin(a) - 9.81 * np.sin(a - 2 * b) - 2 * np.sin(d) * (q * q + p * p * np.cos(d))) / den
        dq = 2 * np.sin(d) * (2 * p * p + 2 * 9.81 * np.cos(a) + q * q * np.cos(d)) / den
        return p, q, dp, dq
    y = (th1, th2, w1, w2)
    for _ in range(steps):
        k1 = rhs(*y)
        k2 = rhs(*[s + 0.5 * dt * k for s, k in zip(y, k1)])
        k3 = rhs(*[s + 0.5 * dt * k for s, k in zip(y, k2)])
        k4 = rhs(*[s + dt * k for s, k in zip(y, k3)])
        y = tuple(s + dt / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(y, k1, k2, k3, k4))
    return y[0], y[1], y[2], y[3]


def bootstrap(data, index, q):
    means = data[index].mean(axis=1)
    ordered = np.sort(means)
    low, high = np.quantile(ordered, q), np.quantile(ordered, 1 - q)
    return means.mean(), means.std(), low, high


def density_estimate(grid, sample, h):
    u = (grid[:, None] - sample[None, :]) / h
    k = np.exp(-0.5 * u * u) / np.sqrt(2 * np.pi)
    pdf = k.sum(axis=1) / (sample.shape[0] * h)
    cdf = np.cumsum(pdf) * (grid[1] - grid[0])
    return pdf, cdf


def permutation_test(x, group, shuffles):
    n1 = group.sum()
    observed = x[group].mean() - x[~group].mean()
    moved = x[shuffles]
    diff = moved[:, :n1].mean(axis=1) - moved[:, n1:].mean(axis=1)
    return observed, np.mean(np.abs(diff) >= np.abs(observed))


def natural_spline(x, y, xq):
    n = x.shape[0]
    h, s = np.diff(x), np.diff(y, axis=1) / np.diff(x)
    c, d = np.zeros(n), np.zeros_like(y)
    for i in range(1, n - 1):
        m = 2 * (h[i - 1] + h[i]) - h[i - 1] * c[i - 1]
        c[i] = h[i] / m
        d[:, i] = (6 * (s[:, i] - s[:, i - 1]) - h[i - 1] * d[:, i - 1]) / m
    for i in range(n - 3, 0, -1):
        d[:, i] -= c[i] * d[:, i + 1]
    k = np.clip(np.searchsorted(x, xq) - 1, 0, n - 2)
    t = xq - x[k]
    b = s[:, k] - h[k] * (2 * d[:, k] + d[:, k + 1]) / 6
    return y[:, k] + t * (b + t * (d[:, k] / 2 + t * (d[:, k + 1] - d[:, k]) / (6 * h[k])))


def assemble_mesh(points, triangles, u):
    p = points[triangles]
    e1, e2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    area = 0.5 * np.abs(e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0])
    g = np.stack([p[:, 2] - p[:, 1], p[:, 0] - p[:, 2], p[:, 1] - p[:, 0]], axis=1)
    k = np.einsum("tid,tjd->tij", g, g) / (4 * area)[:, None, None]
    local = np.einsum("tij,tj->ti", k, u[triangles])
    return np.bincount(triangles.ravel(), weights=local.ravel(), minlength=points.shape[0]), area.sum()


def rsi_backtest(price, period, low, high):
    change = np.diff(price, axis=0)
    gain, loss = np.maximum(change, 0), np.maximum(-change, 0)
    up, down = gain[:period].mean(axis=0), loss[:period].mean(axis=0)
    position, wealth = np.zeros(price.shape[1]), np.ones(price.shape[1])
    for t in range(period, change.shape[0]):
        wealth = wealth * (1 + position * change[t] / price[t])
        up = (up * (period - 1) + gain[t]) / period
        down = (down * (period - 1) + loss[t]) / period
        rsi = 100 - 100 / (1 + up / (down + 1e-12))
        position = np.where(rsi < low, 1.0, np.where(rsi > high, 0.0, position))
    return wealth, wealth.mean()


def ewma_covariance(returns, lam):
    n = returns.shape[1]
    cov = np.zeros((n, n))
    for t in range(returns.shape[0]):
        cov = lam * cov + (1 - lam) * np.outer(returns[t], returns[t])
    vol = np.sqrt(np.diag(cov))
    return cov, cov / np.outer(vol, vol)


def short_rates(z, r0, kappa, theta, sigma, dt):
    r = np.full(z.shape[1], r0)
    integral = np.zeros(z.shape[1])
    for t in range(z.shape[0]):
        integral += r * dt
        r = np.abs(r + kappa * (theta - r) * dt + sigma * np.sqrt(np.maximum(r, 0) * dt) * z[t])
    return np.exp(-integral).mean(), r.std()


def tau_leaping(s, i, r, z, beta, gamma, dt):
    n = s + i + r
    history = np.zeros((z.shape[0], 3))
    for t in range(z.shape[0]):
        a, b = beta * s * i / n, gamma * i
        da = np.clip(np.round(a * dt + np.sqrt(a * dt) * z[t, 0]), 0, s)
        db = np.clip(np.round(b * dt + np.sqrt(b * dt) * z[t, 1]), 0, i)
        s, i, r = s - da, i + da - db, r + db
        history[t, 0] = s.mean()
        history[t, 1] = i.mean()
        history[t, 2] = r.mean()
    return history, i.max()


PROGRAMS = {
    "thomas": (thomas, lambda g: [f8(g, 20000, 200) * .2, f8(g, 20000, 200) + 2, f8(g, 20000, 200) * .2, f8(g, 20000, 200)], ()),
    "cg": (conjugate_gradient, lambda g: [f8(g, 1000, 1000), 50], (1,)),
    "arnoldi": (arnoldi, lambda g: [f8(g, 3000, 3000) - .5, f8(g, 3000), 30], (2,)),
    "deflation": (power_deflation, lambda g: [(lambda a: a + a.T)(f8(g, 1500, 1500)), f8(g, 1500), 4, 40], (2, 3)),
    "exponentials": (fit_exponentials, lambda g: [np.linspace(0, 4, 100), np.exp(-(f8(g, 20000, 1) + .5) * np.linspace(0, 4, 100)), f8(g, 20000) + .5, f8(g, 20000) + .5, 15], (4,)),
    "kalman": (kalman_tracks, lambda g: [normal(g, 50, 10000, 2), np.eye(4) + .1 * np.eye(4, k=2), np.eye(2, 4), np.eye(4) * .01, np.eye(2) * .1, normal(g, 10000, 4), np.tile(np.eye(4), (10000, 1, 1))], ()),
    "hmm": (hmm_forward, lambda g: [np.full((1, 16), 1 / 16), (lambda a: a / a.sum(1, keepdims=True))(f8(g, 16, 16)), f8(g, 16, 20), g.integers(0, 20, (200, 5000))], ()),
    "viterbi": (viterbi, lambda g: [np.log(f8(g, 16)), np.log(f8(g, 16, 16)), np.log(f8(g, 4000, 100, 16))], ()),
    "mixture": (mixture_em, lambda g: [normal(g, 100000, 8), normal(g, 10, 8), f8(g, 10, 8) + .5, np.full(10, .1), 10], (4,)),
    "asian": (asian_option, lambda g: [normal(g, 100000, 100), 100.0, 100.0, .03, .2, .01], ()),
    "implied": (implied_volatility, lambda g: [f8(g, 1000000) * 20 + 5, f8(g, 1000000) * 20 + 90, f8(g, 1000000) * 20 + 90, f8(g, 1000000) + .1, .02, 8], (5,)),
    "ising": (ising, lambda g: [g.integers(0, 2, (1024, 1024)) * 2.0 - 1, f8(g, 10, 2, 1024, 1024), .44, 10], (3,)),
    "argon": (lennard_jones, lambda g: [np.stack(np.meshgrid(*[np.arange(10) * 1.2] * 3), -1).reshape(-1, 3) + .1 * f8(g, 1000, 3), normal(g, 1000, 3), 12.0, .002, 10], (4,)),
    "bellman": (bellman_ford, lambda g: [f8(g, 100, 500) * 100, f8(g, 500, 500) * 10, 8], (2,)),
    "warp": (warp_bilinear, lambda g: [f8(g, 2000, 2000), (f8(g, 2, 2000, 2000) - .5) * 20], ()),
    "equalise": (equalise, lambda g: [(f8(g, 4000, 3000) ** 2 * 200).astype(np.uint8)], ()),
    "morphology": (morphology, lambda g: [f4(g, 2000, 2000), 4], (1,)),
    "flow": (horn_schunck, lambda g: [f8(g, 1000, 1000), f8(g, 1000, 1000), 1.0, 50], (3,)),
    "hough": (hough_lines, lambda g: [f8(g, 20000) * 2 - 1, f8(g, 20000) * 2 - 1, np.linspace(0, np.pi, 180), 400], (3,)),
    "ssim": (ssim, lambda g: [f8(g, 2000, 2000), f8(g, 2000, 2000), 8], (2,)),
    "nlmeans": (nonlocal_means, lambda g: [f4(g, 1000, 1000), 3, np.float32(.1)], (1,)),
    "biquad": (biquad_channels, lambda g: [f8(g, 20000, 500), np.array([.2, .3, .2]), np.array([1.0, -.5, .2])], ()),
    "lms": (lms_filter, lambda g: [normal(g, 2000, 400), normal(g, 2000, 400), 32, .001], (2,)),
    "haar": (haar_levels, lambda g: [f8(g, 500, 16384), 8], (1,)),
    "levinson": (levinson, lambda g: [np.exp(-.1 * np.arange(25)) * (1 + .01 * f8(g, 50000, 25)), 24], (1,)),
    "mel": (mel_features, lambda g: [f8(g, 20000, 512) - .5, np.hamming(512), f8(g, 40, 257), f8(g, 13, 40)], ()),
    "tfidf": (tf_idf_search, lambda g: [g.poisson(.05, (5000, 4000)).astype(np.float64), g.poisson(.02, (200, 4000)).astype(np.float64), 10], (2,)),
    "words": (word_vectors, lambda g: [f4(g, 20000, 64) - np.float32(.5), f4(g, 20000, 64) - np.float32(.5), np.stack([g.permutation(20000)[:1024] for _ in range(20)]), np.stack([g.permutation(20000)[:1024] for _ in range(20)]), g.integers(0, 20000, (20, 1024, 5)), np.float32(.05), 20], ()),
    "softmax": (softmax_regression, lambda g: [f4(g, 50000, 256), np.eye(10, dtype=np.float32)[g.integers(0, 10, 50000)], np.zeros((256, 10), np.float32), np.zeros(10, np.float32), np.float32(.1), 20], (5,)),
    "autoencoder": (adam_autoencoder, lambda g: [f4(g, 1024, 512), f4(g, 512, 64) * np.float32(.1), f4(g, 64, 512) * np.float32(.1), np.float32(.001), 20], (4,)),
    "pooling": (max_pool_net, lambda g: [f4(g, 32, 66, 66, 32), f4(g, 3, 3, 32, 64) - np.float32(.5), f4(g, 64)], ()),
    "batch_norm": (batch_norm_train, lambda g: [f4(g, 64, 64, 56, 56), f4(g, 64), f4(g, 64), f4(g, 64), np.float32(.9)], ()),
    "linkage": (linkage, lambda g: [g.integers(0, 3, (2000, 3000)).astype(np.int8)], ()),
    "kmers": (kmer_counts, lambda g: [g.integers(0, 4, 4000000), 8], (1,)),
    "alignment": (smith_waterman, lambda g: [g.integers(0, 4, (5000, 80)), g.integers(0, 4, (5000, 100)), 2, 1], ()),
    "periodogram": (lomb_scargle, lambda g: [np.sort(f8(g, 20000)) * 100, normal(g, 20000), np.linspace(.01, 5, 200)], ()),
    "clipping": (sigma_clip, lambda g: [f4(g, 30, 1000, 1000), 2.5, 3], (2,)),
    "idw": (inverse_distance, lambda g: [f8(g, 20000), f8(g, 20000), f8(g, 2000), f8(g, 2000), f8(g, 2000), 2.0], (5,)),
    "haversine": (haversine_nearest, lambda g: [f8(g, 100000) * 3 - 1.5, f8(g, 100000) * 6 - 3, f8(g, 300) * 3 - 1.5, f8(g, 300) * 6 - 3], ()),
    "hillshade": (hillshade, lambda g: [f8(g, 3000, 3000) * 10, 30.0, 5.5, .8], ()),
    "kuramoto": (kuramoto, lambda g: [f8(g, 3000) * 6, normal(g, 3000), 1.5, .05, 20], (4,)),
    "euler": (euler_tube, lambda g: [f8(g, 1000, 1000) + 1, f8(g, 1000, 1000) * .1, f8(g, 1000, 1000) + 2.5, .05, 30], (4,)),
    "vlasov": (vlasov, lambda g: [f8(g, 512, 1024), np.linspace(-4, 4, 1024), .1, .02, 20], (4,)),
    "pendulum": (double_pendulum, lambda g: [f8(g, 500000) * 3, f8(g, 500000) * 3, f8(g, 500000), f8(g, 500000), .01, 40], (5,)),
    "bootstrap": (bootstrap, lambda g: [normal(g, 5000), g.integers(0, 5000, (5000, 5000)), .025], ()),
    "density": (density_estimate, lambda g: [np.linspace(-4, 4, 2000), normal(g, 50000), .1], ()),
    "permutation": (permutation_test, lambda g: [normal(g, 4000), np.arange(4000) < 2000, np.argsort(f8(g, 3000, 4000), axis=1)], ()),
    "spline": (natural_spline, lambda g: [np.linspace(0, 1, 64), f8(g, 2000, 64), f8(g, 5000)], ()),
    "mesh": (assemble_mesh, lambda g: [f8(g, 200000, 2), g.integers(0, 200000, (400000, 3)), f8(g, 200000)], ()),
    "rsi": (rsi_backtest, lambda g: [100 * np.exp(np.cumsum(normal(g, 1000, 5000) * .01, axis=0)), 14, 30.0, 70.0], (1,)),
    "ewma": (ewma_covariance, lambda g: [normal(g, 500, 500) * .01, .94], ()),
    "rates": (short_rates, lambda g: [normal(g, 250, 200000), .03, .5, .04, .1, .004], ()),
    "epidemic": (tau_leaping, lambda g: [np.full(100000, 990.0), np.full(100000, 10.0), np.zeros(100000), normal(g, 100, 2, 100000), .3, .1, .5], ()),
}
