"""Rows that several loops go over and that threads keep in registers from one loop to the next."""
import unittest

import numpy as np

import harness


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layer_norm(x, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) * gain + bias


def with_steps(x):
    """What is between is given back, too."""
    centred = x - x.mean(axis=1, keepdims=True)
    squares = centred * centred
    return centred, squares / squares.sum(axis=1, keepdims=True), squares.max(axis=1)


def in_place(x):
    x -= x.min(axis=1)[:, None]
    x /= x.sum(axis=1)[:, None] + 1
    x *= 2
    return x.max(axis=1)


def neighbours(x):
    """A later loop reads what other threads stored."""
    y = x / (np.abs(x).sum(axis=1)[:, None] + 1)
    z = y[:, 1:] - y[:, :-1]
    return z / (np.abs(z).sum(axis=1)[:, None] + 1), y


def turned(x):
    y = x * x.sum(axis=1)[:, None]
    return y[:, ::-1] / (np.abs(y).sum(axis=1)[:, None] + 1)


def first_of_row(x):
    y = x - x.max(axis=1)[:, None]
    s = y.sum(axis=1)
    return y / (s - y[:, 0] - 1)[:, None]


def against_the_mean(x):
    return x / np.abs(x).sum(axis=1)[:, None] - x.mean(axis=1)[:, None]


def ranks(x):
    low = x.min(axis=1)[:, None]
    spread = x.max(axis=1)[:, None] - low + 1
    return (x - low) * 10 // spread, (x == low).sum(axis=1), (x > low).any(axis=1)


class HeldRows(harness.Comparison):
    SHAPES = [(3, 1), (5, 7), (70, 32), (9, 48), (2, 130), (40, 256), (3, 1000), (2, 2048), (0, 5)]

    def check(self, function, dtypes=(np.float64, np.float32), shapes=SHAPES, more=lambda shape, dtype: []):
        random = np.random.default_rng(7)
        for dtype in dtypes:
            for shape in shapes:
                x = random.normal(size=shape).astype(dtype)
                if np.dtype(dtype).kind == "c":
                    x = x + 1j * random.normal(size=shape).astype(x.real.dtype)
                with self.subTest(function=function.__name__, shape=shape, dtype=np.dtype(dtype).name):
                    self.compare(function, [x, *more(shape, dtype)], harness.jit(function), scale=1000)

    def test_softmax(self):
        self.check(softmax)

    def test_layer_norm(self):
        self.check(layer_norm, more=lambda shape, dtype: [np.linspace(1, 2, shape[1]).astype(dtype), np.ones(shape[1], dtype)])

    def test_steps_given_back(self):
        self.check(with_steps)

    def test_in_place(self):
        self.check(in_place)

    def test_neighbours(self):
        self.check(neighbours, shapes=[(5, 7), (70, 33), (3, 130), (2, 1000)])
        self.check(turned, shapes=[(5, 7), (70, 32), (3, 130), (2, 1000)])
        self.check(first_of_row)

    def test_complex(self):
        self.check(against_the_mean, dtypes=(np.complex128, np.complex64), shapes=[(5, 7), (9, 48), (2, 130)])

    def test_whole_numbers_and_bytes(self):
        random = np.random.default_rng(3)
        for dtype in (np.int64, np.int32, np.uint8):
            for shape in ((5, 7), (70, 32), (3, 200)):
                x = random.integers(0, 100, shape).astype(dtype)
                self.compare(ranks, [x], harness.jit(ranks))

    def test_other_lengths(self):
        """Code for one length of rows, called with others."""
        compiled = harness.jit(softmax)
        random = np.random.default_rng(5)
        for shape in ((8, 64), (8, 60), (8, 3), (8, 0 + 1), (8, 129), (8, 64), (1, 5000), (300, 64)):
            self.compare(softmax, [random.random(shape)], compiled, scale=1000)

    @unittest.skipUnless(harness.TARGET == "cuda", "looks at a GPU's code")
    def test_one_load(self):
        """A row is loaded once and stored once."""
        ptx = harness.jit(softmax).inspect("ptx", arguments=(np.zeros((1000, 32), np.float32),))
        self.assertEqual(ptx.count("ld.global"), ptx.count("st.global"))
        self.assertNotIn("bar.sync", ptx)


if __name__ == "__main__":
    unittest.main()
