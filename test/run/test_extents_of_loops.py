"""Arrays that go round loops and keep their extents, which only the extents of the first call show; and those that do not."""
import unittest

import numpy as np

from harness import Comparison, jit


def tracks(z, f, h, x, p):
    """Products of small matrices, whose extents meet those of other arguments."""
    for t in range(z.shape[0]):
        x = x @ f.T
        p = f @ p @ f.T
        gain = p @ h.T @ np.linalg.inv(h @ p @ h.T + np.eye(2))
        x = x + np.squeeze(gain @ (z[t] - x @ h.T)[:, :, None], axis=2)
        p = p - gain @ h @ p
    return x, p


def scores(a, b, gap):
    """The row has an element more than what it is made of."""
    best = np.zeros(b.shape[0] + 1)
    for i in range(a.shape[0]):
        step = best[:-1] + np.where(a[i] == b, 2.0, -1.0)
        best = np.concatenate([np.zeros(1), np.maximum(np.maximum(step, best[1:] - gap), 0)])
    return best


def descend(x, y, w, b, steps):
    for _ in range(steps):
        r = x @ w + b - y
        w = w - 0.01 * (x.T @ r)
        b = b - 0.01 * r.sum(axis=0)
    return w, b


def grows(x, steps):
    for _ in range(steps):
        x = np.concatenate([x, x[-1:] + 1])
    return x


def shrinks(x, steps):
    for _ in range(steps):
        x = 0.5 * (x[1:] + x[:-1])
    return x


def swaps(x, y, steps):
    """Each has the other's extents in the next iteration."""
    for _ in range(steps):
        x, y = 2 * y, x + 1
    return x, y


def stretched_once(x, y, steps):
    """The first iteration gives it the extents that it keeps."""
    for _ in range(steps):
        x = x + y
    return x


def until_small(x, y, limit):
    while x.max() > limit:
        x = 0.4 * (x + np.concatenate([y[1:], x[:1]]))
        y = 0.5 * y
    return x, y


def shrinks_while(x, limit):
    """Only sometimes, in the body, which has the array under another name."""
    k = 0
    while x.shape[0] > limit and k < 20:
        k += 1
        if x[0] > 0.5:
            x = x[1:].copy()
        x = np.concatenate([x[1:], 0.9 * x[:1]])
    return x, k


def nested_that_shrinks(x, y, n):
    """The loop inside keeps what the one around it changes."""
    for _ in range(n):
        for _ in range(2):
            x = x + y[:x.shape[0]]
        x = x[1:]
    return x


def nested(x, y, n):
    for _ in range(n):
        z = y
        for _ in range(n):
            z = np.concatenate([z[1:], x[:1]]) + 1
        x = x + z
    return x


def filtered(x, d, taps):
    """A window of what came before."""
    w, error = np.zeros((x.shape[0], taps)), np.zeros_like(d)
    for t in range(taps, x.shape[1]):
        window = x[:, t - taps:t]
        error[:, t] = d[:, t] - np.sum(w * window, axis=1)
        w = w + 0.1 * error[:, t][:, None] * window
    return w, error


def durbin(r, order):
    """A part of a row that is longer from iteration to iteration, and is read backwards."""
    a = np.zeros((r.shape[0], order + 1))
    a[:, 0] = 1.0
    e = r[:, 0].copy()
    for m in range(1, order + 1):
        k = -np.sum(a[:, :m] * r[:, m:0:-1], axis=1) / e
        flipped = a[:, m::-1].copy()
        a[:, :m + 1] += k[:, None] * flipped
        e *= 1 - k * k
    return a, e


def ends_of_slices(x, first, last, reach):
    """What the loop decides of these slices is the same in all iterations only for some calls."""
    out = np.zeros(x.shape[0] + 4)
    for k in range(first, last):
        part = x[k - reach:k + reach]
        out[k] = part.sum() + x[k] + part.shape[0]
    return out


