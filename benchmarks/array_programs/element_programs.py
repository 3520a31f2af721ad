"""Programs that go over elements one by one, as people write them for Numba: filters, tables, sorting, searches, elimination, particles, labels. Peers
are compilers of such loops; CuPy would take a launch for each element.
"""
import math
import numpy as np
from random_arrays import f8


def conv2d_same(img, ker):
    h, w = img.shape
    kh, kw = ker.shape
    out = np.zeros_like(img)
    for i in range(h):
        for j in range(w):
            acc = 0.0
            for u in range(kh):
                for v in range(kw):
                    y, x = i + u - kh // 2, j + v - kw // 2
                    if 0 <= y < h and 0 <= x < w:
                        acc += img[y, x] * ker[u, v]
            out[i, j] = acc
    return out


def insertion_sort_rows(a):
    b = a.copy()
    for r in range(b.shape[0]):
        for i in range(1, b.shape[1]):
            key = b[r, i]
            j = i - 1
            while j >= 0 and b[r, j] > key:
                b[r, j + 1] = b[r, j]
                j -= 1
            b[r, j + 1] = key
    return b


def levenshtein(s, t):
    n, m = len(s), len(t)
    d = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


def collatz(n):
    out = np.zeros(n, np.int64)
    for i in range(1, n):
        x, c = i, 0
        while x != 1:
            if x % 2 == 0:
                x //= 2
            else:
                x = 3 * x + 1
            c += 1
        out[i] = c
    return out


def sieve(n):
    flags = np.ones(n + 1, np.bool_)
    flags[:2] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return flags


def hist_loop(x, bins, lo, hi):
    h = np.zeros(bins, np.int64)
    for i in range(x.size):
        k = int((x[i] - lo) / (hi - lo) * bins)
        if 0 <= k < bins:
            h[k] += 1
    return h


def kmeans_loops(pts, cen, iters):
    n, d = pts.shape
    cen = cen.copy()
    k = cen.shape[0]
    lab = np.zeros(n, np.int64)
    for _ in range(iters):
        for i in range(n):
            best, bd = 0, 1e300
            for c in range(k):
                s = 0.0
                for q in range(d):
                    t = pts[i, q] - cen[c, q]
                    s += t * t
                if s < bd:
                    bd, best = s, c
            lab[i] = best
        new = np.zeros((k, d))
        cnt = np.zeros(k)
        for i in range(n):
            for q in range(d):
                new[lab[i], q] += pts[i, q]
            cnt[lab[i]] += 1
        for c in range(k):
            if cnt[c] > 0:
                for q in range(d):
                    cen[c, q] = new[c, q] / cnt[c]
    return lab, cen


def rotate_bilinear(img, angle):
    h, w = img.shape
    out = np.zeros((h, w), img.dtype)
    c, s = math.cos(angle), math.sin(angle)
    cy, cx = h / 2, w / 2
    for i in range(h):
        for j in range(w):
            x = c * (j - cx) + s * (i - cy) + cx
            y = -s * (j - cx) + c * (i - cy) + cy
            x0, y0 = int(math.floor(x)), int(math.floor(y))
            if x0 >= 0 and y0 >= 0 and x0 + 1 < w and y0 + 1 < h:
                a, b = x - x0, y - y0
                out[i, j] = (1 - b) * ((1 - a) * img[y0, x0] + a * img[y0, x0 + 1]) + b * ((1 - a) * img[y0 + 1, x0] + a * img[y0 + 1, x0 + 1])
    return out


def spmv(ptr, col, val, x):
    y = np.zeros(ptr.size - 1)
    for i in range(y.size):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += val[k] * x[col[k]]
        y[i] = s
    return y


def jacobi_tol(u, f, tol, most):
    n, m = u.shape
    u, v = u.copy(), u.copy()
    it = 0
    err = tol + 1
    while err > tol and it < most:
        err = 0.0
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])
                err = max(err, abs(v[i, j] - u[i, j]))
        u, v = v, u
        it += 1
    return u, it, err


