"""npcc.vectorize and npcc.guvectorize, from Python and inside of compiled functions, against NumPy."""
import functools
import math
import unittest

import numpy as np

import npcc
import npcc.elementary
from harness import TARGET
from npcc import cuda
from own_kernels import uses_fake_driver

vectorize, guvectorize = functools.partial(npcc.vectorize, target=TARGET), functools.partial(npcc.guvectorize, target=TARGET)


@vectorize(["int32(int32, int32)", "float32(float32, float32)", "float64(float64, float64)", "complex128(complex128, complex128)"], identity=0)
def add(a, b):
    return a + b


@vectorize
def clipped_root(x, least):
    if x < least:
        return least
    return math.sqrt(x)


@guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])", "void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)")
def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = c.dtype.type(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@guvectorize(["void(float64[:], float64, float64[:], float64[:])"], "(n),()->(n),()")
def shifted(x, shift, out, total):
    total[0] = 0
    for k in range(x.shape[0]):
        out[k] = x[k] + shift
        total[0] += out[k]


def first(x, y):
    return x


class OwnUfuncs(unittest.TestCase):
    def same(self, got, expected):
        np.testing.assert_allclose(got, expected, rtol=1e-6)
        self.assertEqual((np.shape(got), got.dtype), (np.shape(expected), np.asarray(expected).dtype))

    def test_broadcasting_and_dtypes(self):
        for dtype in (np.int32, np.float32, np.float64, np.complex128):
            x, y = np.arange(6).reshape(2, 3).astype(dtype), (np.arange(3) * 2).astype(dtype)
            for pair in ((x, y), (x.T, x.T), (x[::-1, ::2], x[0, ::2]), (x, dtype(2)), (x[:0], y), (np.array(dtype(3)), dtype(1)), (x[:, :, None, None], y)):
                with self.subTest(dtype=dtype, shapes=[np.shape(p) for p in pair]):
                    self.same(add(*pair), np.add(*pair))
        self.same(add(np.ones(3, np.int16), np.ones(3, np.int8)), np.full(3, 2, np.int32))
        self.same(add(np.ones(3, np.int64), np.ones(3, np.float32)), np.full(3, 2.0))

    def test_pythons_numbers_take_the_others_dtype(self):
        x = np.arange(3, dtype=np.float32)
        self.same(add(x, 2), x + 2)
        self.same(add(2.5, x), x + np.float32(2.5))
        self.same(add(np.arange(3, dtype=np.int32), 2.5), np.arange(3) + 2.5)
        self.assertEqual(add(1.5, 2), 3.5)

    def test_without_declared_types(self):
        x = np.linspace(0, 9, 7)
        self.same(clipped_root(x, 1.5), np.where(x < 1.5, 1.5, np.sqrt(x)))
        with self.assertRaisesRegex(ValueError, "no elements has no dtype unless its types are declared"):
            clipped_root(x[:0], 1.0)

    def test_what_a_function_of_whole_arrays_is(self):
        scale = 3

        def elementary(x, y):
            z = x * scale
            return np.sin(z) - (y < 2)

        def branches(x, y):
            return x if x > y else y

        def other(x, y):
            return np.sum(x) + y

        self.assertEqual([npcc.elementary.is_elementary(f) for f in (elementary, branches, other)], [True, False, False])
        x = np.arange(4.0)
        for function in (elementary, branches):
            self.same(vectorize(function)(x, 1.5), np.vectorize(function)(x, 1.5))
        self.same(vectorize(lambda x, y: 2.5)(x, x), np.full(4, 2.5))
        constant = vectorize(first)(x, x)
        constant[0] = 9
        self.assertEqual(x[0], 0)  # the result is an array of its own

    def test_out(self):
        x, out = np.arange(4.0), np.zeros(4)
        self.assertIs(add(x, x, out=out), out)
        self.same(out, 2 * x)
        self.assertIs(add(out, 1.0, out), out)
        self.same(out, 2 * x + 1)
        overlapping = np.arange(5.0)
        add(overlapping[:-1], 1.0, out=overlapping[1:])
        self.same(overlapping, [0.0, 1, 2, 3, 4])
        with self.assertRaisesRegex(TypeError, "Cannot cast ufunc 'add' output from dtype\\('float64'\\) to dtype\\('int64'\\) with casting rule 'same_kind'"):
            add(x, x, out=np.zeros(4, np.int64))
        with self.assertRaisesRegex(ValueError, r"non-broadcastable output operand with shape \(3,\) doesn't match the broadcast shape \(4,\)"):
            add(x, x, out=np.zeros(3))

    def test_some_results_given(self):
        x = np.arange(6.0).reshape(2, 3)
        for out in ((np.zeros((2, 3)), None), (None, np.zeros(2)), (None, None), None):
            shifts, totals = shifted(x, 1.0, out=out)
            self.same(shifts, x + 1)
            self.same(totals, (x + 1).sum(1))
            for given, made in zip(out or (), (shifts, totals)):
                self.assertTrue(given is None or given is made)
        with self.assertRaisesRegex(ValueError, "The 'out' tuple must have exactly one entry per ufunc output"):
            shifted(x, 1.0, out=(np.zeros((2, 3)),))

    def test_methods(self):
        x = np.arange(12.0).reshape(3, 4)
        self.same(add.reduce(x), np.add.reduce(x))
        self.same(add.reduce(x, axis=1, keepdims=True), np.add.reduce(x, axis=1, keepdims=True))
        self.same(add.reduce(x[0], initial=5.0), np.add.reduce(x[0], initial=5.0))
        self.same(add.reduce(np.arange(5, dtype=np.float32)), np.float32(10))
        self.same(add.accumulate(x, axis=1), np.add.accumulate(x, axis=1))
        self.same(add.outer(x[0], x[1]), np.add.outer(x[0], x[1]))
        self.same(add.reduceat(x[0], [0, 2]), np.add.reduceat(x[0], [0, 2]))
        with self.assertRaisesRegex(ValueError, "no identity"):
            clipped_root.reduce(np.zeros(0))

    def test_attributes(self):
        self.assertEqual((add.nin, add.nout, add.nargs, add.ntypes, add.identity, add.__name__), (2, 1, 3, 4, 0, "add"))
        self.assertEqual(add.types, ["ii->i", "ff->f", "dd->d", "DD->D"])
        self.assertEqual(product.signature, "(m,n),(n,p)->(m,p)")

    def test_inside_of_compiled_functions(self):
        @npcc.jit(target=TARGET)
        def fused(x, y):
            return add(x, y) * 2 + add.reduce(x)

        x, y = np.arange(5.0), np.arange(5.0)[::-1]
        self.same(fused(x, y), (x + y) * 2 + x.sum())

        @npcc.jit(target=TARGET)
        def elementary(x, y):
            return add(x * 3, y) * 2 + 1

        self.same(elementary(x, y), (x * 3 + y) * 2 + 1)
        self.assertEqual(elementary.inspect("kernels", "float64[:], float64[:]").count("np.kernel"), 1)  # fused

        @npcc.jit(target=TARGET)
        def products(a, b):
            return product(a, b) + 1

        a, b = np.random.default_rng(1).random((3, 2, 4)), np.random.default_rng(2).random((4, 5))
        self.same(products(a, b), a @ b + 1)

    def test_generalized(self):
        rng = np.random.default_rng(3)
        a, b = rng.random((2, 3, 2, 4)), rng.random((4, 5))
        self.same(product(a, b), a @ b)
        self.same(product(a[0, 0], b), a[0, 0] @ b)
        self.same(product(a[:, :1].astype(np.float32), np.stack([b] * 3).astype(np.float32)), a[:, :1].astype(np.float32) @ np.stack([b] * 3).astype(np.float32))
        self.same(product(a[..., ::-1, ::-1], b[::-1]), a[..., ::-1, ::-1] @ b[::-1])
        out = np.zeros((2, 3, 2, 5))
        self.assertIs(product(a, b, out=out), out)
        self.same(out, a @ b)
        self.assertEqual(product(a[:0], b).shape, (0, 3, 2, 5))

    def test_numbers_and_several_results(self):
        x, shift = np.arange(6.0).reshape(2, 3), np.array([1.0, 10.0])
        out, total = shifted(x, shift)
        self.same(out, x + shift[:, None])
        self.same(total, (x + shift[:, None]).sum(1))
        out, total = shifted(x, 2)
        self.same(out, x + 2)

    def test_layouts_without_declared_types(self):
        @guvectorize("(n)->()")
        def longest(x, out):
            out[0] = 0
            for k in range(x.shape[0]):
                out[0] = max(out[0], abs(x[k]))

        out = np.zeros(2)
        longest(np.array([[1.0, -5], [2, 3]]), out)
        self.same(out, [5.0, 3])
        with self.assertRaisesRegex(TypeError, "no declared types: give it arrays for its results"):
            longest(np.ones(3))

    @unittest.skipUnless(cuda.is_available(), "no GPU")
    def test_arrays_on_the_device(self):
        x = np.arange(5.0)
        there = add(npcc.asarray(x, device="cuda"), npcc.asarray(x, device="cuda"))
        self.same(there.get(), 2 * x)

    def test_device_functions(self):
        @cuda.jit(device=True)
        def half(x):
            return x / 2

        @vectorize(["float64(float64)"])
        def halves(x):
            return half(x) + 1

        self.same(halves(np.arange(3.0)), np.arange(3.0) / 2 + 1)

    def test_errors(self):
        with self.assertRaisesRegex(TypeError, "add\\(\\) takes from 2 to 3 positional arguments but 1 were given"):
            add(np.ones(3))
        with self.assertRaisesRegex(ValueError, r"operands could not be broadcast together with shapes \(3,\) \(4,\)"):
            add(np.ones(3), np.ones(4))
        with self.assertRaisesRegex(ValueError, "mismatch in its core dimension 0"):
            product(np.ones((2, 3)), np.ones((2, 3)))
        with self.assertRaisesRegex(ValueError, r"non-broadcastable output operand with shape \(2, 2\) doesn't match the broadcast shape \(2, 3\)"):
            product(np.ones((2, 3)), np.ones((3, 3)), out=np.zeros((2, 2)))
        with self.assertRaisesRegex(ValueError, "does not have enough dimensions"):
            product(np.ones(3), np.ones((3, 2)))
        with self.assertRaisesRegex(ValueError, "is no layout"):
            guvectorize([], "(n->(n)")(lambda x, y: None)
        with self.assertRaisesRegex(ValueError, "no input has the axis 'm' of an output"):
            guvectorize("(n)->(m)")(lambda x, y: None)
        with self.assertRaisesRegex(TypeError, "target options are not supported: 'nonsense'"):
            npcc.vectorize(nonsense=1)
        with self.assertRaisesRegex(TypeError, "nopython flag must be True"):
            npcc.vectorize(nopython=False)
        with self.assertRaisesRegex(ValueError, "target is"):
            npcc.vectorize(target="quantum")
        with self.assertRaisesRegex(TypeError, "a signature has 1 parameters, the function 2"):
            vectorize(["float64(float64)"])(lambda x, y: x + y)


if __name__ == "__main__":
    unittest.main()
