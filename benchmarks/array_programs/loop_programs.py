"""A second set of programs that go over elements one by one, as people write them for Numba: graphs, automata, filters, searches, finance, text, geometry.
Written before any of them was compiled.
"""
import math
import numpy as np
from random_arrays import f8


def integral_image(img):
    h, w = img.shape
    out = np.zeros((h + 1, w + 1))
    for i in range(h):
        row = 0.0
        for j in range(w):
            row += img[i, j]
            out[i + 1, j + 1] = out[i, j + 1] + row
    return out


def life(board, steps):
    n, m = board.shape
    a = board.copy()
    b = np.zeros_like(a)
    for _ in range(steps):
        for i in range(n):
            for j in range(m):
                alive = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if di != 0 or dj != 0:
                            alive += a[(i + di) % n, (j + dj) % m]
                if alive == 3 or (alive == 2 and a[i, j] == 1):
                    b[i, j] = 1
                else:
                    b[i, j] = 0
        a, b = b, a
    return a


def floyd(d):
    n = d.shape[0]
    d = d.copy()
    for k in range(n):
        for i in range(n):
            for j in range(n):
                t = d[i, k] + d[k, j]
                if t < d[i, j]:
                    d[i, j] = t
    return d


def lcs_two_rows(a, b):
    prev = np.zeros(b.size + 1, np.int64)
    cur = np.zeros(b.size + 1, np.int64)
    for i in range(a.size):
        for j in range(b.size):
            if a[i] == b[j]:
                cur[j + 1] = prev[j] + 1
            else:
                cur[j + 1] = max(prev[j + 1], cur[j])
        for j in range(b.size + 1):
            prev[j] = cur[j]
    return prev[b.size]


def merge_sorted(a, b):
    out = np.empty(a.size + b.size)
    i = j = k = 0
    while i < a.size and j < b.size:
        if a[i] <= b[j]:
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
        k += 1
    while i < a.size:
        out[k] = a[i]
        i += 1
        k += 1
    while j < b.size:
        out[k] = b[j]
        j += 1
        k += 1
    return out


def union_find(n, u, v):
    parent = np.arange(n)
    count = n
    for e in range(u.size):
        a = u[e]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        b = v[e]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a != b:
            parent[a] = b
            count -= 1
    return count


def grid_bfs(wall, si, sj):
    n, m = wall.shape
    dist = np.full((n, m), -1)
    queue = np.empty((n * m, 2), np.int64)
    head, tail = 0, 1
    queue[0, 0], queue[0, 1] = si, sj
    dist[si, sj] = 0
    while head < tail:
        i, j = queue[head, 0], queue[head, 1]
        head += 1
        for k in range(4):
            a = i + (1 if k == 0 else -1 if k == 1 else 0)
            b = j + (1 if k == 2 else -1 if k == 3 else 0)
            if 0 <= a < n and 0 <= b < m and not wall[a, b] and dist[a, b] < 0:
                dist[a, b] = dist[i, j] + 1
                queue[tail, 0], queue[tail, 1] = a, b
                tail += 1
    return dist


def dijkstra_dense(w, source):
    n = w.shape[0]
    dist = np.full(n, np.inf)
    done = np.zeros(n, np.bool_)
    dist[source] = 0.0
    for _ in range(n):
        best, u = np.inf, -1
        for i in range(n):
            if not done[i] and dist[i] < best:
                best, u = dist[i], i
        if u < 0:
            break
        done[u] = True
        for v in range(n):
            if dist[u] + w[u, v] < dist[v]:
                dist[v] = dist[u] + w[u, v]
    return dist


def pagerank_csr(ptr, col, damping, rounds):
    n = ptr.size - 1
    rank = np.full(n, 1.0 / n)
    for _ in range(rounds):
        new = np.full(n, (1 - damping) / n)
        for i in range(n):
            degree = ptr[i + 1] - ptr[i]
            if degree > 0:
                share = damping * rank[i] / degree
                for k in range(ptr[i], ptr[i + 1]):
                    new[col[k]] += share
        rank = new
    return rank


