"""Programs that go over elements one by one, as people write them for Numba: totals beside what is stored, scratch arrays, updates of several arrays,
elimination. Values as Python's."""
import unittest

import numpy as np

from harness import jit


def relax(u, f, tol, most):
    n, m = u.shape
    v = u.copy()
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


def label(img):
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


def inside(px, py, poly):
    n, m = 0, poly.shape[0]
    for p in range(px.size):
        within = False
        j = m - 1
        for i in range(m):
            if (poly[i, 1] > py[p]) != (poly[j, 1] > py[p]):
                if px[p] < (poly[j, 0] - poly[i, 0]) * (py[p] - poly[i, 1]) / (poly[j, 1] - poly[i, 1]) + poly[i, 0]:
                    within = not within
            j = i
        if within:
            n += 1
    return n


def least_above(x, least):
    found, below = least, 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < found:
                found = x[i, j]
            if x[i, j] < 0.25:
                below += 1
    return found, below


def medians(img):
    h, w = img.shape
    out = img.copy()
    window = np.empty(9)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            k = 0
            for u in range(-1, 2):
                for v in range(-1, 2):
                    window[k] = img[i + u, j + v]
                    k += 1
            out[i, j] = np.sort(window)[4]
    return out


def bubbles(a):
    out = np.zeros(a.shape[0])
    buffer = np.zeros(6)
    for i in range(a.shape[0]):
        for k in range(6):
            buffer[k] = a[i, k]
        for _ in range(6):
            for k in range(5):
                if buffer[k] > buffer[k + 1]:
                    t = buffer[k]
                    buffer[k] = buffer[k + 1]
                    buffer[k + 1] = t
        out[i] = buffer[2] + buffer[3]
    return out


def deposit(px, py, q, nx, ny):
    grid, count = np.zeros((nx, ny)), np.zeros(nx, np.int64)
    for p in range(px.size):
        i, j = int(px[p]), int(py[p])
        fx, fy = px[p] - i, py[p] - j
        grid[i, j] += q[p] * (1 - fx) * (1 - fy)
        grid[i + 1, j] += q[p] * fx * (1 - fy)
        grid[i, j + 1] -= q[p] * (1 - fx) * fy
        grid[i + 1, j + 1] += q[p] * fx * fy
        count[i] += 1
    return grid, count


def clusters(points, centres, rounds):
    n, d = points.shape
    k = centres.shape[0]
    labels = np.zeros(n, np.int64)
    for _ in range(rounds):
        for i in range(n):
            best, least = 0, 1e300
            for c in range(k):
                s = 0.0
                for q in range(d):
                    t = points[i, q] - centres[c, q]
                    s += t * t
                if s < least:
                    least, best = s, c
            labels[i] = best
        sums, counts = np.zeros((k, d)), np.zeros(k)
        for i in range(n):
            for q in range(d):
                sums[labels[i], q] += points[i, q]
            counts[labels[i]] += 1
        for c in range(k):
            if counts[c] > 0:
                for q in range(d):
                    centres[c, q] = sums[c, q] / counts[c]
    return labels, centres


def eliminate(a, b):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
            b[i] -= f * b[k]
    return a, b


def lagged(x, lags):
    out = np.zeros(lags)
    for k in range(lags):
        for i in range(x.size - k):
            out[k] += x[i] * x[i + k]
    return out