def smith_waterman(a, b, match, mis, gap):
    h = np.zeros((a.size + 1, b.size + 1), np.int32)
    best = 0
    for i in range(1, a.size + 1):
        for j in range(1, b.size + 1):
            s = h[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mis)
            s = max(s, h[i - 1, j] + gap, h[i, j - 1] + gap, 0)
            h[i, j] = s
            if s > best:
                best = s
    return best, h


def ray_spheres(origins, dirs, centers, radii):
    n = dirs.shape[0]
    hit = np.full(n, -1)
    dist = np.full(n, np.inf)
    for r in range(n):
        for s in range(centers.shape[0]):
            ox = origins[r, 0] - centers[s, 0]
            oy = origins[r, 1] - centers[s, 1]
            oz = origins[r, 2] - centers[s, 2]
            b = ox * dirs[r, 0] + oy * dirs[r, 1] + oz * dirs[r, 2]
            c = ox * ox + oy * oy + oz * oz - radii[s] ** 2
            disc = b * b - c
            if disc > 0:
                t = -b - math.sqrt(disc)
                if t > 1e-6 and t < dist[r]:
                    dist[r] = t
                    hit[r] = s
    return hit, dist


def cnd(x):
    k = 1.0 / (1.0 + 0.2316419 * abs(x))
    p = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    r = 1.0 - 0.3989422804 * math.exp(-0.5 * x * x) * p
    return r if x >= 0 else 1.0 - r


def bs_loop(s, k, t, r, v):
    n = s.shape[0]
    call, put = np.empty(n), np.empty(n)
    for i in range(n):
        sq = v * math.sqrt(t[i])
        d1 = (math.log(s[i] / k[i]) + (r + 0.5 * v * v) * t[i]) / sq
        d2 = d1 - sq
        e = math.exp(-r * t[i])
        call[i] = s[i] * cnd(d1) - k[i] * e * cnd(d2)
        put[i] = k[i] * e * cnd(-d2) - s[i] * cnd(-d1)
    return call, put


def moving_max(x, w):
    n = x.size
    out = np.empty(n - w + 1)
    for i in range(n - w + 1):
        m = x[i]
        for j in range(1, w):
            if x[i + j] > m:
                m = x[i + j]
        out[i] = m
    return out


def dtw(a, b):
    n, m = a.size, b.size
    d = np.full((n + 1, m + 1), np.inf)
    d[0, 0] = 0
    for i in range(n):
        for j in range(m):
            c = abs(a[i] - b[j])
            d[i + 1, j + 1] = c + min(d[i, j + 1], min(d[i + 1, j], d[i, j]))
    return d[n, m]


def ising_checker(s, rnd, beta, sweeps):
    n, m = s.shape
    s = s.copy()
    for k in range(sweeps):
        for color in range(2):
            for i in range(n):
                for j in range(m):
                    if (i + j) % 2 == color:
                        nb = s[(i + 1) % n, j] + s[(i - 1) % n, j] + s[i, (j + 1) % m] + s[i, (j - 1) % m]
                        de = 2 * s[i, j] * nb
                        if de <= 0 or rnd[k, i, j] < math.exp(-beta * de):
                            s[i, j] = -s[i, j]
    return s


def bisect_all(keys, q):
    out = np.empty(q.size, np.int64)
    for i in range(q.size):
        lo, hi = 0, keys.size
        while lo < hi:
            mid = (lo + hi) // 2
            if keys[mid] < q[i]:
                lo = mid + 1
            else:
                hi = mid
        out[i] = lo
    return out


def gauss_elim(a, b):
    n = a.shape[0]
    a, b = a.copy(), b.copy()
    for k in range(n - 1):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            for j in range(n):
                t = a[k, j]
                a[k, j] = a[p, j]
                a[p, j] = t
            t = b[k]
            b[k] = b[p]
            b[p] = t
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i, j] * x[j]
        x[i] = s / a[i, i]
    return x


