"""Array programs of many classes: image filters, steps of differential equations, statistics, signals, Monte Carlo, batches of small systems, sorting
and searching, histograms, masks and selections, cumulative operations. Written before anybody looked at what npcc makes of them, each one function
of NumPy; sizes are those of a GPU, and `at(scale)` makes the same programs for fewer elements.
"""
import numpy as np
from random_arrays import f4, f8, normal


def median_of_nine(img):
    h, w = img.shape
    shifts = [img[i:h - 2 + i, j:w - 2 + j] for i in range(3) for j in range(3)]
    return np.median(np.stack(shifts), axis=0)


def unsharp_mask(img, weights, amount):
    r = weights.shape[0] // 2
    p = np.pad(img, r, mode="reflect")
    rows = np.zeros((img.shape[0], p.shape[1]), img.dtype)
    for k in range(weights.shape[0]):
        rows += weights[k] * p[k:k + img.shape[0]]
    blurred = np.zeros_like(img)
    for k in range(weights.shape[0]):
        blurred += weights[k] * rows[:, k:k + img.shape[1]]
    return np.clip(img + amount * (img - blurred), 0, 1)


def equalized_histogram(img):
    counts = np.bincount(img.ravel(), minlength=256)
    cdf = np.cumsum(counts)
    low = cdf[np.nonzero(counts)[0][0]]
    table = np.round((cdf - low) / (cdf[-1] - low) * 255).astype(np.uint8)
    return table[img]