def product(a, x):
    y = np.ones(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            y[i] += a[i, j] * x[j]
    return y


def sorted_into(a, limits, at):
    counts = np.zeros(4, np.int64)
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        counts[at[i]] += 1 if s > limits[i] else 2
    return counts


def tridiagonal(lower, diag, upper, rhs):
    """Scratch arrays that each system fills from the first element on."""
    x = np.empty_like(rhs)
    n = rhs.shape[1]
    c, d = np.empty(n), np.empty(n)
    for s in range(rhs.shape[0]):
        c[0], d[0] = upper[s, 0] / diag[s, 0], rhs[s, 0] / diag[s, 0]
        for i in range(1, n):
            m = diag[s, i] - lower[s, i] * c[i - 1]
            c[i] = upper[s, i] / m
            d[i] = (rhs[s, i] - lower[s, i] * d[i - 1]) / m
        x[s, n - 1] = d[n - 1]
        for i in range(n - 2, -1, -1):
            x[s, i] = d[i] - c[i] * x[s, i + 1]
    return x


def votes(train, label, test, k, classes):
    """Arrays of run-time extents, made in each iteration."""
    out = np.zeros(test.shape[0], np.int64)
    for t in range(test.shape[0]):
        far, near = np.full(k, np.inf), np.zeros(k, np.int64)
        for i in range(train.shape[0]):
            s = 0.0
            for d in range(train.shape[1]):
                s += (train[i, d] - test[t, d]) ** 2
            if s < far[k - 1]:
                p = k - 1
                while p > 0 and far[p - 1] > s:
                    far[p], near[p] = far[p - 1], near[p - 1]
                    p -= 1
                far[p], near[p] = s, label[i]
        count = np.zeros(classes, np.int64)
        for q in range(k):
            count[near[q]] += 1
        best = 0
        for c in range(1, classes):
            if count[c] > count[best]:
                best = c
        out[t] = best
    return out


def smoothed_rows(a, passes):
    out, w = np.zeros_like(a), np.zeros(a.shape[1] + 1)
    for s in range(a.shape[0]):
        for i in range(a.shape[1]):
            w[i] = a[s, i]
        w[a.shape[1]] = a[s, 0]
        for _ in range(passes):
            for i in range(a.shape[1]):
                w[i] = 0.5 * (w[i] + w[i + 1])
        for i in range(a.shape[1]):
            out[s, i] = w[i] + w[a.shape[1] - 1 - i]
    return out


def kept_between(a):
    """The scratch array of one iteration is the beginning of the next."""
    out, w = np.zeros_like(a), np.ones(a.shape[1])
    for s in range(a.shape[0]):
        for i in range(1, a.shape[1]):
            w[i] = w[i - 1] * a[s, i]
        for i in range(a.shape[1]):
            out[s, i] = w[i]
        w[0] = a[s, 0]
    return out, w


def paths(d):
    """Row k and column k are read by all, and stored to where k comes up: by a negative cycle, too."""
    d = d.copy()
    for k in range(d.shape[0]):
        for i in range(d.shape[0]):
            for j in range(d.shape[0]):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def inverted(a):
    """Gauss and Jordan, in place."""
    a = a.copy()
    for k in range(a.shape[0]):
        p = a[k, k]
        a[k, k] = 1.0
        for j in range(a.shape[0]):
            a[k, j] /= p
        for i in range(a.shape[0]):
            if i != k:
                f = a[i, k]
                a[i, k] = 0.0
                for j in range(a.shape[0]):
                    a[i, j] -= f * a[k, j]
    return a


class LoopsOverElements(unittest.TestCase):
    def test_programs(self):
        r = np.random.default_rng(7)
        f8 = lambda *shape: r.random(shape)
        nan = f8(5, 6)
        nan[1, 2] = nan[4, 5] = np.nan
        for function, make in [(relax, lambda: (f8(12, 13), 0.01 * f8(12, 13), 1e-3, 30)), (relax, lambda: (f8(2, 2), f8(2, 2), 1e-3, 5)),
                               (label, lambda: (f8(9, 11) < 0.6,)), (inside, lambda: (f8(40), f8(40), f8(7, 2))), (inside, lambda: (f8(0), f8(0), f8(3, 2))),
                               (least_above, lambda: (f8(7, 9), 2.0)), (least_above, lambda: (nan, np.inf)), (least_above, lambda: (f8(7, 9), -1.0)),
                               (least_above, lambda: (f8(0, 9), np.nan)), (medians, lambda: (f8(8, 7),)), (bubbles, lambda: (f8(9, 6),)),
                               (deposit, lambda: (6 * f8(900), 6 * f8(900), f8(900), 8, 8)), (clusters, lambda: (f8(200, 3), f8(4, 3), 3)),
                               (eliminate, lambda: (f8(9, 9) + 9 * np.eye(9), f8(9))), (lagged, lambda: (f8(300), 5)), (lagged, lambda: (f8(20), 3)),
                               (tridiagonal, lambda: (f8(9, 12), f8(9, 12) + 3, f8(9, 12), f8(9, 12))),
                               (tridiagonal, lambda: tuple(f8(3, 1) for _ in range(4))),
                               (votes, lambda: (f8(30, 3), r.integers(0, 4, 30), f8(11, 3), 5, 4)), (smoothed_rows, lambda: (f8(6, 9), 3)),
                               (smoothed_rows, lambda: (f8(3, 1), 2)), (kept_between, lambda: (f8(6, 9),)),
                               (paths, lambda: (f8(9, 9),)), (paths, lambda: (f8(6, 6) - 0.3,)), (paths, lambda: (f8(1, 1) - 1,)),
                               (inverted, lambda: (f8(7, 7) + 7 * np.eye(7),)),
                               (product, lambda: (f8(5, 300), f8(300))), (product, lambda: (f8(5, 0), f8(0))),
                               (sorted_into, lambda: (f8(40, 300), 300 * f8(40), r.integers(0, 4, 40)))]:
            given = make()
            mine = [a.copy() if isinstance(a, np.ndarray) else a for a in given]
            with self.subTest(function=function.__name__):
                wanted, got = function(*given), jit(function)(*mine)
                self.assertEqual(isinstance(wanted, tuple), isinstance(got, tuple))
                for a, b in zip(wanted, got) if isinstance(wanted, tuple) else [(wanted, got)]:
                    self.assertEqual(np.asarray(a).dtype, np.asarray(b).dtype)
                    np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=1e-12, atol=1e-12)
                for a, b in zip(given, mine):
                    if isinstance(a, np.ndarray):
                        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-12)

    def test_errors_beside_updates(self):
        """The first iteration that fails decides, whatever fails there."""
        def joint(a, b, bins):
            h = np.zeros((bins, bins))
            for k in range(a.size):
                i, j = int(a[k] * bins), min(int(b[k] * bins), bins - 1)
                h[i, j] += b[k]
            return h
        compiled = jit(joint)
        a, b = np.random.default_rng(8).random((2, 900))
        np.testing.assert_allclose(compiled(a, b, 8), joint(a, b, 8), rtol=1e-12)
        for changes in ({70: np.nan, 20: np.inf}, {50: 1.5, 70: np.nan}, {50: -np.inf, 30: 2.0}):
            for place, value in changes.items():
                a[place] = value
            with self.assertRaises((IndexError, ValueError, OverflowError)) as expected:
                joint(a, b, 8)
            with self.assertRaises(type(expected.exception)) as raised:
                compiled(a, b, 8)
            self.assertEqual(str(raised.exception), str(expected.exception))
            a[list(changes)] = 0.5

    def test_positions_outside(self):
        """What Python has stored before an IndexError is stored, and the error is its own."""
        def fill(grid, p, q):
            for i in range(p.size):
                grid[p[i]] += q[i]
                grid[p[i] + 1] += q[i]
        for p in (np.array([0, 1, 2, 9, 1]), np.array([0, -3, 8])):
            wanted, got = np.zeros(9), np.zeros(9)
            with self.assertRaises(IndexError) as expected:
                fill(wanted, p, np.arange(5.0))
            with self.assertRaises(IndexError) as raised:
                jit(fill)(got, p, np.arange(5.0))
            self.assertEqual(str(raised.exception), str(expected.exception))
            np.testing.assert_array_equal(got, wanted)


if __name__ == "__main__":
    unittest.main()
