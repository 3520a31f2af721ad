"""Arrays of bfloat16, which the package ml_dtypes adds to NumPy: dtypes as NumPy finds them, elementwise functions rounded once, sums in float32."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, device, jit, layouts

try:
    import ml_dtypes
    bfloat16 = ml_dtypes.bfloat16
except ImportError:
    ml_dtypes = None

OTHERS = ("bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64")


def numbers(*shape, seed=0):
    return (np.random.default_rng(seed).standard_normal(shape) * 3).astype(bfloat16)


def special():
    bits = np.array([0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 1, 0x8001, 0x7f7f, 0xff7f, 0x3f81, 0x4000], np.uint16)
    return bits.view(bfloat16)


@unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
class Elementwise(Comparison):
    def test_operators_with_every_dtype(self):
        def f(x, y):
            return x + y, y - x, x * y, x < y

        def g(x, y):
            return x / y

        x = numbers(7)
        for name in OTHERS:
            with self.subTest(dtype=name):
                y = np.arange(1, 8).astype(name)
                self.compare(f if name != "bool" else (lambda x, y: (x + y, x * y, x < y)), [x, y])
                self.compare(g, [x, y])

    def test_python_numbers(self):
        def f(x):
            return x + 1, x * 1.5, 2 * x, x - True, x / 3, x ** 2, x < 0.5

        self.compare(f, [numbers(5, 4)])

    def test_functions(self):
        def signs(x):
            return -x, np.abs(x), np.sign(x), np.floor(x), np.ceil(x), np.rint(x), np.trunc(x), np.square(x), np.isnan(x), np.isfinite(x), np.signbit(x)

        def steep(x):
            return np.exp(x), np.expm1(x), np.tanh(x), np.arctan(x), np.exp2(x)

        def positive(x):
            return np.sqrt(x), np.log(x), np.log2(x), np.log10(x), np.log1p(x), np.reciprocal(x), np.cbrt(x)

        for x in (numbers(40), special()):
            self.compare(signs, [x])
            self.compare(steep, [x])
            self.compare(positive, [np.abs(x)])

    def test_two_operands(self):
        def f(x, y):
            return np.maximum(x, y), np.minimum(x, y), np.fmax(x, y), np.fmin(x, y), np.arctan2(x, y), np.hypot(x, y), np.copysign(x, y)

        x = special()
        self.compare(f, [x, np.ascontiguousarray(x[::-1])])
        self.compare(f, [numbers(30), numbers(30, seed=1)])

    def test_where_and_comparisons(self):
        def f(x, y):
            return np.where(x > y, x, y), x == y, (x >= y).any(), np.all(x != y)

        self.compare(f, [numbers(4, 5), numbers(4, 5, seed=1)])

    def test_rounding_is_to_nearest_even(self):
        x = np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8, -1 - 2.0**-8, 1 + 2.0**-8 + 2.0**-20, 3.3961775e38, 3.4e38, 1e-41, np.nan, -np.inf], np.float32)

        @jit
        def f(x):
            return x.astype(bfloat16)

        np.testing.assert_array_equal(f(x).view(np.uint16) & 0x7fc0, x.astype(bfloat16).view(np.uint16) & 0x7fc0)
        np.testing.assert_array_equal(f(x)[:-2].view(np.uint16), x.astype(bfloat16)[:-2].view(np.uint16))

    def test_neighbours(self):
        def f(x, y):
            return np.nextafter(x, y), np.spacing(np.abs(x))

        x = special()[:4]
        self.compare(f, [x, np.ascontiguousarray(x[::-1])])


@unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
class Conversions(Comparison):
    def test_casts_from_and_to_every_dtype(self):
        for name in OTHERS:
            with self.subTest(dtype=name):
                dtype = np.dtype(name)

                def f(x, y):
                    return x.astype(dtype), y.astype(bfloat16)

                y = np.array([0, 1, 3, 100, 77, 101]).astype(dtype)
                self.compare(f, [np.array([0, 1, 2.5, 3, 99, 100], bfloat16), y])

    def test_creation(self):
        def f(n):
            return np.zeros(n, bfloat16), np.full((2, n), 1.5, bfloat16), np.arange(n, dtype=bfloat16), np.ones(n, dtype="bfloat16"), np.eye(3, dtype=bfloat16)

        self.compare(f, [4])

    def test_like_and_shapes(self):
        def f(x):
            y = np.empty_like(x)
            y[...] = x
            y[0] = 0.1
            return np.zeros_like(x), y, x.T.copy(), np.concatenate([x, y]), np.stack([x, x]), x.reshape(-1)[::2], np.sort(x, axis=0)

        for name, x in layouts(numbers(6, 5)):
            with self.subTest(layout=name):
                self.compare(f, [x])

    def test_scalars(self):
        def f(x, s):
            return x[0] + s, s * 2, float(s), int(s), x * s

        self.compare(f, [numbers(3), bfloat16(2.5)])

    def test_in_place(self):
        def f(x, y):
            x += y
            x *= 2
            x[1:] -= x[:-1].copy()

        self.compare(f, [numbers(9), numbers(9, seed=1)])
        self.compare(f, [numbers(9), np.arange(9, dtype=np.float32)])

    def test_print(self):
        def f(x):
            print(x[0], x[1])

        def g(x):
            return f"{x[0]} {x[1]:.3f} {str(x[0])}"

        x = np.array([0.1, 3e20], bfloat16)
        self.compare(f, [x])
        self.assertEqual(jit(g)(x), g(x))

    def test_words_of_errors(self):
        def cast(x):
            return np.tanh(x, out=np.zeros(5, np.int32))

        def added(x):
            y = np.zeros(5, bool)
            y += x
            return y

        for function in cast, added:
            with self.assertRaises(TypeError) as expected:
                function(numbers(5))
            with self.assertRaises(TypeError) as got:
                jit(function)(numbers(5))
            self.assertEqual(str(expected.exception), str(got.exception))

    def test_declared_types(self):
        x = numbers(5)
        np.testing.assert_array_equal(npcc.bf16.dtype, x.dtype)
        self.assertEqual(repr(npcc.bfloat16[:]), "npcc.bfloat16[:]")
        f = jit(lambda x: x + x)
        f(x)
        self.assertIn("bfloat16[:]", f.signatures[0])


@unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
class Reductions(Comparison):
    """NumPy rounds every partial sum of bfloat16, so that a sum of ones ends at 256; compiled code sums in float32 and rounds once."""

    def check(self, function, x):
        wide = function(x.astype(np.float32))
        got = jit(function)(x)
        for a, b in zip(wide, got):
            self.assertEqual(b.dtype, bfloat16)
            np.testing.assert_allclose(np.asarray(b, np.float32), np.asarray(a, np.float32), 8e-3, 1e-3)

    def test_sums_are_of_float32(self):
        self.check(lambda x: (x.sum(), x.sum(0), x.sum(1), x.mean(), x.mean(-1)), np.ones((60, 70), bfloat16))
        self.check(lambda x: (x.sum(), x.sum(0), x.sum(1), x.prod(0)), numbers(33, 21))
        self.check(lambda x: (np.cumsum(x),), np.ones(1000, bfloat16))

    def test_extrema_are_numpys(self):
        def f(x):
            return x.max(), x.min(axis=0), x.max(axis=1), np.argmax(x), np.argmin(x, axis=1)

        self.compare(f, [numbers(13, 17)])
        self.compare(lambda x: (x.max(), x.min(), np.argmax(x)), [special()])

    def test_variance(self):
        x = numbers(500)
        got = jit(lambda x: (np.var(x), np.std(x)))(x)
        np.testing.assert_allclose(np.asarray(got, np.float32), [np.var(x.astype("f4")), np.std(x.astype("f4"))], 2e-2)

    def test_loops(self):
        def f(x):
            s = bfloat16(0)
            for i in range(x.shape[0]):
                s = s + x[i] * x[i]
            return s

        self.compare(f, [numbers(50)])

    @unittest.skipIf(TARGET != "cpu", "of the host's code")
    def test_machines_without_conversions(self):
        def f(x):
            s = bfloat16(0)
            for i in range(x.shape[0]):
                s = s + x[i] * x[i]
            return s, x + x, x.astype(np.int16), x.astype(np.float64)

        self.compare(f, [numbers(20)], jit(f, cpu="x86-64-v2"))

    def test_sort(self):
        def f(x):
            return np.sort(x), np.argsort(x, kind="stable"), np.median(x), np.partition(x, 7)[7]

        self.compare(f, [numbers(101)])
        np.testing.assert_array_equal(jit(lambda x: np.sort(x))(special()).astype("f4"), np.sort(special().astype("f4")))


@unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
class Products(Comparison):
    def check(self, function, *arguments):
        expected = function(*[a.astype(np.float64) for a in arguments])
        got, dtype = jit(function)(*arguments), function(*arguments).dtype
        self.assertEqual(got.dtype, dtype)
        np.testing.assert_allclose(np.asarray(got, np.float64), expected, 8e-3 if dtype.itemsize == 2 else 1e-5, 4e-2 if dtype.itemsize == 2 else 1e-4)

    def test_matmul_gives_float32_and_dot_the_dtype(self):
        for (m, k, n) in ((1, 1, 1), (3, 5, 4), (64, 80, 33), (17, 300, 9)):
            x, y = numbers(m, k), numbers(k, n, seed=1)
            with self.subTest(shape=(m, k, n)):
                self.check(lambda x, y: x @ y, x, y)
                self.check(lambda x, y: np.dot(x, y), x, y)
                self.check(lambda x, y: x.T.copy().T @ y[:, ::-1], x, y)
                self.check(lambda x, y: np.dot(y.T, x.T), x, y)
                self.check(lambda x, y: x[::2] @ y, x, y)
                self.check(lambda x, y: x @ y[:, 0], x, y)
                self.check(lambda x, y: np.dot(x[0], y[:, 0]), x, y)

    def test_stacks(self):
        x, y = numbers(3, 20, 16), numbers(3, 16, 24, seed=1)
        self.check(lambda x, y: x @ y, x, y)
        self.check(lambda x, y: x @ y[0], x, y)
        self.check(lambda x, y: x[0] @ y, x, y)

    def test_operands_of_stacks_are_not_copied(self):
        def product(x, y):
            return x @ y

        text = jit(product).inspect("kernels", "bfloat16[:,:,:], bfloat16[:,:,:]", target="cuda")
        self.assertIn("np.call_matmul", text)
        self.assertNotIn("np.kernel map", text)

    def test_wide_results_of_halves(self):
        x, y = numbers(30, 40).astype(np.float16), numbers(40, 20, seed=1).astype(np.float16)
        self.check(lambda x, y: x.astype(np.float32) @ y.astype(np.float32), x, y)
        self.check(lambda x, y: x @ y, x, y)

    def test_sums_do_not_stop_growing(self):
        x = np.ones((4, 5000), bfloat16)
        got = jit(lambda x: np.dot(x, x.T))(x)
        np.testing.assert_array_equal(got, np.full((4, 4), 5000).astype(bfloat16))

    def test_product_of_vectors_rounds_once(self):
        x, y = numbers(400), numbers(400, seed=2)
        for dtype in (bfloat16, np.float16):
            a, b = x.astype(dtype), y.astype(dtype)
            expected = np.float32(np.dot(a.astype("f8"), b.astype("f8"))).astype(dtype)
            np.testing.assert_allclose(np.float32(jit(lambda x, y: np.dot(x, y))(a, b)), np.float32(expected), 8e-3)


@unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
class Exchange(Comparison):
    def test_arrays_of_a_device(self):
        x = numbers(6, 5)
        a = npcc.asarray(x, device=device())
        self.assertEqual(a.dtype, bfloat16)
        np.testing.assert_array_equal(a.get(), x)
        np.testing.assert_array_equal(jit(lambda x: x + x)(a).get(), x + x)

    def test_dlpack(self):
        x = numbers(4, 3)
        a = npcc.asarray(x, device=device())

        class Producer:  # as PyTorch's tensors are: bfloat16 by DLPack
            def __dlpack__(self, **options):
                return a.__dlpack__(**options)

            def __dlpack_device__(self):
                return a.__dlpack_device__()

        b = npcc.from_dlpack(Producer())
        self.assertEqual(b.dtype, bfloat16)
        np.testing.assert_array_equal(b.get(), x)
