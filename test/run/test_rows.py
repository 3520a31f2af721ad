"""Statements that go over the same rows: fused into one kernel where rows are many or short, one by one where they are few and long."""
import unittest

import numpy as np

import harness


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def standardise(x):
    return (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + 1e-9)


def in_place(x):
    s = x.sum(axis=1)
    x /= s[:, None]
    x -= x.max(axis=1)[:, None]
    return s


def two_sums(x):
    return x.sum(axis=-1), (x * x).sum(axis=-1), x.max(axis=-1)


def transposed(x):
    s = x.sum(axis=1)
    return x[:, :1] / s[:1], x / s[::-1, None]


def centred(x):
    m = x.mean(axis=2)
    d = x - m[:, :, None]
    return d, (d * d).sum(axis=2), m


class Rows(harness.Comparison):
    SHAPES = [(1, 1), (5, 7), (2000, 30), (3, 5000), (1030, 4099), (64, 4097), (7, 1)]

    def test_fused(self):
        random = np.random.default_rng(3)
        for function in (softmax, standardise, in_place, two_sums, transposed):
            compiled = harness.jit(function)
            for shape in self.SHAPES:
                with self.subTest(function=function.__name__, shape=shape):
                    self.compare(function, [random.random(shape) + 0.5], compiled, scale=100)

    def test_three_axes(self):
        random = np.random.default_rng(4)
        compiled = harness.jit(centred)
        for shape in [(2, 3, 4), (40, 30, 50), (2, 2, 5001)]:
            with self.subTest(shape=shape):
                self.compare(centred, [random.random(shape)], compiled, scale=100)


if __name__ == "__main__":
    unittest.main()
