"""Lists that loops make longer, and integers that loops count: what is known before the loop is taken from there."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, count_launches, jit


def history(x, steps):
    sums = []
    for k in range(steps):
        x = 0.5 * x + k
        sums.append(x.sum())
    return x, np.array(sums) if steps else None


def rows(x, steps):
    kept = []
    for _ in range(steps):
        x = np.sin(x)
        kept.append(x)
    return np.stack(kept)


def stored_into_later(x, steps):
    """The list must hold the arrays themselves, so each iteration needs one of its own."""
    kept = []
    for _ in range(steps):
        x = np.sin(x)
        kept.append(x)
    kept[0][0] = 5.0
    return kept, x


def longer_list(x, steps):
    """It has items before the loop, and takes two in each iteration."""
    out = [x[0], x[1]]
    for k in range(steps):
        out.append(x[k])
        out.append(out[-2] + out[k])
    return out


def every_third(x, first, last):
    out = []
    for k in range(first, last, 3):
        out.append(k * x)
    return out, len(out)


def in_two_loops(x, n, m):
    out = []
    for i in range(n):
        for j in range(m):
            out.append(x[i] * x[j])
        out.append(x[i] - 1.0)
    return out


def inner_loop_grows(x, n):
    """The inner loop is longer from iteration to iteration."""
    out = []
    for i in range(n):
        for j in range(i):
            out.append(x[j] + i)
    return out


def sometimes(x, limit):
    out = []
    for k in range(x.shape[0]):
        if x[k] > limit:
            out.append(x[k])
    return out


def until(x, limit):
    out, k = [], 0
    while x > limit:
        out.append(x)
        x *= 0.7
        k += 1
    return out, k


def grows_and_shrinks(x):
    out = []
    for k in range(x.shape[0]):
        out.append(x[k])
        if k % 3 == 2:
            out.pop()
    return out


def put_in_front(x):
    out = []
    for k in range(x.shape[0]):
        out.insert(0, x[k])
    return out


def begun_again(x):
    out = []
    for k in range(x.shape[0]):
        out = []
        out.append(x[k])
    return out


def read_while_it_grows(x, steps):
    out = [x]
    for k in range(steps):
        out.append(out[k] + out[-1] + len(out))
    return out


def of_tuples(x, steps):
    out = []
    for k in range(steps):
        out.append((k, x[k]))
    return out


def other_shapes(x, y):
    """What the list has already is shorter than what comes."""
    out = [x]
    for k in range(3):
        out.append(y)
    return np.stack(out)


def emptied_for_others(x, y):
    out = []
    for _ in range(20):
        out.append(x)
    first = np.stack(out)
    out = out[:0]
    for _ in range(3):
        out.append(y)
    return first, np.stack(out)


def counters(x, n, step):
    k, j, out = 3, 0, np.zeros(4 * n + 8)
    for i in range(n):
        out[k] = x[i]
        k += 1
        out[j] += 0.5
        j = j + step
    return out, k, j


def counter_of_both_loops(x, n, m):
    k, out = 0, np.zeros(n * m + n)
    for i in range(n):
        for j in range(m):
            out[k] = x[i] - x[j]
            k += 1
        k += 1
    return out, k


def counter_that_waits(x):
    k, out = 0, np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            out[k] = x[i]
            k += 1
    return out, k


def counts_downwards(x):
    k, out = x.shape[0] - 1, np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[k] = x[i]
        k -= 1
    return out, k


def scaled_rows(x, n):
    return np.array([np.sin(x[i]) * i for i in range(n)])


def chosen_rows(x, n):
    return np.stack([x[i] for i in range(n) if i % 3 != 1], axis=1)


def pairs_of_rows(x, n):
    return np.array([x[i] - x[j] for i in range(n) for j in range(i + 1)])


def triangle(x, column, n):
    """The first items are columns, which those of the next list broadcast against rows."""
    levels = [column[k:k + 1] for k in range(n)]
    for depth in range(n - 1, 0, -1):
        levels = [levels[k] * x[k] + levels[k + 1] for k in range(depth)]
    return levels[0]


def shorter_and_shorter(x, n):
    return np.array([x[i, i:] for i in range(n)])


class ListsInLoops(Comparison):
    def test_known_lengths(self):
        x = np.random.default_rng(1).random(30)
        for steps in (0, 1, 5, 30):
            with self.subTest(steps=steps):
                self.compare(history, (x, steps))
                self.compare(longer_list, (x, steps))
                self.compare(every_third, (0.5, 2, steps))
                self.compare(every_third, (0.5, steps, 7))
                self.compare(inner_loop_grows, (x, steps))
                self.compare(in_two_loops, (x, steps, 4))
                self.compare(in_two_loops, (x, 4, steps))
                self.compare(of_tuples, (x, steps))
                self.compare(read_while_it_grows, (0.25, steps))
                if steps:
                    self.compare(rows, (x, steps))
                    self.compare(stored_into_later, (x, steps))

    def test_other_lengths(self):
        x = np.random.default_rng(2).random(40)
        for n in (0, 1, 3, 40):
            with self.subTest(n=n):
                self.compare(sometimes, (x[:n], 0.5))
                self.compare(grows_and_shrinks, (x[:n],))
                self.compare(put_in_front, (x[:n],))
                self.compare(begun_again, (x[:n],))
                self.compare(until, (float(n), 0.01))

    def test_shapes(self):
        x, y = np.ones(3), np.ones(5)
        self.compare(emptied_for_others, (x, y))
        self.compare(other_shapes, (x, 2 * x))
        with self.assertRaisesRegex(ValueError, "inhomogeneous|same shape"):
            jit(other_shapes)(x, y)

    def test_counters(self):
        x = np.random.default_rng(3).random(20)
        for n in (0, 1, 7, 20):
            with self.subTest(n=n):
                self.compare(counters, (x, n, 2))
                self.compare(counters, (x, n, 0))
                self.compare(counter_of_both_loops, (x, n, 3))
                self.compare(counter_of_both_loops, (x, 3, n))
                self.compare(counter_that_waits, (x[:n],))
                self.compare(counts_downwards, (x[:n],))
        with self.assertRaises(IndexError):
            jit(counters)(x, 20, 6)

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_the_loop_is_a_kernel(self):
        """No branch and no copy of the list is left between the steps."""
        x = npcc.asarray(np.random.default_rng(4).random(100))
        compiled = jit(history)
        compiled(x, 50)
        before = npcc.counters()["launches"]
        compiled(x, 50)
        self.assertEqual(npcc.counters()["launches"] - before, 3)

    def test_comprehensions_of_arrays(self):
        x = np.random.default_rng(5).random((40, 300))
        for n in (1, 2, 7, 40):
            with self.subTest(n=n):
                self.compare(scaled_rows, (x, n))
                self.compare(chosen_rows, (x, n))
                self.compare(pairs_of_rows, (x[:, :n], min(n, 7)) if n > 1 else (x, 2))
                self.compare(triangle, (x, x[:, :1], n))
        with self.assertRaisesRegex(ValueError, "inhomogeneous"):
            jit(shorter_and_shorter)(x, 3)

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_a_comprehension_is_a_kernel(self):
        """As is the loop that appends: all items at once, into the array that holds them."""
        x = npcc.asarray(np.random.default_rng(6).random((40, 300)))
        self.assertEqual(count_launches(jit(scaled_rows), (x, 30)), 1)


if __name__ == "__main__":
    unittest.main()