def thomas_many(lower, diag, upper, rhs):
    systems, n = rhs.shape
    x = np.empty_like(rhs)
    c = np.empty(n)
    d = np.empty(n)
    for s in range(systems):
        c[0] = upper[s, 0] / diag[s, 0]
        d[0] = rhs[s, 0] / diag[s, 0]
        for i in range(1, n):
            m = diag[s, i] - lower[s, i] * c[i - 1]
            c[i] = upper[s, i] / m
            d[i] = (rhs[s, i] - lower[s, i] * d[i - 1]) / m
        x[s, n - 1] = d[n - 1]
        for i in range(n - 2, -1, -1):
            x[s, i] = d[i] - c[i] * x[s, i + 1]
    return x


def cholesky_loops(a):
    n = a.shape[0]
    low = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = math.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return low


def power_iteration(a, rounds):
    n = a.shape[0]
    v = np.ones(n)
    value = 0.0
    for _ in range(rounds):
        w = np.zeros(n)
        for i in range(n):
            for j in range(n):
                w[i] += a[i, j] * v[j]
        norm = 0.0
        for i in range(n):
            norm += w[i] ** 2
        norm = math.sqrt(norm)
        value = 0.0
        for i in range(n):
            value += v[i] * w[i]
            v[i] = w[i] / norm
    return value, v


def leapfrog(pos, vel, mass, dt, steps):
    n = pos.shape[0]
    pos, vel = pos.copy(), vel.copy()
    acc = np.zeros((n, 3))
    for _ in range(steps):
        for i in range(n):
            ax = ay = az = 0.0
            for j in range(n):
                dx = pos[j, 0] - pos[i, 0]
                dy = pos[j, 1] - pos[i, 1]
                dz = pos[j, 2] - pos[i, 2]
                r2 = dx * dx + dy * dy + dz * dz + 0.01
                f = mass[j] / (r2 * math.sqrt(r2))
                ax += f * dx
                ay += f * dy
                az += f * dz
            acc[i, 0], acc[i, 1], acc[i, 2] = ax, ay, az
        for i in range(n):
            for d in range(3):
                vel[i, d] += dt * acc[i, d]
                pos[i, d] += dt * vel[i, d]
    return pos, vel


