"""Arrays that a loop makes shorter: slices of what there is, what a mask leaves of it; and lists that a `while` appends to."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def binomial_tree(payoffs, prices, up, n):
    v = payoffs
    for _ in range(n):
        prices = prices[:-1] / up
        v = np.maximum(0.75 * v[:-1] + 0.25 * v[1:], 1 - prices)
    return v, prices


def averages(v, n):
    for _ in range(n):
        v = np.maximum(0.5 * v[:-1] + 0.5 * v[1:], 0.75)
    return v


def divided_differences(x, y):
    coefficients = np.zeros(len(x))
    d = y
    coefficients[0] = d[0]
    for k in range(1, len(x)):
        d = (d[1:] - d[:-1]) / (x[k:] - x[:-k])
        coefficients[k] = d[0]
    return coefficients


def more_than_there_are(x, n):
    for _ in range(n):
        x = x[1:] + x[:-1]
    return x, len(x)


def pyramid(a):
    s = a.max()
    while a.shape[0] > 2 and a.shape[1] > 2:
        a = a[:-1:2, :-1:2] + a[1::2, :-1:2] + a[:-1:2, 1::2] + a[1::2, 1::2]
        s += a.max()
    return a, s


def sieve(n):
    numbers = np.arange(2, n)
    primes = []
    while len(numbers) > 0:
        p = numbers[0]
        primes.append(p)
        numbers = numbers[numbers % p != 0]
    return np.array(primes)


def escape(position, velocity, steps):
    lost = np.zeros(steps, dtype=np.int64)
    for s in range(steps):
        position = position + velocity * 0.25
        inside = (position ** 2).sum(axis=1) < 4
        lost[s] = (~inside).sum()
        position, velocity = position[inside], velocity[inside]
    return position, velocity, lost


def cluster(points, radius):
    left, centers = points, []
    while len(left) > 0 and len(centers) < 40:
        near = ((left - left[0]) ** 2).sum(axis=1) <= radius
        centers.append(left[near].mean(axis=0))
        left = left[~near]
    return centers, left


def suppress(boxes, scores, most):
    x1, x2 = boxes[:, 0], boxes[:, 1]
    order = scores.argsort()[::-1]
    keep = []
    while order.size > 0:
        i = order[0]
        keep.append(i)
        inner = np.maximum(0.0, np.minimum(x2[i], x2[order[1:]]) - np.maximum(x1[i], x1[order[1:]]))
        order = order[np.where(inner <= most)[0] + 1]
    return np.array(keep)


def queue(x):
    s = 0.0
    q = x
    while len(q) > 1:
        s = s * 0.5 + q[0] * q[-1]
        q = q[1:] if s > 1 else q[:-1]
    return s, q


def stored_to(x, n):
    """The first iteration stores to the array of the caller, the others to their own."""
    a = x
    for k in range(n):
        a[0] = -k
        a = a[1:] * 2
    return a, x


def kept_beside(x, n):
    old = x
    a = x
    for _ in range(n):
        old, a = a, a[1:] + a[:-1]
    return old, a


def relax(u, tol):
    errors = []
    error = 1.0
    while error > tol:
        new = u.copy()
        new[1:-1] = 0.5 * (u[2:] + u[:-2])
        error = np.abs(new - u).max()
        errors.append(error)
        u = new
    return u, errors


def note_some(x, n):
    """Items of two lists, in branches, on both sides of the condition that ends the loop."""
    large, all_of, k = [], [], 0
    while True:
        x = np.cos(x) * 1.5
        s = x.sum()
        all_of.append(s)
        if s > 1:
            large.append(k)
        if k >= n:
            break
        all_of.append(-s)
        k += 1
    return x, all_of, large


class ShrinkingArrayTest(Comparison):
    def test_slices(self):
        x = np.linspace(0.5, 2, 37)
        for n in (0, 1, 5, 36):
            self.compare(binomial_tree, (np.maximum(1 - x, 0), x, 1.01, n))
            self.compare(averages, (x, n))
        self.compare(divided_differences, (x, np.sin(x)))
        for n in (0, 3, 36, 40):
            self.compare(more_than_there_are, (x, n))
        for shape in ((16, 16), (9, 30), (2, 5)):
            self.compare(pyramid, (np.arange(np.prod(shape), dtype=float).reshape(shape),))

    def test_masks(self):
        generator = np.random.default_rng(1)
        for n in (3, 60, 300):
            self.compare(sieve, (n,))
        position, velocity = generator.normal(size=(50, 3)), generator.normal(size=(50, 3))
        for steps in (0, 1, 8):
            self.compare(escape, (position, velocity, steps))
        points = generator.random((60, 2)) * 10
        self.compare(cluster, (points, 4.0))
        begin = generator.random(50) * 10
        self.compare(suppress, (np.stack([begin, begin + 1], axis=1), generator.permutation(50) * 1.0, 0.25))

    def test_names(self):
        x = np.linspace(0.5, 1.5, 20)
        self.compare(queue, (x,))
        for n in (0, 1, 7):
            self.compare(stored_to, (x, n))
            self.compare(kept_beside, (x, n))

    def test_lists_of_unknown_length(self):
        self.compare(relax, (np.sin(np.arange(20.0)), 1e-3))
        for n in (0, 1, 40):
            self.compare(note_some, (np.linspace(0, 1, 12), n))

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_one_kernel_runs_the_loop(self):
        self.assertLessEqual(self.launches(averages, np.linspace(0.5, 2, 200), 150), 3)
        x = np.linspace(0.5, 2, 200)
        self.assertLessEqual(self.launches(binomial_tree, np.maximum(1 - x, 0), x, 1.01, 150), 6)
        # Once for each doubling of the list.
        self.assertLessEqual(self.launches(sieve, 400), 40)
        self.assertLessEqual(self.launches(relax, np.sin(np.arange(60.0)), 1e-3), 40)


if __name__ == "__main__":
    unittest.main()
