"""What follows a product: on a GPU the library does it with the product, and the result is what NumPy's separate functions give."""
import ctypes
import pathlib
import unittest

import ml_dtypes
import numpy as np

import npcc
from harness import TARGET, Comparison, count_launches, jit


def layer(a, w, b):
    return np.maximum(a @ w + b, 0)


def shifted(a, w, b):
    return b + a @ w


def scaled(a, w, c, alpha):
    return alpha * (a @ w) - 0.5 * c


def negated(a, w):
    return -(a @ w)


def residual(a, w, c, b):
    return np.maximum(0.0, c + a @ w + b)


def rest(a, w, c):
    return c - a @ w


def two(a, w, c, d):
    return a @ w + c @ d


def chain(a, w, c):
    z = a @ w + c
    return np.sum(np.sin(z) + np.cos(z))


def two_readers(a, w, b):
    z = a @ w + b
    return z, np.maximum(z, 0)


def transposed(a, w, c):
    return a.T @ w + c.T


def part(a, w, c, b):
    return a[:, 1:] @ w[1:, ::2] + c[1:, :-1] + b[::2]


def stacked(x, w, b):
    return np.maximum(x @ w + b, 0)


def block(x, w, b, v, d):
    return x + np.maximum(x @ w + b, 0) @ v + d


def convolution(x, w):
    n, h, v, _ = x.shape
    out = np.zeros((n, h - 2, v - 2, w.shape[3]), x.dtype)
    for i in range(3):
        for j in range(3):
            out = out + np.tensordot(x[:, i:i + h - 2, j:j + v - 2], w[i, j], axes=1)
    return out


def rows_and_stack(x, w):
    z = x @ w
    flat = z.reshape(-1, z.shape[2])
    z[0, 0] = 7
    return z, flat.copy(), z.reshape(-1)


def accumulated(a, w, c):
    c += a @ w
    return c


def changed(a, w, c):
    p = a @ w
    a[:] = 0
    q = p + c
    c[:] = 1
    return q


def scaled_matrices(x, d, w, rate):
    return w - rate * x.T @ d, (2 * x).T @ (d * rate), -3 * ((x * 0.5).T @ d)


def scaled_for_two(x, d, rate):
    y = rate * x.T
    return y @ d, y


def own_rows(a, w, b):
    return a @ w + b[:, None]


def steps(x, w, b, rounds):
    for _ in range(rounds):
        x = np.maximum(x @ w + b, 0)
    return x


def learn(x, y, w, b, rate, rounds):
    for _ in range(rounds):
        h = np.maximum(x @ w + b, 0)
        g = (h - y) * (h > 0)
        w = w - rate * (x.T @ g)
        b = b - rate * np.sum(g, 0)
    return w, b


def has_cublaslt():
    runtime = ctypes.CDLL(pathlib.Path(npcc.__file__).with_name("libnpcc_rt.so"))
    runtime.npcc_rt_cublaslt_description.restype = ctypes.c_char_p
    return bool(runtime.npcc_rt_cublaslt_description())