def cell_counts(x, y, cells):
    count = np.zeros((cells, cells), np.int64)
    for p in range(x.size):
        count[int(x[p] * cells), int(y[p] * cells)] += 1
    start = np.zeros(cells * cells + 1, np.int64)
    for c in range(cells * cells):
        start[c + 1] = start[c] + count[c // cells, c % cells]
    order = np.empty(x.size, np.int64)
    filled = start[:-1].copy()
    for p in range(x.size):
        c = int(x[p] * cells) * cells + int(y[p] * cells)
        order[filled[c]] = p
        filled[c] += 1
    return start, order


def xorshift_walks(seeds, steps):
    far = np.zeros(seeds.size)
    for w in range(seeds.size):
        s = seeds[w]
        x = y = 0
        best = 0
        for _ in range(steps):
            s ^= (s << 13) & 0xFFFFFFFF
            s ^= s >> 17
            s ^= (s << 5) & 0xFFFFFFFF
            k = s & 3
            if k == 0:
                x += 1
            elif k == 1:
                x -= 1
            elif k == 2:
                y += 1
            else:
                y -= 1
            best = max(best, x * x + y * y)
        far[w] = math.sqrt(best)
    return far


def mandelbrot_loops(n, most):
    out = np.zeros((n, n), np.int64)
    for i in range(n):
        for j in range(n):
            cr, ci = -2.0 + 3.0 * j / n, -1.5 + 3.0 * i / n
            zr = zi = 0.0
            k = 0
            while k < most and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
                k += 1
            out[i, j] = k
    return out


def sobel_clamped(img):
    h, w = img.shape
    out = np.empty((h, w))
    kx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    for i in range(h):
        for j in range(w):
            gx = gy = 0.0
            for u in range(3):
                for v in range(3):
                    y = min(max(i + u - 1, 0), h - 1)
                    x = min(max(j + v - 1, 0), w - 1)
                    gx += kx[u, v] * img[y, x]
                    gy += kx[v, u] * img[y, x]
            out[i, j] = math.hypot(gx, gy)
    return out


def run_lengths(x):
    values = np.empty_like(x)
    lengths = np.zeros(x.size, np.int64)
    n = 0
    for i in range(x.size):
        if n > 0 and values[n - 1] == x[i]:
            lengths[n - 1] += 1
        else:
            values[n] = x[i]
            lengths[n] = 1
            n += 1
    return values[:n], lengths[:n]


def joint_histogram(a, b, bins):
    h = np.zeros((bins, bins))
    for k in range(a.size):
        i = min(int(a[k] * bins), bins - 1)
        j = min(int(b[k] * bins), bins - 1)
        h[i, j] += 1.0
    return h / a.size


def kde(points, grid, width):
    out = np.zeros(grid.size)
    c = 1.0 / (points.size * width * math.sqrt(2 * math.pi))
    for g in range(grid.size):
        s = 0.0
        for p in range(points.size):
            z = (grid[g] - points[p]) / width
            s += math.exp(-0.5 * z * z)
        out[g] = c * s
    return out


def naive_dft(x):
    n = x.size
    re = np.zeros(n)
    im = np.zeros(n)
    for k in range(n):
        for t in range(n):
            angle = -2 * math.pi * ((k * t) % n) / n
            re[k] += x[t] * math.cos(angle)
            im[k] += x[t] * math.sin(angle)
    return re, im


def biquad_channels(x, b0, b1, b2, a1, a2):
    channels, n = x.shape
    y = np.zeros_like(x)
    for c in range(channels):
        x1 = x2 = y1 = y2 = 0.0
        for t in range(n):
            v = b0 * x[c, t] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
            x2, x1 = x1, x[c, t]
            y2, y1 = y1, v
            y[c, t] = v
    return y


def viterbi_loops(obs, start, trans, emit):
    steps, states = obs.size, start.size
    score = np.zeros((steps, states))
    back = np.zeros((steps, states), np.int64)
    for s in range(states):
        score[0, s] = start[s] + emit[s, obs[0]]
    for t in range(1, steps):
        for s in range(states):
            best, arg = -np.inf, 0
            for p in range(states):
                v = score[t - 1, p] + trans[p, s]
                if v > best:
                    best, arg = v, p
            score[t, s] = best + emit[s, obs[t]]
            back[t, s] = arg
    path = np.zeros(steps, np.int64)
    for s in range(1, states):
        if score[steps - 1, s] > score[steps - 1, path[steps - 1]]:
            path[steps - 1] = s
    for t in range(steps - 2, -1, -1):
        path[t] = back[t + 1, path[t + 1]]
    return path


def crc32(data, table):
    crc = 0xFFFFFFFF
    for i in range(data.size):
        crc = (crc >> 8) ^ table[(crc ^ data[i]) & 0xFF]
    return crc ^ 0xFFFFFFFF


def anneal_tour(x, y, picks, chances, heat):
    n = x.size
    tour = np.arange(n)
    t = heat
    for k in range(picks.shape[0]):
        i, j = picks[k, 0], picks[k, 1]
        if i > j:
            i, j = j, i
        if i == j or (i == 0 and j == n - 1):
            continue
        a, b, c, d = tour[i - 1], tour[i], tour[j], tour[(j + 1) % n]
        before = math.hypot(x[a] - x[b], y[a] - y[b]) + math.hypot(x[c] - x[d], y[c] - y[d])
        after = math.hypot(x[a] - x[c], y[a] - y[c]) + math.hypot(x[b] - x[d], y[b] - y[d])
        if after < before or chances[k] < math.exp((before - after) / t):
            lo, hi = i, j
            while lo < hi:
                tour[lo], tour[hi] = tour[hi], tour[lo]
                lo += 1
                hi -= 1
        t *= 0.9999
    return tour


def perceptron(x, label, rate, epochs):
    n, d = x.shape
    w = np.zeros(d)
    bias = 0.0
    errors = 0
    for _ in range(epochs):
        errors = 0
        for i in range(n):
            s = bias
            for j in range(d):
                s += w[j] * x[i, j]
            guess = 1 if s >= 0 else -1
            if guess != label[i]:
                errors += 1
                for j in range(d):
                    w[j] += rate * label[i] * x[i, j]
                bias += rate * label[i]
    return w, bias, errors


def knn_vote(train, label, test, k, classes):
    out = np.zeros(test.shape[0], np.int64)
    for t in range(test.shape[0]):
        dist = np.full(k, np.inf)
        near = np.zeros(k, np.int64)
        for i in range(train.shape[0]):
            s = 0.0
            for d in range(train.shape[1]):
                diff = train[i, d] - test[t, d]
                s += diff * diff
            if s < dist[k - 1]:
                p = k - 1
                while p > 0 and dist[p - 1] > s:
                    dist[p] = dist[p - 1]
                    near[p] = near[p - 1]
                    p -= 1
                dist[p] = s
                near[p] = label[i]
        votes = np.zeros(classes, np.int64)
        for q in range(k):
            votes[near[q]] += 1
        best = 0
        for c in range(1, classes):
            if votes[c] > votes[best]:
                best = c
        out[t] = best
    return out


def binomial_american(spots, strike, rate, vol, years, steps):
    out = np.zeros(spots.size)
    dt = years / steps
    up = math.exp(vol * math.sqrt(dt))
    down = 1 / up
    p = (math.exp(rate * dt) - down) / (up - down)
    disc = math.exp(-rate * dt)
    value = np.zeros(steps + 1)
    for q in range(spots.size):
        for i in range(steps + 1):
            value[i] = max(strike - spots[q] * up ** (steps - i) * down ** i, 0.0)
        for t in range(steps - 1, -1, -1):
            for i in range(t + 1):
                hold = disc * (p * value[i] + (1 - p) * value[i + 1])
                value[i] = max(hold, strike - spots[q] * up ** (t - i) * down ** i)
        out[q] = value[0]
    return out


def gillespie(draws, s, i, r, beta, gamma):
    n = s + i + r
    t = 0.0
    path = np.zeros((draws.shape[0], 3))
    for k in range(draws.shape[0]):
        a = beta * s * i / n
        b = gamma * i
        total = a + b
        if total == 0:
            break
        t += -math.log(draws[k, 0]) / total
        if draws[k, 1] * total < a:
            s -= 1
            i += 1
        else:
            i -= 1
            r += 1
        path[k, 0], path[k, 1], path[k, 2] = t, s, i
    return path


def sandpile(grid):
    n, m = grid.shape
    g = grid.copy()
    topples = 0
    busy = True
    while busy:
        busy = False
        for i in range(n):
            for j in range(m):
                if g[i, j] >= 4:
                    g[i, j] -= 4
                    topples += 1
                    busy = True
                    if i > 0:
                        g[i - 1, j] += 1
                    if i < n - 1:
                        g[i + 1, j] += 1
                    if j > 0:
                        g[i, j - 1] += 1
                    if j < m - 1:
                        g[i, j + 1] += 1
    return g, topples


def hough(ys, xs, angles, size):
    votes = np.zeros((angles, 2 * size), np.int64)
    cos = np.empty(angles)
    sin = np.empty(angles)
    for a in range(angles):
        cos[a] = math.cos(math.pi * a / angles)
        sin[a] = math.sin(math.pi * a / angles)
    for p in range(ys.size):
        for a in range(angles):
            rho = int(round(xs[p] * cos[a] + ys[p] * sin[a])) + size
            if 0 <= rho < 2 * size:
                votes[a, rho] += 1
    return votes


def needleman(a, b, same, other, gap):
    n, m = a.size, b.size
    f = np.zeros((n + 1, m + 1))
    for i in range(n + 1):
        f[i, 0] = gap * i
    for j in range(m + 1):
        f[0, j] = gap * j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d = f[i - 1, j - 1] + (same if a[i - 1] == b[j - 1] else other)
            f[i, j] = max(d, f[i - 1, j] + gap, f[i, j - 1] + gap)
    i, j, steps = n, m, 0
    trace = np.zeros(n + m, np.int64)
    while i > 0 and j > 0:
        d = f[i - 1, j - 1] + (same if a[i - 1] == b[j - 1] else other)
        if f[i, j] == d:
            trace[steps] = 0
            i -= 1
            j -= 1
        elif f[i, j] == f[i - 1, j] + gap:
            trace[steps] = 1
            i -= 1
        else:
            trace[steps] = 2
            j -= 1
        steps += 1
    return f[n, m], trace[:steps]


def gauss_seidel(u, f, sweeps):
    u = u.copy()
    n, m = u.shape
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])
    return u