def haversine_matrix(lat, lon):
    n = lat.size
    d = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            a = math.sin((lat[j] - lat[i]) / 2) ** 2 + math.cos(lat[i]) * math.cos(lat[j]) * math.sin((lon[j] - lon[i]) / 2) ** 2
            d[i, j] = 2 * 6371.0 * math.asin(math.sqrt(a))
    return d


def rk4_particles(x, v, dt, steps):
    x, v = x.copy(), v.copy()
    for p in range(x.shape[0]):
        a, b = x[p], v[p]
        for _ in range(steps):
            k1x, k1v = b, (1 - a * a) * b - a
            k2x = b + 0.5 * dt * k1v
            k2v = (1 - (a + 0.5 * dt * k1x) ** 2) * k2x - (a + 0.5 * dt * k1x)
            k3x = b + 0.5 * dt * k2v
            k3v = (1 - (a + 0.5 * dt * k2x) ** 2) * k3x - (a + 0.5 * dt * k2x)
            k4x = b + dt * k3v
            k4v = (1 - (a + dt * k3x) ** 2) * k4x - (a + dt * k3x)
            a += dt / 6 * (k1x + 2 * k2x + 2 * k3x + k4x)
            b += dt / 6 * (k1v + 2 * k2v + 2 * k3v + k4v)
        x[p], v[p] = a, b
    return x, v


def lcg_pi(seeds, draws):
    inside = 0
    for i in range(seeds.size):
        s = seeds[i]
        for _ in range(draws):
            s = (1103515245 * s + 12345) % 2147483648
            x = s / 2147483648
            s = (1103515245 * s + 12345) % 2147483648
            y = s / 2147483648
            if x * x + y * y <= 1.0:
                inside += 1
    return 4.0 * inside / (seeds.size * draws)


def otsu(img):
    hist = np.zeros(256)
    for v in img.ravel():
        hist[v] += 1
    total = img.size
    sum_all = 0.0
    for i in range(256):
        sum_all += i * hist[i]
    wb, sb, best, thr = 0.0, 0.0, -1.0, 0
    for t in range(256):
        wb += hist[t]
        if wb == 0:
            continue
        wf = total - wb
        if wf == 0:
            break
        sb += t * hist[t]
        d = sb / wb - (sum_all - sb) / wf
        between = wb * wf * d * d
        if between > best:
            best, thr = between, t
    return thr


def median3(img):
    h, w = img.shape
    out = img.copy()
    win = np.empty(9)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            k = 0
            for u in range(-1, 2):
                for v in range(-1, 2):
                    win[k] = img[i + u, j + v]
                    k += 1
            out[i, j] = np.sort(win)[4]
    return out


def label_prop(img):
    h, w = img.shape
    lab = np.zeros((h, w), np.int64)
    for i in range(h):
        for j in range(w):
            if img[i, j]:
                lab[i, j] = i * w + j + 1
    changed = True
    while changed:
        changed = False
        new = lab.copy()
        for i in range(h):
            for j in range(w):
                if img[i, j]:
                    m = lab[i, j]
                    if i > 0 and lab[i - 1, j] > m:
                        m = lab[i - 1, j]
                    if i < h - 1 and lab[i + 1, j] > m:
                        m = lab[i + 1, j]
                    if j > 0 and lab[i, j - 1] > m:
                        m = lab[i, j - 1]
                    if j < w - 1 and lab[i, j + 1] > m:
                        m = lab[i, j + 1]
                    if m != lab[i, j]:
                        new[i, j] = m
                        changed = True
        lab = new
    return lab


def autocorr(x, lags):
    n = x.size
    mu = 0.0
    for i in range(n):
        mu += x[i]
    mu /= n
    out = np.zeros(lags)
    for k in range(lags):
        for i in range(n - k):
            out[k] += (x[i] - mu) * (x[i + k] - mu)
        out[k] /= n
    return out


