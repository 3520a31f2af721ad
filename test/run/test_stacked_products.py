"""Products of stacks of matrices: sums that fuse where the matrices are small, calls of a library where they are large."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def product(a, b):
    return a @ b


def rounded(a, b):
    return (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)


def scaled(a, b):
    return np.tanh(2.0 * (a @ b) + 1.0)


def attention(q, k, v):
    s = q @ k.transpose(0, 2, 1) * 0.25
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ v


def einsum(a, b):
    return np.einsum("bij,bjk->bik", a, b)


def pointwise_filters(x, w):
    return np.einsum("nchw,oc->nohw", x, w), np.einsum("oc,nchw->nhwo", w, x)


def grouped_filters(x, w):
    return np.einsum("bnchw,boc->bnohw", x, w)


def moved_axes(a, b):
    return np.einsum("ijk,lj->lik", a, b), np.einsum("ijk,ljm->kmil", a, np.stack([b, b], axis=2)), np.einsum("abcd,cb->ad", a[:, :, None], b[:1])


def rotated(points, rotation):
    return np.sqrt(np.abs(points @ rotation.T + 1))


def transformed_blocks(image, basis):
    h, w = image.shape
    blocks = image.reshape(h // 4, 4, w // 4, 4).transpose(0, 2, 1, 3)
    return (basis @ blocks @ basis.T).transpose(0, 2, 1, 3).reshape(h, w)


def turned(angle, v):
    c, s = np.cos(angle), np.sin(angle)
    r = np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)
    return np.einsum("nij,nj->ni", r, v)


def forces(position, mass):
    d = position[None, :, :] - position[:, None, :]
    return np.einsum("ijk,ij,j->ik", d, 1 / (np.sum(d * d, axis=2) + 0.1), mass)


def in_a_loop(a, b, steps):
    for _ in range(steps):
        a = 0.01 * (a @ b) + a
    return a


def changed_after(a, b):
    c = a @ b
    a[:] = 0.0
    return c


def into_views(a, b, out):
    out[1:, ::2] = a @ b


class StackedProducts(Comparison):
    def setUp(self):
        self.random = np.random.default_rng(2)

    def array(self, *shape, dtype="f8"):
        values = self.random.random(shape) - 0.5
        return (values + 1j * self.random.random(shape)).astype(dtype) if np.dtype(dtype).kind == "c" else (values * 20).astype(dtype) / 16

    def test_stacks(self):
        for m, n, k in [(2, 3, 4), (9, 8, 40), (40, 50, 60), (1, 70, 90), (64, 1, 64), (0, 3, 2), (40, 40, 0)]:
            for dtype in ("f8", "f4", "c16"):
                a, b = self.array(3, m, k, dtype=dtype), self.array(3, k, n, dtype=dtype)
                self.compare(product, [a, b], scale=64)
            self.compare(einsum, [self.array(3, m, k), self.array(3, k, n)], scale=64)
            self.compare(product, [np.arange(3 * m * k).reshape(3, m, k), np.ones((3, k, n), int)])

    def test_many_small(self):
        """On the CPU threads share out the products of a stack, each a call of the library."""
        for m, n, k in [(8, 8, 8), (16, 12, 20), (5, 64, 30)]:
            for dtype in ("f8", "f4", "c8"):
                a, b = self.array(300, m, k, dtype=dtype), self.array(300, k, n, dtype=dtype)
                self.compare(product, [a, b], scale=64)
                self.compare(product, [a, b.transpose(0, 2, 1).copy().transpose(0, 2, 1)], scale=64)
                self.compare(product, [a, b[0]], scale=64)
                self.compare(product, [a[::-2], b[::2, ::-1, ::-1]], scale=64)

    def test_broadcast(self):
        m, n, k = 40, 45, 50
        for left, right in [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((2, 3), (2, 1)), ((3,), (2, 3)), ((1,), (4,)), ((0,), (1,)), ((2, 3), ())]:
            self.compare(product, [self.array(*left, m, k), self.array(*right, k, n)], scale=64)

    def test_views(self):
        a, b = self.array(4, 40, 50), self.array(4, 50, 60)
        self.compare(product, [a[::-1], b], scale=64)
        self.compare(product, [a[:, ::2, ::2], b[:, ::2, 5:]], scale=64)
        self.compare(product, [b.transpose(0, 2, 1), a.transpose(0, 2, 1)], scale=64)
        self.compare(product, [np.asfortranarray(a), b.transpose(2, 1, 0).copy().T], scale=64)
        self.compare(into_views, [a, b, np.zeros((5, 80, 60))], scale=64)

    def test_around(self):
        a, b = self.array(4, 40, 50), self.array(4, 50, 40)
        self.compare(scaled, [a, b], scale=64)
        self.compare(changed_after, [a, b], scale=64)
        self.compare(in_a_loop, [self.array(3, 40, 40), self.array(3, 40, 40), 4], scale=256)
        for length in (5, 40):
            self.compare(attention, [self.array(2, length, 32), self.array(2, length, 32), self.array(2, length, 48)], scale=64)

    def test_few_terms(self):
        for terms in (1, 2, 3, 8, 9):
            for points in (1, 5, 40):
                for kind in (np.float64, np.float32, np.int64, np.complex128):
                    self.compare(rotated, [self.array(points, terms).astype(kind), self.array(3, terms).astype(kind)], scale=16)
        self.compare(transformed_blocks, [self.array(8, 12), self.array(4, 4)], scale=16)
        self.compare(turned, [self.array(30), self.array(30, 2)], scale=16)
        self.compare(forces, [self.array(20, 3), self.array(20)], scale=64)

    def test_axes_around_the_sum(self):
        """einsum makes a stack of products of axes on both sides of the one that it sums over, if those behind it are long."""
        for last in ((17, 18), (3, 2), (300, 1), (0, 5)):
            for dtype in ("f8", "c16", "i8"):
                x, w = self.array(3, 4, *last, dtype=dtype), self.array(5, 4, dtype=dtype)
                self.compare(pointwise_filters, [x, w], scale=64)
                self.compare(pointwise_filters, [x[::-1, :, ::2], w], scale=64)
                self.compare(moved_axes, [self.array(3, 4, last[0], dtype=dtype), w], scale=64)
            self.compare(grouped_filters, [self.array(2, 3, 4, *last), self.array(2, 5, 4)], scale=64)
            self.compare(grouped_filters, [self.array(1, 3, 4, *last), self.array(2, 5, 1)], scale=64)

    def test_errors(self):
        self.compare(product, [self.array(3, 40, 50), self.array(3, 51, 40)])

    def test_kernels_of_axes_around_the_sum(self):
        """A copy of each operand and the product: no result in another order."""
        kernels = npcc.jit(lambda x, w: np.einsum("nchw,oc->nohw", x[:, :, 1:], w), target="cuda", arch="sm_90").explain(
            self.array(8, 16, 40, 40), self.array(24, 16)).functions[0].kernels
        self.assertLessEqual(len([kernel for kernel in kernels if kernel.is_taken]), 3, [kernel.kind for kernel in kernels])

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches(self):
        # A call of a library is no launch of compiled code.
        compiled = jit(product)
        a, b = self.array(3, 40, 40), self.array(3, 40, 40)
        compiled(a, b)
        before = npcc.counters()["launches"]
        compiled(a, b)
        self.assertEqual(npcc.counters()["launches"], before)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches_of_rounded_products(self):
        """The library writes the narrow numbers itself."""
        compiled = jit(rounded)
        a, b = (npcc.array(self.random.random((3, 40, 40)).astype(np.float16), device="cuda") for _ in range(2))
        compiled(a, b)
        before = npcc.counters()["launches"]
        result = compiled(a, b)
        self.assertEqual(npcc.counters()["launches"], before)
        np.testing.assert_allclose(result.get(), rounded(a.get(), b.get()), rtol=2e-3)

    @unittest.skipUnless(TARGET == "cuda", "launches are counted on a GPU")
    def test_launches_of_few_terms(self):
        """They are part of what is computed around them, and no array is made in another order for them."""
        for function, arguments, expected in ((rotated, (self.array(40, 3), self.array(3, 3)), 1), (turned, (self.array(30), self.array(30, 2)), 1),
                                              (transformed_blocks, (self.array(8, 12), self.array(4, 4)), 1), (forces, (self.array(20, 3), self.array(20)), 1)):
            with self.subTest(function=function.__name__):
                compiled = jit(function)
                before = npcc.counters()["launches"]
                compiled(*arguments)
                self.assertEqual(npcc.counters()["launches"] - before, expected)


if __name__ == "__main__":
    unittest.main()