def max_pool(x, k):
    b, c, h, w = x.shape
    out = np.empty((b, c, h // k, w // k))
    for n in range(b):
        for q in range(c):
            for i in range(h // k):
                for j in range(w // k):
                    best = -np.inf
                    for u in range(k):
                        for v in range(k):
                            best = max(best, x[n, q, i * k + u, j * k + v])
                    out[n, q, i, j] = best
    return out


def quantize_error(img, levels):
    h, w = img.shape
    f = img.copy()
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            old = f[i, j]
            new = round(old * (levels - 1)) / (levels - 1)
            out[i, j] = new
            e = old - new
            if j + 1 < w:
                f[i, j + 1] += e * 7 / 16
            if i + 1 < h:
                if j > 0:
                    f[i + 1, j - 1] += e * 3 / 16
                f[i + 1, j] += e * 5 / 16
                if j + 1 < w:
                    f[i + 1, j + 1] += e * 1 / 16
    return out


def triangle_count(adj):
    n = adj.shape[0]
    count = 0
    for i in range(n):
        for j in range(i + 1, n):
            if adj[i, j]:
                for k in range(j + 1, n):
                    if adj[i, k] and adj[j, k]:
                        count += 1
    return count


def local_maxima(x, gap):
    peaks = np.empty(x.size, np.int64)
    n = 0
    for i in range(1, x.size - 1):
        if x[i] > x[i - 1] and x[i] >= x[i + 1]:
            if n > 0 and i - peaks[n - 1] < gap:
                if x[i] > x[peaks[n - 1]]:
                    peaks[n - 1] = i
            else:
                peaks[n] = i
                n += 1
    return peaks[:n].copy()


def rolling_stats(x, window):
    n = x.size - window + 1
    mean = np.empty(n)
    std = np.empty(n)
    for i in range(n):
        s = 0.0
        for k in range(window):
            s += x[i + k]
        mu = s / window
        q = 0.0
        for k in range(window):
            q += (x[i + k] - mu) ** 2
        mean[i] = mu
        std[i] = math.sqrt(q / (window - 1))
    return mean, std


def backtest(price, fast, slow):
    cash, shares, trades = 1000.0, 0.0, 0
    equity = np.empty(price.size)
    ef = es = price[0]
    for t in range(price.size):
        ef += (price[t] - ef) * 2 / (fast + 1)
        es += (price[t] - es) * 2 / (slow + 1)
        if ef > es and shares == 0:
            shares = cash / price[t]
            cash = 0.0
            trades += 1
        elif ef < es and shares > 0:
            cash = shares * price[t]
            shares = 0.0
            trades += 1
        equity[t] = cash + shares * price[t]
    return equity, trades


def ring_graph(r, n, per):
    return np.arange(n + 1) * per, r.integers(0, n, n * per)


def crc_table():
    table = np.zeros(256, np.int64)
    for k in range(256):
        c = k
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        table[k] = c
    return table


PROGRAMS = {  # name: (function, its arguments from a generator, positions of what is known when compiling)
    "integral_image": (integral_image, lambda r: (f8(r, 3000, 3000),), ()),
    "life": (life, lambda r: (r.integers(0, 2, (1000, 1000)), 20), ()),
    "floyd": (floyd, lambda r: (f8(r, 400, 400) * 100,), ()),
    "lcs_two_rows": (lcs_two_rows, lambda r: (r.integers(0, 4, 3000), r.integers(0, 4, 3000)), ()),
    "merge_sorted": (merge_sorted, lambda r: (np.sort(f8(r, 1_000_000)), np.sort(f8(r, 1_000_000))), ()),
    "union_find": (union_find, lambda r: (200_000, r.integers(0, 200_000, 300_000), r.integers(0, 200_000, 300_000)), ()),
    "grid_bfs": (grid_bfs, lambda r: (f8(r, 1000, 1000) < 0.3, 500, 500), ()),
    "dijkstra_dense": (dijkstra_dense, lambda r: (f8(r, 2000, 2000) * 100, 0), ()),
    "pagerank_csr": (pagerank_csr, lambda r: (*ring_graph(r, 100_000, 15), 0.85, 10), ()),
    "thomas_many": (thomas_many, lambda r: (f8(r, 20000, 100), f8(r, 20000, 100) + 3, f8(r, 20000, 100), f8(r, 20000, 100)), ()),
    "cholesky_loops": (cholesky_loops, lambda r: ((lambda a: a @ a.T + 400 * np.eye(400))(f8(r, 400, 400)),), ()),
    "power_iteration": (power_iteration, lambda r: (f8(r, 1000, 1000), 30), ()),
    "leapfrog": (leapfrog, lambda r: (f8(r, 1000, 3), f8(r, 1000, 3), f8(r, 1000), 0.001, 10), ()),
    "cell_counts": (cell_counts, lambda r: (f8(r, 1_000_000), f8(r, 1_000_000), 64), ()),
    "xorshift_walks": (xorshift_walks, lambda r: (r.integers(1, 2**32, 20000), 500), ()),
    "mandelbrot_loops": (mandelbrot_loops, lambda r: (800, 200), ()),
    "sobel_clamped": (sobel_clamped, lambda r: (f8(r, 1500, 1500),), ()),
    "run_lengths": (run_lengths, lambda r: (r.integers(0, 2, 3_000_000),), ()),
    "joint_histogram": (joint_histogram, lambda r: (f8(r, 3_000_000), f8(r, 3_000_000), 64), ()),
    "kde": (kde, lambda r: (f8(r, 5000), f8(r, 4000), 0.05), ()),
    "naive_dft": (naive_dft, lambda r: (f8(r, 2000),), ()),
    "biquad_channels": (biquad_channels, lambda r: (f8(r, 256, 20000), 0.2, 0.3, 0.2, -0.5, 0.2), ()),
    "viterbi_loops": (viterbi_loops, lambda r: (r.integers(0, 20, 3000), np.log(f8(r, 64)), np.log(f8(r, 64, 64)), np.log(f8(r, 64, 20))), ()),
    "crc32": (crc32, lambda r: (r.integers(0, 256, 10_000_000), crc_table()), ()),
    "anneal_tour": (anneal_tour, lambda r: (f8(r, 500), f8(r, 500), r.integers(1, 500, (50_000, 2)), f8(r, 50_000), 1.0), ()),
    "perceptron": (perceptron, lambda r: (f8(r, 20000, 16) - 0.5, r.integers(0, 2, 20000) * 2 - 1, 0.01, 5), ()),
    "knn_vote": (knn_vote, lambda r: (f8(r, 5000, 8), r.integers(0, 5, 5000), f8(r, 1000, 8), 7, 5), ()),
    "binomial_american": (binomial_american, lambda r: (f8(r, 200) * 50 + 75, 100.0, 0.03, 0.3, 1.0, 256), ()),
    "gillespie": (gillespie, lambda r: (f8(r, 1_000_000, 2) + 1e-9, 499_000, 1000, 0, 0.4, 0.1), ()),
    "sandpile": (sandpile, lambda r: (r.integers(0, 8, (100, 100)),), ()),
    "hough": (hough, lambda r: (r.integers(0, 700, 20000), r.integers(0, 700, 20000), 180, 1000), ()),
    "needleman": (needleman, lambda r: (r.integers(0, 4, 2500), r.integers(0, 4, 2500), 1.0, -1.0, -2.0), ()),
    "gauss_seidel": (gauss_seidel, lambda r: (f8(r, 500, 500), f8(r, 500, 500), 20), ()),
    "max_pool": (max_pool, lambda r: (f8(r, 8, 16, 256, 256), 2), ()),
    "quantize_error": (quantize_error, lambda r: (f8(r, 1000, 1000), 4), ()),
    "triangle_count": (triangle_count, lambda r: (np.triu(f8(r, 600, 600) < 0.1),), ()),
    "local_maxima": (local_maxima, lambda r: (f8(r, 3_000_000), 10), ()),
    "rolling_stats": (rolling_stats, lambda r: (f8(r, 500_000), 60), ()),
    "backtest": (backtest, lambda r: (np.exp(np.cumsum((f8(r, 2_000_000) - 0.5) * 0.01)) * 50, 12, 26), ()),
}
