"""Loops in which a branch decides what array a name is bound to: steps that are accepted or not, weights that change where something is wrong."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def classifier(x, y, rate, steps):
    w = np.zeros(x.shape[1])
    for t in range(1, steps + 1):
        i = (t * 7) % x.shape[0]
        margin = y[i] * (x[i] @ w)
        w = (1 - rate) * w
        if margin < 1:
            w = w + rate * y[i] * x[i]
    return w


def chain(x, u, z, steps):
    best = x.copy()
    density, accepted = -0.5 * np.sum(best * best), 0
    for k in range(steps):
        new = best + 0.5 * z[k]
        of_new = -0.5 * np.sum(new * new)
        if np.log(u[k]) < of_new - density:
            best, density = new, of_new
            accepted += 1
    return best, density, accepted


def either(x, u, z, steps):
    for k in range(steps):
        if x.sum() > 0:
            x = x - z[k]
        else:
            x = x + np.abs(z[k])
    return x


def inside_another(x, u, z, steps):
    for k in range(steps):
        if u[k] < 0.5:
            y = x * 2
            if y.max() > 3:
                y = y / 4
            x = y - 0.1
    return x


def two_names(x, u, z, steps):
    y = x + 1
    for k in range(steps):
        if u[k] < 0.5:
            x, y = y, x * u[k]
    return x, y


def other_extents(x, u, z, steps):
    for k in range(steps):
        if u[k] < 0.5 and x.size > 2:
            x = x[1:] + x[:-1]
    return x


def until_small(x, u, z, steps):
    k = 0
    while np.abs(x).max() > 0.05 and k < steps:
        if u[k] < 0.7:
            x = x * 0.5
        k += 1
    return np.tanh(x), k


def arguments(size, steps):
    random = np.random.default_rng(size)
    return [random.standard_normal(size), random.random(steps), random.standard_normal((steps, size)), steps]


class ChosenArrays(Comparison):
    def test_programs(self):
        for function in (chain, either, inside_another, two_names, other_extents, until_small):
            compiled = npcc.jit(function)
            for size, steps in ((1, 3), (7, 20), (33, 12), (5, 0), (5, 1)):
                with self.subTest(function=function.__name__, size=size, steps=steps):
                    self.compare(function, arguments(size, steps), compiled)

    def test_rows(self):
        random = np.random.default_rng(1)
        compiled = npcc.jit(classifier)
        for steps in (0, 1, 40):
            self.compare(classifier, [random.standard_normal((9, 5)), np.sign(random.random(9) - 0.5), 0.1, steps], compiled)

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_launches(self):
        for function, launches in ((chain, 3), (either, 2), (inside_another, 2), (until_small, 3)):
            with self.subTest(function=function.__name__):
                compiled = npcc.jit(function, target=TARGET)
                compiled(*arguments(33, 12))
                before = npcc.counters()["launches"]
                compiled(*arguments(33, 12))
                self.assertEqual(npcc.counters()["launches"] - before, launches)


if __name__ == "__main__":
    unittest.main()