def box_variance(img, r):
    def box(a):
        c = np.pad(a.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        n = 2 * r + 1
        return (c[n:, n:] - c[:-n, n:] - c[n:, :-n] + c[:-n, :-n]) / (n * n)

    mean = box(img)
    return np.sqrt(np.maximum(box(img * img) - mean * mean, 0))


def fisher_kolmogorov(u, d, rate, dt, steps):
    for _ in range(steps):
        flow = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        u = u + dt * (d * flow + rate * u * (1 - u))
    return u, u.mean()


def shallow_water_line(h, q, dt, dx, steps):
    for _ in range(steps):
        flux = q * q / h + 4.905 * h * h
        h_half = 0.5 * (h[1:] + h[:-1]) - 0.5 * dt / dx * (q[1:] - q[:-1])
        q_half = 0.5 * (q[1:] + q[:-1]) - 0.5 * dt / dx * (flux[1:] - flux[:-1])
        flux_half = q_half * q_half / h_half + 4.905 * h_half * h_half
        h[1:-1] -= dt / dx * (q_half[1:] - q_half[:-1])
        q[1:-1] -= dt / dx * (flux_half[1:] - flux_half[:-1])
    return h, q


def crank_nicolson_cosine(u, d, dt, steps):
    n = u.shape[-1]
    even = np.concatenate([u, u[..., ::-1]], axis=-1)
    k = 2 * np.pi * np.fft.rfftfreq(2 * n)
    step = (1 - 0.5 * dt * d * k ** 2) / (1 + 0.5 * dt * d * k ** 2)
    return np.fft.irfft(np.fft.rfft(even, axis=-1) * step ** steps, n=2 * n, axis=-1)[..., :n]


def winsorized_moments(x):
    low, high = np.percentile(x, [5, 95], axis=1, keepdims=True)
    y = np.clip(x, low, high)
    z = (y - y.mean(axis=1, keepdims=True)) / y.std(axis=1, ddof=1, keepdims=True)
    return (z ** 3).mean(axis=1), (z ** 4).mean(axis=1) - 3


def masked_correlation(x, y, valid):
    n = np.count_nonzero(valid, axis=1)
    mx = np.sum(x, axis=1, where=valid) / n
    my = np.sum(y, axis=1, where=valid) / n
    dx = np.where(valid, x - mx[:, None], 0)
    dy = np.where(valid, y - my[:, None], 0)
    return (dx * dy).sum(axis=1) / np.sqrt((dx * dx).sum(axis=1) * (dy * dy).sum(axis=1))


def rank_correlation(x, y):
    rx, ry = np.argsort(np.argsort(x)), np.argsort(np.argsort(y))
    d = (rx - ry).astype(np.float64)
    n = x.shape[0]
    return 1 - 6 * np.sum(d * d) / (n * (n * n - 1.0))


def short_time_power(x, size, hop):
    frames = np.lib.stride_tricks.sliding_window_view(x, size)[::hop]
    spectrum = np.fft.rfft(frames * np.hanning(size), axis=1)
    power = spectrum.real ** 2 + spectrum.imag ** 2
    return 10 * np.log10(power + 1e-10), power.argmax(axis=1)


def analytic_envelope(x):
    n = x.shape[-1]
    gain = np.zeros(n)
    gain[0] = gain[n // 2] = 1
    gain[1:n // 2] = 2
    z = np.fft.ifft(np.fft.fft(x, axis=-1) * gain, axis=-1)
    phase = np.unwrap(np.angle(z), axis=-1)
    return np.abs(z), np.diff(phase, axis=-1) / (2 * np.pi)


def crossing_intervals(x):
    s = np.signbit(x)
    at = np.flatnonzero(s[1:] != s[:-1])
    exact = at + x[at] / (x[at] - x[at + 1])
    gaps = np.diff(exact)
    return gaps.size, gaps.mean(), gaps.max()


def barrier_option(z, spot, strike, barrier, rate, sigma, dt):
    steps = (rate - 0.5 * sigma * sigma) * dt + sigma * np.sqrt(dt) * z
    paths = spot * np.exp(np.cumsum(steps, axis=1))
    alive = np.all(paths < barrier, axis=1)
    paid = np.where(alive, np.maximum(paths[:, -1] - strike, 0), 0)
    factor = np.exp(-rate * dt * z.shape[1])
    return factor * paid.mean(), factor * paid.std() / np.sqrt(z.shape[0])


def importance_weights(z, level):
    x = z + level
    w = np.exp(-level * x + 0.5 * level * level)
    hit = x > level
    p = np.mean(w * hit)
    return p, np.sqrt(np.var(w * hit) / z.size), np.sum(w) ** 2 / np.sum(w * w)


def batched_ridge(a, b, penalty):
    at = np.swapaxes(a, 1, 2)
    gram = at @ a + penalty * np.eye(a.shape[2])
    x = np.linalg.solve(gram, at @ b[..., None])[..., 0]
    left = np.einsum("nij,nj->ni", a, x) - b
    return x, np.sqrt((left * left).mean(axis=1))


def power_iterations(a, v, steps):
    for _ in range(steps):
        v = np.einsum("nij,nj->ni", a, v)
        v = v / np.linalg.norm(v, axis=1, keepdims=True)
    return np.einsum("ni,nij,nj->n", v, a, v), v


def grouped_maxima(keys, values):
    order = np.lexsort((values, keys))
    k, v = keys[order], values[order]
    last = np.append(k[1:] != k[:-1], True)
    return k[last], v[last], np.diff(np.flatnonzero(last), prepend=-1)


def interval_lookup(edges, x, y):
    at = np.searchsorted(edges, x, side="right") - 1
    at = np.clip(at, 0, edges.size - 2)
    part = (x - edges[at]) / (edges[at + 1] - edges[at])
    return y[at] * (1 - part) + y[at + 1] * part, np.bincount(at, minlength=edges.size - 1)


def profile_in_bins(x, y, bins):
    at = np.minimum((x * bins).astype(np.int64), bins - 1)
    n = np.bincount(at, minlength=bins)
    s = np.bincount(at, weights=y, minlength=bins)
    q = np.bincount(at, weights=y * y, minlength=bins)
    mean = s / np.maximum(n, 1)
    return n, mean, np.sqrt(np.maximum(q / np.maximum(n, 1) - mean * mean, 0))


def outliers_replaced(x, cut):
    middle = np.median(x)
    spread = 1.4826 * np.median(np.abs(x - middle))
    far = np.abs(x - middle) > cut * spread
    y = x.copy()
    good = np.flatnonzero(~far)
    y[far] = np.interp(np.flatnonzero(far), good, x[good])
    return y, far.sum()


def longest_runs(x, level):
    above = x > level
    count = np.cumsum(above, axis=1)
    start = np.maximum.accumulate(np.where(above, 0, count), axis=1)
    run = count - start
    return run.max(axis=1), run.argmax(axis=1)


def drawdowns(price):
    top = np.maximum.accumulate(price, axis=1)
    down = 1 - price / top
    end = down.argmax(axis=1)
    return np.take_along_axis(down, end[:, None], axis=1)[:, 0], end, (down > 0.1).mean(axis=1)


def packed_overlap(a, b):
    p, q = np.packbits(a, axis=1), np.packbits(b, axis=1)
    both = np.bitwise_count(p & q).sum(axis=1, dtype=np.int64)
    either = np.bitwise_count(p | q).sum(axis=1, dtype=np.int64)
    return both / np.maximum(either, 1)


def at(scale):
    """The programs with arrays of about `scale` times as many elements: name: (function, its arguments from a generator, positions of what is known
    when compiling)."""
    def n(count):
        return max(int(count * scale), 64)

    def side(count):
        return max(int(count * scale ** 0.5), 64)

    def matrices(r):
        a = normal(r, n(100_000), 8, 8)
        return a @ np.swapaxes(a, 1, 2)

    return {
        "median_of_nine": (median_of_nine, lambda r: (f4(r, side(2048), side(2048)),), ()),
        "unsharp_mask": (unsharp_mask, lambda r: (f4(r, side(6000), side(6000)), np.hanning(11)[1:-1].astype(np.float32) / 5, 0.7), ()),
        "equalized_histogram": (equalized_histogram, lambda r: (r.integers(20, 200, (side(8192), side(8192))).astype(np.uint8),), ()),
        "box_variance": (box_variance, lambda r: (f8(r, side(4096), side(4096)), 4), (1,)),
        "fisher_kolmogorov": (fisher_kolmogorov, lambda r: (f4(r, side(2048), side(2048)), 0.2, 1.0, 0.1, 40), (4,)),
        "shallow_water_line": (shallow_water_line, lambda r: (1 + 0.1 * f8(r, n(4_000_000)), np.zeros(n(4_000_000)), 0.01, 1.0, 30), (4,)),
        "crank_nicolson_cosine": (crank_nicolson_cosine, lambda r: (f8(r, n(4000), 1024), 1.5, 0.1, 20), (3,)),
        "winsorized_moments": (winsorized_moments, lambda r: (normal(r, n(20_000), 1000),), ()),
        "masked_correlation": (masked_correlation, lambda r: (normal(r, n(20_000), 1000), normal(r, n(20_000), 1000), f4(r, n(20_000), 1000) > 0.2), ()),
        "rank_correlation": (rank_correlation, lambda r: (f8(r, n(4_000_000)), f8(r, n(4_000_000))), ()),
        "short_time_power": (short_time_power, lambda r: (normal(r, 1024 + n(10_000_000)), 512, 128), (1, 2)),
        "analytic_envelope": (analytic_envelope, lambda r: (normal(r, n(2000), 4096),), ()),
        "crossing_intervals": (crossing_intervals, lambda r: (normal(r, n(20_000_000)),), ()),
        "barrier_option": (barrier_option, lambda r: (normal(r, n(200_000), 252), 100.0, 100.0, 130.0, 0.03, 0.2, 1 / 252), ()),
        "importance_weights": (importance_weights, lambda r: (normal(r, n(20_000_000)), 3.0), ()),
        "batched_ridge": (batched_ridge, lambda r: (normal(r, n(50_000), 40, 6), normal(r, n(50_000), 40), 0.1), ()),
        "power_iterations": (power_iterations, lambda r: (matrices(r), normal(r, n(100_000), 8), 20), (2,)),
        "grouped_maxima": (grouped_maxima, lambda r: (r.integers(0, n(100_000), n(4_000_000)), f8(r, n(4_000_000))), ()),
        "interval_lookup": (interval_lookup, lambda r: (np.sort(f8(r, 1000)), f8(r, n(20_000_000)), f8(r, 1000)), ()),
        "profile_in_bins": (profile_in_bins, lambda r: (f8(r, n(20_000_000)), normal(r, n(20_000_000)), 500), (2,)),
        "outliers_replaced": (outliers_replaced, lambda r: (normal(r, n(8_000_000)), 3.0), ()),
        "longest_runs": (longest_runs, lambda r: (f4(r, n(20_000), 1000), 0.3), ()),
        "drawdowns": (drawdowns, lambda r: (np.exp(np.cumsum(0.01 * normal(r, n(20_000), 1000), axis=1)),), ()),
        "packed_overlap": (packed_overlap, lambda r: (f4(r, n(40_000), 1024) > 0.5, f4(r, n(40_000), 1024) > 0.5), ()),
    }


PROGRAMS = at(1)
