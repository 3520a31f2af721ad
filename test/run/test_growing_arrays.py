"""Arrays that a loop makes longer: np.append, vstack, hstack and concatenate of what there is and what comes behind it."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def append_numbers(x, n):
    h = x
    for k in range(n):
        h = np.append(h, x[k % len(x)] * 2)
    return h


def stack_rows(x, n):
    h = x.reshape(1, -1)
    for _ in range(n):
        x = np.cos(x) * 1.25
        h = np.vstack((h, x))
    return h, len(h)


def stack_columns(x, n):
    h = x.reshape(-1, 1)
    for _ in range(n):
        x = x * 0.5 + 1
        h = np.hstack((h, x.reshape(-1, 1)))
    return h, h.sum(0)


def stack_planes(x, n):
    h = np.zeros((2, len(x), 1))
    for k in range(n):
        h = np.concatenate([h, np.ones((2, len(x), 2)) * k], axis=2)
    return h, h.reshape(2 * len(x), -1)


def stack_twice(x, n):
    h = np.zeros((2, 1, 3))
    for k in range(n):
        h = np.concatenate([h, h[:, -1:] * k], axis=1)
        h = np.concatenate([h, np.ones((2, 2, 3))], axis=1)
    return h


def append_some(x, n):
    h = np.zeros((0, len(x)))
    k = 0
    while k < n:
        k += 1
        if k % 2 == 0:
            h = np.vstack([h, x * k])
    return h, len(h)


def append_until(x, n):
    h = np.array([1.0])
    for k in range(n + 3):
        if h.sum() > 6 + x[0]:
            break
        h = np.append(h, h[-1] * 1.5)
    return h


def append_in_nest(x, n):
    h, c = np.zeros((0, 2)), np.zeros(0)
    for k in range(n):
        for j in range(3):
            h = np.append(h, [[k, j]], axis=0)
            c = np.append(c, k * j + x[0])
    return h, c


def append_parts(x, n):
    """Each iteration appends as many as it finds, perhaps none."""
    h, lengths = x[:2], np.array([], dtype=np.int64)
    for k in range(n):
        h = np.concatenate((h, x[x > k * 0.125]))
        lengths = np.append(lengths, len(h))
    return h, lengths


def nearest_first(points):
    """Each new node is found among those that there are."""
    nodes = points[:1]
    for k in range(1, len(points)):
        j = ((nodes - points[k]) ** 2).sum(1).argmin()
        nodes = np.vstack([nodes, nodes[j] + 0.125 * (points[k] - nodes[j])])
    return nodes


def visit(steps, n):
    """A queue that is appended to and taken from."""
    queue, order = np.array([0]), np.array([], dtype=int)
    seen = np.zeros(20, bool)
    seen[0] = True
    while len(queue) > 0 and len(order) < n:
        node, queue = queue[0], queue[1:]
        order = np.append(order, node)
        for step in steps:
            to = (node + step) % 20
            if not seen[to]:
                seen[to] = True
                queue = np.append(queue, to)
    return order


def store_into(x, n):
    """The old array is another one than that which is stored to."""
    h = x[:3].copy()
    old = h
    for k in range(n):
        old = h
        h = np.append(h, 1.0 + k)
        h[0] = h[0] + 1
    return h, old


def append_both(x, n):
    """Two arrays begin with the same one."""
    h, total = x[:3].copy(), 0.0
    for k in range(n):
        e, f = np.append(h, 1.0 + k), np.append(h, 2.0 + k)
        total += e.sum() * 2 + f.sum()
        h = f
        total += e[-1]
    return h, float(total)


def append_beside(x, n):
    """A longer array is read behind a loop that makes the same one longer, too."""
    h, total = x[:1], 0.0
    for k in range(n):
        if x[k % len(x)] > -5:
            e = np.append(h, 1.0)
            for j in range(k % 3):
                h = np.append(h, j * 2.0)
            total += e.sum() + e[-1]
    return h, float(total)


def keep_if(x, n):
    h = x.copy()
    for k in range(n):
        t = np.append(h, k)
        if t.sum() > 1.5:
            h = t
    return h


def keep_best(x, n):
    best, h = np.array([0.0]), x[:1]
    for k in range(n):
        h = np.append(h, np.sin(k))
        if h[-1] > best[-1]:
            best = h
    return h, best


def change_first(x, n):
    """What the array is before anything is appended changes while it is."""
    h = x
    for k in range(n):
        x[0] = k
        if k % 2:
            h = np.append(h, x.sum())
    return h


def exchange(x, n):
    a, b = x[:2], x[:1]
    for _ in range(n):
        a, b = np.append(a, b[-1]), np.append(b, a[-1])
    return a, b


def unchanged(x, n):
    """Where nothing is appended the array is the one that it was."""
    h = x
    for k in range(n):
        h = np.append(h, 1.0 * k)
    h[0] = 7.0
    return h


def count_allocations(function, *arguments):
    compiled = npcc.jit(function, target=TARGET)
    compiled(*arguments)
    before = npcc.counters()["allocations"]
    compiled(*arguments)
    return npcc.counters()["allocations"] - before


class GrowingArrays(Comparison):
    def setUp(self):
        self.rng = np.random.default_rng(5)

    def compare_counts(self, function):
        compiled = npcc.jit(function, target=TARGET)
        for n in (6, 0, 1, 9):
            self.compare(function, [self.rng.normal(size=5), n], compiled)

    def test_axes(self):
        for function in (append_numbers, stack_rows, stack_columns, stack_planes, stack_twice):
            with self.subTest(function.__name__):
                self.compare_counts(function)

    def test_control(self):
        for function in (append_some, append_until, append_in_nest, append_parts):
            with self.subTest(function.__name__):
                self.compare_counts(function)
        self.compare(visit, [np.array([1, 3]), 12])

    def test_reads(self):
        self.compare(nearest_first, [self.rng.normal(size=(12, 2))])
        self.compare(nearest_first, [self.rng.normal(size=(1, 2))])

    def test_other_names(self):
        for function in (store_into, append_both, append_beside, keep_if, keep_best, change_first, exchange, unchanged):
            with self.subTest(function.__name__):
                self.compare_counts(function)

    def test_allocations(self):
        """Room is made once where it is known how much, and doubles where it is not."""
        for function, most in ((stack_rows, 0), (stack_columns, 0), (append_some, 3)):
            with self.subTest(function.__name__):
                few, more = (count_allocations(function, self.rng.normal(size=5), n) for n in (16, 128))
                self.assertLessEqual(more - few, most)

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        for function in (stack_rows, stack_columns):
            with self.subTest(function.__name__):
                few, more = (self.launches(function, self.rng.normal(size=5), n) for n in (4, 16))
                self.assertEqual(few, more)


if __name__ == "__main__":
    unittest.main()
