"""Loops whose iterations hold array statements and do not need each other: one kernel, with the results and the errors of the loop."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def sparse_product(rows, columns, values, x):
    y = np.empty(rows.size - 1, values.dtype)
    for i in range(rows.size - 1):
        at = columns[rows[i]:rows[i + 1]]
        y[i] = values[rows[i]:rows[i + 1]] @ x[at]
    return y


def convolution(image, weights):
    k = weights.shape[0]
    out = np.empty((image.shape[0], image.shape[1] - k + 1, image.shape[2] - k + 1, weights.shape[3]), image.dtype)
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            out[:, i, j, :] = np.sum(image[:, i:i + k, j:j + k, :, np.newaxis] * weights[np.newaxis], axis=(1, 2, 3))
    return out


def pooling(x):
    out = np.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2), x.dtype)
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            out[:, i, j] = np.max(x[:, 2 * i:2 * i + 2, 2 * j:2 * j + 2], axis=(1, 2))
    return out


def rank_update(alpha, beta, c, a):
    for i in range(a.shape[0]):
        c[i, :i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, :i + 1] += alpha * a[i, k] * a[:i + 1, k]


def normalized_rows(a):
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        row = a[i] - a[i].mean()
        out[i] = row / np.sqrt((row * row).sum() + 1.0)
    return out


def least_paths(costs):
    """Down the rows, by one column at most; each row reads the one before."""
    total = costs.copy()
    back = np.zeros(costs.shape, dtype=int)
    for i in range(1, costs.shape[0]):
        for j in range(costs.shape[1]):
            if j == 0:
                k = np.argmin(total[i - 1, j:j + 2])
                back[i, j] = k
                best = total[i - 1, k]
            else:
                k = np.argmin(total[i - 1, j - 1:j + 2])
                back[i, j] = k + j - 1
                best = total[i - 1, k + j - 1]
            total[i, j] += best
    return total, back


def of_the_row_itself(a):
    out = a.copy()
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] += out[i, :j + 1].min() + out[i - 1, j]
    return out


def scaled_by_the_first(a):
    for i in range(a.shape[0]):
        a[i] *= a[i, 0]


def polynomial(x, degree):
    out = np.zeros((degree, x.size))
    for d in range(degree):
        out[d] = np.cumsum(x ** d)
    return out


def gathered_rows(table, index):
    out = np.zeros((index.size, table.shape[1]))
    for i in range(index.size):
        out[i, :] = table[index[i]] * 2.0
    return out


def written_rows(out, table, index):
    for i in range(index.size):
        out[i, :] = table[index[i]] + 1.0


def smoothed(a):
    for i in range(1, a.shape[0]):
        a[i] = 0.5 * (a[i] + a[i - 1])


def two_places(a):
    for i in range(a.shape[0] - 1):
        a[i] += 1.0
        a[i + 1] *= 2.0


def counted(a):
    total = np.zeros(3)
    for i in range(a.shape[0]):
        total += a[i]
    return total


def maybe(a, limit):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        if a[i, 0] > limit:
            out[i] = a[i].sum()
        else:
            out[i] = a[i].max()
    return out


def triangular_product(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1:, i], b[i + 1:, j])


def triangular_update(alpha, a, b, c):
    temporary = np.empty(c.shape[1])
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += alpha * b[i, j] * a[i, :i]
            temporary[j] = b[:i, j] @ a[i, :i]
        c[i, :] += alpha * b[i, :] * a[i, i] + alpha * temporary


def two_updates(alpha, a, b, c):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            c[i, :i + 1] += a[:i + 1, k] * alpha * b[i, k] + b[:i + 1, k] * alpha * a[i, k]


def with_the_next(a):
    for i in range(a.shape[0] - 1):
        a[i] += 0.5 * a[i + 1]


def with_the_next_but_one_row_less(a, rows):
    for i in range(rows):
        a[i] = a[i + 1] - a[i, 0]


def small_products(neighbours, a, b, weights, out):
    for k in range(a.shape[0]):
        for e in range(a.shape[1]):
            for i in range(weights.shape[0]):
                for n in range(neighbours.shape[0]):
                    if e - i >= 0:
                        left = a[k, e - i, neighbours[n]] @ b[n]
                        right = b[n] * weights[i, n]
                        out[k, e] += left @ right


def chain(p):
    n = len(p) - 1
    cost = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = (cost[i, i:j] + cost[i + 1:j + 1, j] + p[i] * p[i + 1:j + 1] * p[j + 1]).min()
    return cost


def mirrored(a):
    out = np.zeros((a.shape[0], a.shape[0]))
    for i in range(a.shape[0]):
        out[i:, i] = out[i, i:] = np.exp(a[i:]) - a[i]
    return out


def of_each_part(values, starts):
    n = starts.shape[0] - 1
    total, largest, scaled = np.zeros(n), np.zeros(n), np.zeros(values.shape[0])
    for i in range(n):
        part = values[starts[i]:starts[i + 1]]
        total[i] = part.sum()
        if part.size > 0:
            largest[i] = part.max()
        scaled[starts[i]:starts[i + 1]] = part / (1.0 + total[i])
    return total, largest, scaled


class IndependentIterations(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(5)

    def test_sparse_product(self):
        for n in (1, 5, 200, 1000):
            counts = self.random.integers(0, 9, n)
            rows = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
            columns = self.random.integers(0, 50, rows[-1]).astype(np.uint32)
            self.compare(sparse_product, [rows, columns, self.random.random(rows[-1]), self.random.random(50)])
            if len(columns) > 3:
                columns[3] = 50
                self.compare(sparse_product, [rows, columns, self.random.random(rows[-1]), self.random.random(50)])

    def test_windows(self):
        for shape in [(2, 3, 3, 1), (3, 9, 12, 4), (1, 30, 20, 3)]:
            self.compare(convolution, [self.random.random(shape), self.random.random((3, 3, shape[3], 5))], scale=4)
            self.compare(pooling, [self.random.random(shape[:3])])

    def test_rows(self):
        for n, m in [(1, 1), (3, 50), (70, 9), (200, 130)]:
            a = self.random.random((n, m))
            self.compare(rank_update, [1.5, 0.5, self.random.random((n, n)), a], scale=4)
            self.compare(normalized_rows, [a], scale=4)
            self.compare(scaled_by_the_first, [a])
            self.compare(maybe, [a, 0.5], scale=4)
        self.compare(polynomial, [self.random.random(300), 80], scale=4)

    def test_iterations_that_need_each_other(self):
        for n in (1, 2, 90):
            a = self.random.random((n, 3))
            self.compare(smoothed, [a])
            self.compare(two_places, [a])
            self.compare(counted, [a], scale=4)

    def test_checks_that_other_loops_bound(self):
        for n, m in [(1, 1), (3, 5), (70, 9), (65, 66)]:
            a, b, c = self.random.random((n, n)), self.random.random((n, m)), self.random.random((n, m))
            self.compare(triangular_product, [a, b], scale=8)
            self.compare(triangular_product, [a[:, :n - 1].copy(), b], scale=8)
            self.compare(triangular_update, [1.5, a, b, c], scale=8)
            self.compare(triangular_update, [1.5, a[:n - 1], b, c], scale=8)
            self.compare(two_updates, [1.5, b, c, a], scale=8)
            if TARGET != "cuda": # where rows that come after the error may have been begun
                self.compare(two_updates, [1.5, b, c[:, :m - 1].copy(), a], scale=8)

    def test_what_later_iterations_store(self):
        for n in (1, 2, 90):
            a = self.random.random((n, 70))
            self.compare(with_the_next, [a])
            self.compare(with_the_next_but_one_row_less, [a, n - 1])
            self.compare(with_the_next_but_one_row_less, [a, n])

    def test_small_products(self):
        def arguments(k, e, i, n, m, dtype="f8", names=None):
            a, b = self.random.random((k, e, 6, m, m)).astype(dtype), self.random.random((n, m, m)).astype(dtype)
            neighbours = self.random.integers(0, 6, n).astype("i4") if names is None else np.array(names, "i4")
            return [neighbours, a, b, self.random.random((i, n)).astype(dtype), np.zeros((k, e, m, m), dtype)]

        for sizes in [(1, 1, 1, 1, 1), (2, 3, 2, 4, 3), (3, 5, 3, 2, 4), (2, 2, 3, 0, 2), (2, 2, 1, 3, 40)]:
            self.compare(small_products, arguments(*sizes), scale=16)
        self.compare(small_products, arguments(2, 3, 2, 4, 3, dtype="c16"), scale=16)
        self.compare(small_products, arguments(2, 3, 2, 3, 3, names=[1, -1, 5]), scale=16)
        self.compare(small_products, arguments(2, 3, 2, 3, 3, names=[1, 6, 5]), scale=16)
        a = arguments(2, 3, 2, 3, 3)
        self.compare(small_products, a[:4] + [np.zeros((2, 2, 3, 3))], scale=16)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        arguments = [np.array([0, 2, 1]), np.ones((2, 3, 4, 3, 3)), np.ones((3, 3, 3)), np.ones((2, 3)), np.zeros((2, 3, 3, 3))]
        compiled = jit(small_products)
        compiled(*arguments)
        before = npcc.counters()["launches"]
        compiled(*arguments)
        # One for the least and one for the greatest of the positions, and one for all iterations.
        self.assertEqual(npcc.counters()["launches"] - before, 3)

    def test_chains(self):
        for n in (2, 3, 40):
            self.compare(chain, [self.random.random(n + 1)], scale=4)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches_of_chains(self):
        p = self.random.random(31)
        compiled = jit(chain)
        compiled(p)
        before = npcc.counters()["launches"]
        compiled(p)
        # The array once, and for each length a copy of it and one kernel.
        self.assertEqual(npcc.counters()["launches"] - before, 1 + 2 * 29)

    def test_triangles(self):
        for n in (0, 1, 2, 90):
            self.compare(mirrored, [self.random.random(n)], scale=4)

    def test_rows_of_the_row_before(self):
        for rows, columns in [(1, 3), (4, 1), (5, 7), (3, 40)]:
            self.compare(least_paths, [self.random.random((rows, columns))], scale=8)
            self.compare(of_the_row_itself, [self.random.random((rows, columns))], scale=8)

    def test_launches_of_rows(self):
        report = str(npcc.jit(target="cuda")(least_paths).explain(np.zeros((70, 90)), device="H200"))
        self.assertIn("they do not need each other", report)
        self.assertNotIn("they do not need each other", str(npcc.jit(target="cuda")(of_the_row_itself).explain(np.zeros((70, 90)), device="H200")))

    def test_parts_of_different_lengths(self):
        for n in (1, 5, 200, 1000):
            for longest in (2, 20, 700):
                starts = np.concatenate([[0], np.cumsum(self.random.integers(0, longest, n))])
                self.compare(of_each_part, [self.random.random(starts[-1]), starts], scale=8)

    def test_positions_that_memory_gives(self):
        table = self.random.random((20, 6))
        for n in (1, 100):
            index = self.random.integers(-20, 20, n)
            self.compare(gathered_rows, [table, index])
            self.compare(written_rows, [np.zeros((n, 6)), table, index])
            index[n // 2] = 20
            self.compare(gathered_rows, [table, index])
            self.compare(written_rows, [np.zeros((n, 6)), table, index])
        self.compare(written_rows, [np.zeros((50, 6)), table, self.random.integers(0, 20, 80)])


if __name__ == "__main__":
    unittest.main()
