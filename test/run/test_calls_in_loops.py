"""Sorts and routines of libraries that a loop calls in each iteration: one call for all of them where what they are given is known before the loop."""
import unittest

import numpy as np

from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def medians(x):
    out = np.empty(x.shape[1])
    for c in range(x.shape[1]):
        out[c] = np.median(x[:, c])
    return out


def column_stats(x):
    out = np.empty((x.shape[1], 4))
    for j in range(x.shape[1]):
        col = x[:, j]
        out[j, 0] = col.mean()
        out[j, 1] = np.median(col)
        out[j, 2] = np.percentile(col, 90)
        out[j, 3] = np.sort(col)[2]
    return out


def solutions(a, b):
    out = np.zeros_like(b)
    for i in range(a.shape[0]):
        out[i] = np.linalg.solve(a[i], b[i])
    return out


def best_stump(x, y):
    best = np.float64(np.inf)
    for j in range(x.shape[1]):
        order = np.argsort(x[:, j])
        s = np.cumsum(y[order])
        best = min(best, s.max() - s.min())
    return best


def neighbours(x, q, k):
    out = np.empty((q.shape[0], k), np.int64)
    distance = np.empty(q.shape[0])
    for i in range(q.shape[0]):
        d = np.sum((x - q[i]) ** 2, axis=1)
        order = np.argsort(d)
        out[i] = order[:k]
        distance[i] = d[order[:k]].mean()
    return out, distance


def ranks(x):
    out = np.empty(x.shape)
    for i in range(x.shape[0]):
        out[i] = np.argsort(np.argsort(x[i], kind="stable"), kind="stable")
    return out


def factors(a):
    out = np.empty((len(a), 2))
    for i in range(len(a)):
        u, s, v = np.linalg.svd(a[i])
        out[i, 0] = s[0] / s[-1]
        out[i, 1] = abs(u[0, 0] * v[0, 0])
    return out


def spectra(a):
    w = np.empty(a.shape[:2])
    for i in range(len(a)):
        w[i], v = np.linalg.eigh(a[i] @ a[i].T)
    return w


def inverses(a):
    out = np.zeros_like(a)
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i])
    return out


def logarithms(a):
    total = np.float64(0.0)
    for i in range(len(a)):
        total += np.log(np.diag(np.linalg.cholesky(a[i] @ a[i].T + np.eye(a.shape[1])))).sum()
    return total


def determinants(a):
    out = np.empty(len(a))
    for i in range(len(a)):
        out[i] = np.linalg.det(a[i])
    return out


def fits(a, b):
    out = np.empty((len(a), a.shape[2]))
    for i in range(len(a)):
        out[i] = np.linalg.lstsq(a[i], b[i])[0]
    return out


def in_place(x):
    for i in range(len(x)):
        x[i] = np.sort(x[i])
    return x


def in_place_by_method(x, n):
    for i in range(n):
        x[i].sort()
    return x


def columns_in_place(x):
    for j in range(x.shape[1]):
        x[:, j] = np.sort(x[:, j])[::-1]
        x[0, j] += 1
    return x


def centred(x):
    for i in range(len(x)):
        x[i] -= np.median(x[i])
    return x


def after_a_store(x):
    """What is sorted is another row after the store."""
    for i in range(len(x)):
        x[i, 0] = 5
        x[i] = np.sort(x[i])
    return x


def other_rows_too(x):
    for i in range(len(x)):
        x[i] = np.sort(x[i])
        x[len(x) - 1 - i] += 1
    return x


def diagonals_in_place(x):
    """Each reads more than its own row."""
    for i in range(len(x)):
        x[i] = np.sort(x[:, i])
    return x