def gray_scott_loops(u, v, f, k, steps):
    n, m = u.shape
    for _ in range(steps):
        un, vn = np.empty_like(u), np.empty_like(v)
        for i in range(n):
            for j in range(m):
                up, dn, lf, rt = (i - 1) % n, (i + 1) % n, (j - 1) % m, (j + 1) % m
                lu = u[up, j] + u[dn, j] + u[i, lf] + u[i, rt] - 4 * u[i, j]
                lv = v[up, j] + v[dn, j] + v[i, lf] + v[i, rt] - 4 * v[i, j]
                r = u[i, j] * v[i, j] * v[i, j]
                un[i, j] = u[i, j] + 0.16 * lu - r + f * (1 - u[i, j])
                vn[i, j] = v[i, j] + 0.08 * lv + r - (f + k) * v[i, j]
        u, v = un, vn
    return u, v


def factors(a):
    n = a.shape[0]
    a = a.copy()
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def trapz_cum(y, dx):
    out = np.zeros(y.size)
    for i in range(1, y.size):
        out[i] = out[i - 1] + 0.5 * dx * (y[i] + y[i - 1])
    return out


def ema(x, alpha):
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1 - alpha) * y[i - 1]
    return y


def deposit(px, py, q, nx, ny):
    grid = np.zeros((nx, ny))
    for p in range(px.size):
        i, j = int(px[p]), int(py[p])
        fx, fy = px[p] - i, py[p] - j
        grid[i, j] += q[p] * (1 - fx) * (1 - fy)
        grid[i + 1, j] += q[p] * fx * (1 - fy)
        grid[i, j + 1] += q[p] * (1 - fx) * fy
        grid[i + 1, j + 1] += q[p] * fx * fy
    return grid


def pairwise_forces(pos, eps):
    n = pos.shape[0]
    f = np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            if i != j:
                dx = pos[j, 0] - pos[i, 0]
                dy = pos[j, 1] - pos[i, 1]
                dz = pos[j, 2] - pos[i, 2]
                r2 = dx * dx + dy * dy + dz * dz + eps
                w = 1.0 / (r2 * math.sqrt(r2))
                f[i, 0] += w * dx
                f[i, 1] += w * dy
                f[i, 2] += w * dz
    return f


def symmetric_forces(pos, eps):
    n = pos.shape[0]
    f = np.zeros((n, 2))
    for i in range(n):
        for j in range(i + 1, n):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            w = 1.0 / (dx * dx + dy * dy + eps)
            f[i, 0] += w * dx
            f[i, 1] += w * dy
            f[j, 0] -= w * dx
            f[j, 1] -= w * dy
    return f


def knapsack(weights, values, cap):
    best = np.zeros(cap + 1, np.int64)
    for i in range(len(weights)):
        for c in range(cap, weights[i] - 1, -1):
            cand = best[c - weights[i]] + values[i]
            if cand > best[c]:
                best[c] = cand
    return best[cap]


def count_inside(px, py, poly):
    n = 0
    m = poly.shape[0]
    for p in range(px.size):
        inside = False
        j = m - 1
        for i in range(m):
            if (poly[i, 1] > py[p]) != (poly[j, 1] > py[p]):
                if px[p] < (poly[j, 0] - poly[i, 0]) * (py[p] - poly[i, 1]) / (poly[j, 1] - poly[i, 1]) + poly[i, 0]:
                    inside = not inside
            j = i
        if inside:
            n += 1
    return n


def csr(r, n, per):
    ptr = np.arange(n + 1) * per
    return ptr, r.integers(0, n, n * per), r.random(n * per), r.random(n)