class ProductEpilogues(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(3)

    def array(self, *shape, dtype="f4"):
        return ((self.random.random(shape) - 0.5) * 4).astype(dtype)

    def test_dtypes(self):
        for dtype in ("f4", "f8", "f2", ml_dtypes.bfloat16):
            for m, n, k in [(6, 7, 5), (1, 9, 4), (9, 1, 4), (40, 50, 60), (0, 3, 2), (3, 4, 0)]:
                with self.subTest(dtype=dtype, shape=(m, n, k)):
                    a, w, b, c = (self.array(*s, dtype=dtype) for s in ((m, k), (k, n), (n,), (m, n)))
                    wide = dtype in ("f4", "f8")
                    for function, arguments in [(layer, [a, w, b]), (shifted, [a, w, b]), (rest, [a, w, c])] + [
                            (scaled, [a, w, c, 1.25]), (residual, [a, w, c, b]), (negated, [a, w])] * wide:
                        self.compare(function, arguments, scale=64)

    def test_forms(self):
        a, w, c, b = self.array(5, 6), self.array(6, 8), self.array(5, 8), self.array(8)
        self.compare(layer, [a, w, self.array(1, 8)])
        self.compare(layer, [a, w, self.array(1)])
        self.compare(layer, [a, w, self.array(5, 1)])
        self.compare(layer, [a, w, self.array(1, 1)])
        self.compare(shifted, [a, w, np.float32(2)])
        self.compare(shifted, [a, w, self.array(2, 5, 8)])
        self.compare(shifted, [a[:1], w, c])
        self.compare(two, [a, w, self.array(5, 3), self.array(3, 8)])
        self.compare(two_readers, [a, w, b])
        self.compare(transposed, [self.array(6, 5), w, self.array(8, 5)])
        self.compare(part, [a, w, self.array(6, 5), b])
        self.compare(accumulated, [a, w, c])
        self.compare(accumulated, [a, a.T.copy(), a @ a.T])
        self.compare(changed, [a, w, c])
        self.compare(own_rows, [a, w, self.array(5)])
        for dtype in ("f4", "f8", "f2"):
            x, d = self.array(7, 5, dtype=dtype), self.array(7, 6, dtype=dtype)
            self.compare(scaled_matrices, [x, d, self.array(5, 6, dtype=dtype), 0.125], scale=64)
            self.compare(scaled_for_two, [x, d, 0.125])
        self.compare(shifted, [a, w, self.array(7)])  # NumPy's error
        square = self.array(6, 6)
        self.compare(accumulated, [square, square, square])
        self.compare(accumulated, [square, square.T, square])

    def test_nan_and_infinity(self):
        a, w, b = self.array(4, 3), self.array(3, 4), self.array(4)
        a[0, 0], a[1, 1], b[2] = np.nan, np.inf, -np.inf
        self.compare(layer, [a, w, b])
        self.compare(layer, [np.zeros((4, 3), "f4"), w, np.full(4, np.nan, "f4")])

    def test_loops(self):
        x, w, b = self.array(6, 6), self.array(6, 6) / 4, self.array(6)
        self.compare(steps, [x, w, b, 5], scale=64)
        self.compare(learn, [x, self.array(6, 4), self.array(6, 4), self.array(4), np.float32(0.01), 6], scale=1e4)

    def test_stacks(self):
        """Of matrices: the product of their rows, with the stack's axes behind the epilogue."""
        x, w, b = self.array(5, 12, 40), self.array(40, 64), self.array(64)
        v, d = self.array(64, 40), self.array(40)
        for dtype in ("f4", "f8", "f2"):
            with self.subTest(dtype):
                taken = [array.astype(dtype) for array in (x, w, b, v, d)]
                self.compare(stacked, taken[:3], scale=64)
                self.compare(block, taken, scale=4096)
        self.compare(stacked, [x[:, :, ::-1], w, b], scale=64)
        self.compare(stacked, [x, w, b[:1]], scale=64)
        self.compare(stacked, [x[:0], w, b], scale=64)
        self.compare(rows_and_stack, [x, w], scale=64)
        self.compare(convolution, [self.array(2, 9, 8, 16), self.array(3, 3, 16, 32)], scale=512)

    def test_tf32(self):
        a, w, b = self.array(33, 20), self.array(20, 40), self.array(40)
        got = jit(layer, matmul="tf32")(a, w, b)
        np.testing.assert_allclose(got, layer(a, w, b), atol=0.05)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        """Of kernels: what the library does with the product is none."""
        if not has_cublaslt():
            self.skipTest("a kernel does it where there is no cuBLASLt")
        a, w, c, b = self.array(40, 50), self.array(50, 60), self.array(40, 60), self.array(60)
        d, e = self.array(40, 30), self.array(30, 60)
        half = [x.astype("f2") for x in (a, w, b)]
        for function, arguments, expected in [(layer, [a, w, b], 0), (layer, half, 0), (layer, [x.astype(ml_dtypes.bfloat16) for x in (a, w, b)], 1), (scaled, [a, w, c, 2.0], 0), (residual, [a, w, c, b], 0),
                                              (rest, [a, w, c], 0), (two, [a, w, d, e], 0), (own_rows, [a, w, c[:, 0].copy()], 1),
                                              (two_readers, [a, w, b], 1), (stacked, [self.array(5, 12, 50), w, b], 0),
                                              (block, [self.array(5, 12, 50), w, b, self.array(60, 50), self.array(50)], 0)]:
            with self.subTest(function.__name__):
                compiled = jit(function)
                self.assertEqual(count_launches(compiled, arguments), expected)


if __name__ == "__main__":
    unittest.main()