def powers(x):
    out = np.empty((len(x), x.shape[1] // 2 + 1))
    for i in range(len(x)):
        out[i] = np.abs(np.fft.rfft(x[i] * 2)) ** 2
    return out


def transformed_columns(x, n):
    out = np.zeros((n, x.shape[1]), np.complex128)
    for j in range(x.shape[1]):
        out[:, j] = np.fft.ifft(x[:, j], n, norm="ortho")
    return out


def transformed_images(x):
    out = np.empty(x.shape)
    for k in range(len(x)):
        out[k] = np.fft.ifft2(np.fft.fft2(x[k]) * 2).real
    return out


def transformed_axes(x):
    out = np.zeros(x.shape, np.complex128)
    for k in range(len(x)):
        out[k] = np.fft.fft(x[k], axis=0)
    return out


def transformed_in_place(x):
    for i in range(len(x)):
        x[i] = np.fft.fft(x[i])
    return x


def tried(x):
    out = np.empty(len(x))
    try:
        for i in range(len(x)):
            out[i] = np.median(x[i])
    except ZeroDivisionError:
        out[:] = 0
    return out


def one_after_another(x):
    for i in range(1, len(x)):
        x[i] = np.sort(x[i] + x[i - 1])
    return x


def lowest(x, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.sort(x[i])[0]
    return out


def shrinking(x):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = np.sort(x[i:])[0]
    return out


def until_negative(x, out):
    for i in range(len(x)):
        if x[i, 0] < 0:
            raise ValueError("negative")
        out[i] = np.sort(x[i])
    return out


def added(x, y):
    out = np.empty(x.shape)
    for i in range(len(x)):
        out[i] = np.sort(x[i] + y)
    return out


def sorted_by_another(x, which):
    out = np.empty((len(which), x.shape[1]))
    for i in range(len(which)):
        out[i] = np.sort(x[which[i]])
    return out


def solvable(a, b):
    count = 0
    for i in range(len(a)):
        try:
            count += np.linalg.solve(a[i], b)[0] > 0
        except np.linalg.LinAlgError:
            count += 100
    return count


def frames(x, w, step):
    n = len(w)
    out = np.zeros(((len(x) - n) // step + 1, n // 2 + 1), complex)
    for i in range(len(out)):
        out[i] = np.fft.rfft(x[i * step:i * step + n] * w)
    return out


def more_frames(x, w, step, count):
    """Of which the last ones may end behind the array, or begin there, or count from its end."""
    out = np.zeros((count, len(w) // 2 + 1))
    for i in range(count):
        start = (i - 1) * step + 1
        out[i] = np.abs(np.fft.rfft(w * x[start:start + len(w)]))
    return out


def mean_power(x, w, step):
    n = len(w)
    power, count = np.zeros(n // 2 + 1), 0
    for start in range(0, len(x) - n + 1, step):
        power += np.abs(np.fft.rfft(x[start:start + n] * w)) ** 2
        count += 1
    return power / count, count


def overlap_add(spectra, w, step, length):
    y = np.zeros(length)
    for i in range(len(spectra)):
        y[i * step:i * step + len(w)] += np.fft.irfft(spectra[i]) * w
    return y


def windows_sorted(x, step, n):
    out = np.zeros(((len(x) - n) // step + 1, n))
    for i in range(len(out)):
        out[i] = np.sort(x[i * step:i * step + n])
    return out


class CallsInLoops(Comparison):
    def test_results(self):
        for n in (0, 1, 7):
            x = rng.standard_normal((40, n))
            for function, arguments in (
                    (medians, [x]), (column_stats, [x]), (best_stump, [x, rng.standard_normal(40)]), (ranks, [x.T.copy()]),
                    (ranks, [x.T]), (in_place, [x.T.copy()]),
                    (neighbours, [rng.standard_normal((40, 3)), rng.standard_normal((n, 3)), 4]), (one_after_another, [x.T.copy()]),
                    (shrinking, [x[:, 0] if n else x.ravel()]), (added, [x, rng.standard_normal(n)])):
                with self.subTest(function=function.__name__, n=n):
                    self.compare(function, arguments, scale=10)

    def test_rows_that_change_in_place(self):
        for n in (0, 1, 7):
            x = rng.standard_normal((n, n))
            for function in (columns_in_place, centred, after_a_store, other_rows_too, diagonals_in_place):
                with self.subTest(function=function.__name__, n=n):
                    self.compare(function, [x])
            for given in (x, x.T, x[::-1], np.asfortranarray(x)):
                self.compare(in_place_by_method, [given, n])
        # Rows that were sorted before the error stay so.
        self.compare(in_place_by_method, [rng.standard_normal((4, 5)), 6])
        y = rng.standard_normal((6, 5))
        y.flags.writeable = False
        self.compare(in_place_by_method, [y, 6])

    def test_transforms(self):
        for n in (0, 1, 6, 7):
            x = rng.standard_normal((n, 12))
            for function, arguments in ((powers, [x]), (transformed_columns, [x.T.copy(), 9]), (transformed_columns, [x.T, 15]),
                                        (transformed_columns, [x.T.astype("c8"), 12]), (powers, [x[:, 1:]]), (transformed_in_place, [x + 1j]),
                                        (transformed_images, [rng.standard_normal((n, 4, 6))]), (transformed_axes, [rng.standard_normal((n, 4, 6))])):
                with self.subTest(function=function.__name__, n=n):
                    self.compare(function, arguments, scale=100)
        self.compare(powers, [np.empty((3, 0))])
        self.compare(transformed_columns, [rng.standard_normal((4, 3)), 0])

    def test_windows(self):
        x = rng.standard_normal(100)
        for n, step in ((8, 4), (8, 8), (7, 1), (7, 20), (100, 3), (1, 5), (12, 2**40), (12, 2**62), (12, -1), (12, 0), (101, 1)):
            w = np.hanning(n) + 1
            with self.subTest(n=n, step=step):
                self.compare(frames, [x, w, step], scale=100)
                self.compare(windows_sorted, [x, step, n])
                if step > 0:
                    self.compare(mean_power, [x, w, step], scale=1000)
                if n < 13:
                    for count in (1, 3, 20):
                        self.compare(more_frames, [x, w, step, count], scale=100)
        for step, length in ((4, 60), (8, 60), (1, 12), (4, 20), (-2, 20)):
            with self.subTest(step=step, length=length):
                self.compare(overlap_add, [np.fft.rfft(rng.standard_normal((5, 8))), np.hanning(8), step, length], scale=10)

    def test_lines_with_nan_and_of_several_dtypes(self):
        x = rng.integers(0, 9, (33, 5))
        for dtype in ("f4", "f8", "i4", "i8", "u1", "c16"):
            with self.subTest(dtype=dtype):
                self.compare(medians if dtype != "c16" else ranks, [x.astype(dtype)])
                self.compare(ranks, [x.astype(dtype)])
        y = x.astype(float)
        y[3, 2] = np.nan
        self.compare(medians, [y])
        self.compare(column_stats, [y])

    def test_matrices(self):
        for n in (0, 1, 6):
            for rows in (3, 6, 35):
                a = rng.standard_normal((n, rows, rows))
                with self.subTest(n=n, rows=rows):
                    self.compare(solutions, [a, rng.standard_normal((n, rows))], scale=1000)
                    for function in (factors, spectra, inverses, logarithms, determinants) if n or rows == 6 else ():
                        self.compare(function, [a], scale=1000)
        self.compare(fits, [rng.standard_normal((4, 6, 3)), rng.standard_normal((4, 6))], scale=100)

    def test_errors(self):
        """Of the iteration that has it, with what the iterations before have stored."""
        a = rng.standard_normal((5, 6, 6))
        a[3] = 0
        out = np.zeros((5, 6))
        self.compare(solutions, [a, rng.standard_normal((5, 6))])
        self.compare(inverses, [a])
        self.compare(solvable, [a, rng.standard_normal(6)])
        self.compare(solutions, [a, rng.standard_normal((4, 6))])
        self.compare(solutions, [a, rng.standard_normal((5, 7))])
        self.compare(solutions, [rng.standard_normal((5, 6, 7)), rng.standard_normal((5, 7))])
        self.compare(medians, [np.empty((0, 4))])
        self.compare(lowest, [rng.standard_normal((4, 9)), 4])
        self.compare(lowest, [rng.standard_normal((4, 9)), 5])
        self.compare(lowest, [rng.standard_normal((4, 0)), 3])
        self.compare(added, [rng.standard_normal((4, 6)), rng.standard_normal(5)])
        self.compare(added, [rng.standard_normal((4, 1)), rng.standard_normal(5)])
        x = rng.random((5, 6))
        x[3, 0] = -1
        self.compare(until_negative, [x, out])
        self.compare(sorted_by_another, [x, np.array([0, 4, 2, -1])])
        self.compare(sorted_by_another, [x, np.array([0, 4, 5, 1])])
        for bad in (np.nan, np.inf):
            a = rng.standard_normal((4, 3, 3))
            a[2, 1, 1] = bad
            with self.assertRaisesRegex(np.linalg.LinAlgError, "SVD did not converge"):
                jit(factors)(a)

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_launches(self):
        f = rng.standard_normal
        for function, make in (
                (medians, lambda n: [f((50, n))]), (column_stats, lambda n: [f((50, n))]), (ranks, lambda n: [f((n, 50))]),
                (solutions, lambda n: [f((n, 6, 6)), f((n, 6))]),
                (best_stump, lambda n: [f((50, n)), np.ones(50)]), (neighbours, lambda n: [f((50, 3)), f((n, 3)), 4]), (factors, lambda n: [f((n, 6, 6))]),
                (in_place_by_method, lambda n: [f((n, 50)), n]), (columns_in_place, lambda n: [f((50, n))]), (centred, lambda n: [f((n, 50))]),
                (powers, lambda n: [f((n, 50))]), (transformed_columns, lambda n: [f((50, n)), 50]), (transformed_images, lambda n: [f((n, 6, 6))]),
                (transformed_axes, lambda n: [f((n, 6, 6))]),
                (frames, lambda n: [f(7 * n + 9), f(16), 7]), (mean_power, lambda n: [f(7 * n + 9), f(16), 7]),
                (windows_sorted, lambda n: [f(7 * n + 33), 7, 40]),
                (overlap_add, lambda n: [f((n, 5)) + 0j, f(8), 3, 100]), (tried, lambda n: [f((n, 50))]),
                (spectra, lambda n: [f((n, 6, 6))]), (inverses, lambda n: [f((n, 6, 6))]), (fits, lambda n: [f((n, 6, 3)), f((n, 6))])):
            with self.subTest(function.__name__):
                self.assertEqual(self.launches(function, *make(12)), self.launches(function, *make(4)))


if __name__ == "__main__":
    unittest.main()