def batches(x, w, size):
    """Parts of so many rows each; what is left over is not looked at."""
    for k in range(x.shape[0] // size):
        part = x[k * size: (k + 1) * size]
        w = w - 0.01 * part.T @ (part @ w)
    return w


def block_sums(x, blocks, size):
    out = np.zeros(blocks)
    for k in range(blocks):
        out[k] = x[k * size: (k + 1) * size].sum()
    return out


class ExtentsOfLoops(Comparison):
    def test_they_stay(self):
        g = np.random.default_rng(1)
        for n in (1, 2, 7):
            with self.subTest(n=n):
                f, h = np.eye(4) + 0.1 * np.eye(4, k=2), np.eye(2, 4)
                self.compare(tracks, (g.random((5, n, 2)), f, h, g.random((n, 4)), np.tile(np.eye(4), (n, 1, 1))))
                self.compare(scores, (g.integers(0, 4, 6), g.integers(0, 4, n), 1.0))
                self.compare(descend, (g.random((9, n)), g.random((9, 3)), g.random((n, 3)), g.random(3), 4))
                self.compare(nested, (g.random(n), g.random(n), 3))
                self.compare(until_small, (g.random(n), g.random(n), 0.01))

    def test_other_calls(self):
        """What was so in the first call is no longer, and then it is again."""
        g = np.random.default_rng(2)
        compiled = jit(descend)
        for outputs, b in ((3, 3), (4, 4), (4, 1), (3, 3), (1, 1)):
            arguments = g.random((9, 5)), g.random((9, outputs)), g.random((5, outputs)), g.random(b), 3
            for got, wanted in zip(compiled(*arguments), descend(*arguments)):
                np.testing.assert_allclose(got, wanted, rtol=1e-12)
        compiled = jit(stretched_once)
        for n, m in ((5, 5), (1, 5), (5, 1), (1, 1), (5, 5)):
            for steps in (0, 1, 3):
                arguments = g.random(n), g.random(m), steps
                np.testing.assert_allclose(compiled(*arguments), stretched_once(*arguments), rtol=1e-12)
        compiled = jit(swaps)
        for n, m in ((4, 4), (4, 6), (6, 4), (4, 4)):
            for steps in (0, 1, 2, 3):
                arguments = g.random(n), g.random(m), steps
                for got, wanted in zip(compiled(*arguments), swaps(*arguments)):
                    np.testing.assert_allclose(got, wanted, rtol=1e-12)
        with self.assertRaisesRegex(ValueError, "matmul|broadcast"):
            jit(descend)(g.random((9, 5)), g.random((9, 3)), g.random((4, 3)), g.random(3), 3)

    def test_they_change(self):
        g = np.random.default_rng(3)
        for steps in (0, 1, 4):
            with self.subTest(steps=steps):
                self.compare(grows, (g.random(3), steps))
                self.compare(shrinks, (g.random(6), steps))
                self.compare(swaps, (g.random(3), g.random(5), steps))
                self.compare(stretched_once, (g.random(1), g.random(5), steps))
                self.compare(nested_that_shrinks, (g.random(6), g.random(6), steps))
                self.compare(shrinks_while, (g.random(9), 2 * steps))

    def test_windows(self):
        g = np.random.default_rng(4)
        for taps in (1, 2, 9):
            self.compare(filtered, (g.random((6, 9)), g.random((6, 9)), taps))
        for order in (1, 2, 6):
            self.compare(durbin, (np.exp(-0.1 * np.arange(7)) * (1 + 0.01 * g.random((4, 7))), order))

    def test_batches(self):
        g = np.random.default_rng(6)
        x, w, v = g.random((40, 6)), g.random((6, 4)), g.random(20)
        for size in (8, 10, 7, 50, -3, 1, 40, 2**40):
            self.compare(batches, (x, w, size))
        for blocks, size in ((4, 5), (3, 7), (5, 5), (0, 3), (4, -2), (3, 0), (-0, 4), (2, 2**40)):
            self.compare(block_sums, (v, blocks, size))
        for function, arguments in ((batches, (x, w)), (block_sums, (v, 4))):  # code for one size is asked about the others
            compiled = jit(function)
            for size in (5, 7, 3, 30, -2, 6, 4):
                np.testing.assert_allclose(compiled(*arguments, size), function(*arguments, size), rtol=1e-12)
        with self.assertRaisesRegex(ZeroDivisionError, "division or modulo by zero|integer division"):
            jit(batches)(x, w, 0)

    def test_ends(self):
        x = np.random.default_rng(5).random(20)
        compiled = jit(ends_of_slices)
        for first, last, reach in ((4, 16, 3), (0, 20, 3), (4, 16, 0), (4, 16, 5), (2, 19, 2), (7, 7, 2), (4, 16, 3)):
            np.testing.assert_allclose(compiled(x, first, last, reach), ends_of_slices(x, first, last, reach), rtol=1e-12)
        for first, last in ((-3, 5), (15, 22)):
            with self.subTest(first=first, last=last):
                try:
                    wanted = ends_of_slices(x, first, last, 2)
                except IndexError:
                    with self.assertRaises(IndexError):
                        compiled(x, first, last, 2)
                else:
                    np.testing.assert_allclose(compiled(x, first, last, 2), wanted, rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
