"""Lists of arrays whose extents the importer cannot compare, such as parts of a signal: one array where a call's extents make them equal."""
import unittest

import numpy as np

from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def frames(x, window, hop):
    out = []
    for s in range(0, len(x) - len(window) + 1, hop):
        out.append(x[s:s + len(window)] * window)
    return np.array(out)


def frames_to_the_end(x, window, hop):
    """The last ones are shorter: an error where the array is made."""
    out = [x[s:s + len(window)] * 2.0 for s in range(0, len(x), hop)]
    return np.array(out)


def of_any_lengths(x, n, hop):
    out = [x[s:s + n] for s in range(0, len(x), hop)]
    total = 0.0
    for k, part in enumerate(out):
        total += part.sum() * (k + 1) + len(part)
    return total, out[-1], len(out)


def powers(x, window, hop):
    out = []
    for s in range(0, len(x) - len(window), hop):
        part = x[s:s + len(window)] * window
        part -= part.mean()
        out.append(np.abs(np.fft.rfft(part)) ** 2)
    return np.mean(out, axis=0), np.median(out, axis=0), np.vstack(out).T, np.stack(out, axis=1), sum(out)


def parts_themselves(x, n):
    """Names of the argument, which is not changed."""
    parts = [x[k * n:(k + 1) * n] for k in range(len(x) // n)]
    return np.array([p.max() - p.min() for p in parts]), np.array(parts), np.concatenate(parts)


def argument_changed(x, n):
    parts = [x[k * n:(k + 1) * n] for k in range(len(x) // n)]
    x[0] = 100.0
    return np.array(parts)


def item_changed(x, n):
    parts = []
    for k in range(len(x) // n):
        part = x[k * n:(k + 1) * n] * 2.0
        parts.append(part)
        part[0] = 7.0
    return np.array(parts)


def changed_in_the_list(x, n):
    parts = [x[k * n:(k + 1) * n] * 2.0 for k in range(len(x) // n)]
    parts[1][2] = -3.0
    return np.array(parts)


def in_two_lists(x, n):
    parts, others = [], []
    for k in range(len(x) // n):
        part = x[k * n:(k + 1) * n] * 2.0
        parts.append(part)
        others.append(part)
    others[0][1] = 5.0
    return np.array(parts), np.array(others)


def given_back(x, n):
    parts = [x[k * n:(k + 1) * n] + 1.0 for k in range(len(x) // n)]
    return parts, parts[0]


def images(stack, top, left, size):
    patches = []
    for k in range(len(stack)):
        patches.append(stack[k, top:top + size, left:left + size] - stack[k].mean())
    return np.array(patches), np.stack(patches).std(axis=0)


def of_pairs(x, n):
    rows = []
    for i in range(0, len(x) - n, n):
        for j in range(0, i + 1, n):
            rows.append(x[i:i + n] - x[j:j + n])
    return np.array(rows)


class ListsOfParts(Comparison):
    def test_results(self):
        for length, n, hop in ((100, 16, 8), (100, 16, 16), (101, 16, 5), (16, 16, 1), (40, 1, 3), (100, 16, 200)):
            x, window = rng.standard_normal(length), np.hanning(n) + 1
            with self.subTest(length=length, n=n, hop=hop):
                self.compare(frames, [x, window, hop])
                self.compare(frames_to_the_end, [x, window, hop])
                self.compare(of_any_lengths, [x, n, hop], scale=64)
                if length > n + 1:
                    self.compare(powers, [x, window, hop], scale=1000)
        for n in (4, 10, 7):
            x = rng.standard_normal(40)
            with self.subTest(n=n):
                for function in (parts_themselves, argument_changed, item_changed, changed_in_the_list, in_two_lists, given_back, of_pairs):
                    self.compare(function, [x, n])
        for top, left, size in ((0, 0, 4), (2, 3, 4), (3, 3, 9), (9, 0, 2)):
            self.compare(images, [rng.standard_normal((5, 8, 8)), top, left, size], scale=64)

    def test_other_extents(self):
        """Code for a call whose parts are alike, called with parts that are not."""
        compiled = jit(frames_to_the_end)
        x, window = rng.standard_normal(48), np.ones(16)
        for given in (x, x[:40], np.append(x, x)):
            wanted = [given[s:s + 16] * 2.0 for s in range(0, len(given), 16)]
            if len(given) % 16:
                with self.assertRaisesRegex(ValueError, "inhomogeneous"):
                    compiled(given, window, 16)
            else:
                result = compiled(given, window, 16)
                self.assertTrue(np.array_equal(result.get() if hasattr(result, "get") else result, np.array(wanted)))

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_launches(self):
        f = rng.random
        for function, make in ((frames, lambda n: [f(8 * n + 24), f(16), 8]), (powers, lambda n: [f(8 * n + 24), f(16), 8]),
                               (images, lambda n: [f((n, 8, 8)), 1, 2, 4])):
            with self.subTest(function.__name__):
                self.assertEqual(self.launches(function, *make(12)), self.launches(function, *make(5)))


if __name__ == "__main__":
    unittest.main()