PROGRAMS = {  # name: (function, its arguments from a generator, positions of what is known when compiling)
    "conv2d_same": (conv2d_same, lambda r: (f8(r, 1000, 1000), f8(r, 7, 7)), ()),
    "insertion_sort_rows": (insertion_sort_rows, lambda r: (f8(r, 20000, 32),), ()),
    "levenshtein": (levenshtein, lambda r: (r.integers(0, 4, 3000), r.integers(0, 4, 3000)), ()),
    "collatz": (collatz, lambda r: (500000,), ()),
    "sieve": (sieve, lambda r: (10_000_000,), ()),
    "hist_loop": (hist_loop, lambda r: (f8(r, 10_000_000), 256, 0.0, 1.0), ()),
    "kmeans_loops": (kmeans_loops, lambda r: (f8(r, 50000, 8), f8(r, 16, 8), 5), ()),
    "rotate_bilinear": (rotate_bilinear, lambda r: (f8(r, 2000, 2000), 0.3), ()),
    "spmv": (spmv, lambda r: csr(r, 200000, 20), ()),
    "jacobi_tol": (jacobi_tol, lambda r: (f8(r, 500, 500), f8(r, 500, 500) * 0.01, 1e-6, 200), ()),
    "smith_waterman": (smith_waterman, lambda r: (r.integers(0, 4, 2000), r.integers(0, 4, 2000), 2, -1, -2), ()),
    "ray_spheres": (ray_spheres, lambda r: (np.zeros((200000, 3)), f8(r, 200000, 3) - 0.5, f8(r, 50, 3) * 10 - 5, f8(r, 50)), ()),
    "bs_loop": (bs_loop, lambda r: (f8(r, 2_000_000) + 1, f8(r, 2_000_000) + 1, f8(r, 2_000_000) + 0.1, 0.02, 0.3), ()),
    "moving_max": (moving_max, lambda r: (f8(r, 2_000_000), 50), ()),
    "dtw": (dtw, lambda r: (f8(r, 2000), f8(r, 2000)), ()),
    "ising_checker": (ising_checker, lambda r: (r.integers(0, 2, (512, 512)) * 2 - 1, f8(r, 20, 512, 512), 0.4, 20), ()),
    "bisect_all": (bisect_all, lambda r: (np.sort(f8(r, 1_000_000)), f8(r, 2_000_000)), ()),
    "gauss_elim": (gauss_elim, lambda r: (f8(r, 400, 400), f8(r, 400)), ()),
    "haversine_matrix": (haversine_matrix, lambda r: (f8(r, 2000), f8(r, 2000)), ()),
    "rk4_particles": (rk4_particles, lambda r: (f8(r, 100_000), f8(r, 100_000), 0.01, 100), ()),
    "lcg_pi": (lcg_pi, lambda r: (r.integers(0, 2**31, 100_000), 100), ()),
    "otsu": (otsu, lambda r: (r.integers(0, 256, (2000, 2000)).astype(np.uint8),), ()),
    "median3": (median3, lambda r: (f8(r, 700, 700),), ()),
    "label_prop": (label_prop, lambda r: (f8(r, 400, 400) < 0.55,), ()),
    "autocorr": (autocorr, lambda r: (f8(r, 500_000), 50), ()),
    "gray_scott_loops": (gray_scott_loops, lambda r: (f8(r, 512, 512), f8(r, 512, 512), 0.03, 0.06, 20), ()),
    "factors": (factors, lambda r: (f8(r, 400, 400) + 400 * np.eye(400),), ()),
    "trapz_cum": (trapz_cum, lambda r: (f8(r, 5_000_000), 0.1), ()),
    "ema": (ema, lambda r: (f8(r, 5_000_000), 0.1), ()),
    "deposit": (deposit, lambda r: (f8(r, 1_000_000) * 254, f8(r, 1_000_000) * 254, f8(r, 1_000_000), 256, 256), ()),
    "pairwise_forces": (pairwise_forces, lambda r: (f8(r, 3000, 3), 0.01), ()),
    "symmetric_forces": (symmetric_forces, lambda r: (f8(r, 3000, 2), 0.01), ()),
    "knapsack": (knapsack, lambda r: (r.integers(1, 100, 200), r.integers(1, 100, 200), 20000), ()),
    "count_inside": (count_inside, lambda r: (f8(r, 500_000), f8(r, 500_000), f8(r, 40, 2)), ()),
}
