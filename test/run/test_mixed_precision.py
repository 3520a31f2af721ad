"""Products of float32 in fewer bits where the program asks for it: the option matmul, npcc.autocast, npcc.GradScaler."""
import sys
import threading
import unittest
import unittest.mock

import numpy as np

import npcc
from harness import TARGET, Comparison, jit

try:
    import ml_dtypes
    bfloat16 = ml_dtypes.bfloat16
except ImportError:
    ml_dtypes = None


def matrices(m, k, n):
    random = np.random.default_rng(4)
    return random.standard_normal((m, k)).astype("f4"), random.standard_normal((k, n)).astype("f4")


def product(x, y):
    return x @ y


class MatmulOption(Comparison):
    def test_tf32_keeps_eleven_bits(self):
        x, y = matrices(40, 60, 50)
        got = jit(product, matmul="tf32")(x, y)
        self.assertEqual(got.dtype, np.float32)
        np.testing.assert_allclose(got, x @ y, 2e-2, 2e-2)
        if TARGET != "cuda":
            np.testing.assert_allclose(got, x @ y, 1e-5, 1e-5)

    @unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
    def test_bf16_rounds_operands(self):
        x, y = matrices(40, 60, 50)
        got = jit(product, matmul="bf16")(x, y)
        rounded = x.astype(bfloat16).astype("f4") @ y.astype(bfloat16).astype("f4")
        np.testing.assert_allclose(got, rounded, 1e-5, 1e-5)
        self.assertGreater(np.abs(rounded - x @ y).max(), 1e-3)

    def test_other_dtypes_stay_exact(self):
        x, y = (a.astype("f8") for a in matrices(9, 8, 7))
        for matmul in ("tf32", "bf16"):
            np.testing.assert_allclose(jit(product, matmul=matmul)(x, y), x @ y, 1e-12)
            np.testing.assert_array_equal(jit(product, matmul=matmul)(x.astype("i4"), y.astype("i4")), x.astype("i4") @ y.astype("i4"))

    def test_is_part_of_what_is_cached(self):
        x, y = matrices(30, 30, 30)
        exact, rounded = jit(product)(x, y), jit(product, matmul="bf16")(x, y)
        self.assertGreater(np.abs(exact - rounded).max(), 0)
        np.testing.assert_array_equal(exact, jit(product)(x, y))

    def test_unknown_name(self):
        with self.assertRaisesRegex(ValueError, "matmul is 'exact', 'tf32', 'bf16', not 'fp8'"):
            jit(product, matmul="fp8")


def network(x, w, v):
    h = np.maximum(x @ w, 0)
    s = h @ v
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


class Autocast(Comparison):
    def test_around_calls(self):
        f = jit(product)
        x, y = matrices(20, 30, 10)
        exact = f(x, y)
        self.assertEqual(exact.dtype, np.float32)
        with npcc.autocast("float16"):
            narrow = f(x, y)
            with npcc.autocast(enabled=False):
                self.assertEqual(f(x, y).dtype, np.float32)
        self.assertEqual(narrow.dtype, np.float16)
        np.testing.assert_allclose(narrow.astype("f4"), exact, 2e-2, 2e-2)
        np.testing.assert_array_equal(f(x, y), exact)

    def test_inside_a_function(self):
        def f(x, y):
            with npcc.autocast("float16"):
                a = x @ y
            return a, x @ y

        x, y = matrices(20, 30, 10)
        a, b = jit(f)(x, y)
        self.assertEqual((a.dtype, b.dtype), (np.float16, np.float32))
        np.testing.assert_allclose(a.astype("f4"), b, 2e-2, 2e-2)

    def test_switched_off_inside(self):
        def f(x, y):
            a = x @ y
            with npcc.autocast(enabled=False):
                b = x @ y
            return a, b

        with npcc.autocast("float16"):
            a, b = jit(f)(*matrices(5, 6, 7))
        self.assertEqual((a.dtype, b.dtype), (np.float16, np.float32))

    def test_rules(self):
        def f(x, y):
            p = x @ y
            return p, np.exp(p), p.sum(), np.mean(p, axis=0), p ** 2, np.linalg.norm(p), np.maximum(p, 0), p + x[:, :3], np.tanh(p), np.dot(x, y), p * 2, np.log(np.abs(p))

        def expected(x, y):
            p = x @ y
            return [np.float16, np.float32, np.float32, np.float32, np.float32, np.float32, np.float16, np.float32, np.float16, np.float16, np.float16, np.float32]

        x, y = matrices(4, 5, 3)
        with npcc.autocast("float16"):
            got = jit(f)(x, y)
        self.assertEqual([a.dtype for a in got], expected(x, y))
        for a, b in zip(got, f(x, y)):
            np.testing.assert_allclose(np.asarray(a, "f4"), b, 3e-2, 3e-2)

    def test_other_dtypes_stay(self):
        def f(x, n):
            return x @ x, n @ n

        x = np.eye(3)
        with npcc.autocast("float16"):
            a, b = jit(f)(x, np.arange(9).reshape(3, 3))
        self.assertEqual((a.dtype, b.dtype), (np.float64, np.int64))

    def test_products_of_several_kinds(self):
        def f(x, y, z):
            return np.tensordot(x, y, 1), np.einsum("ij,jk->ik", x, y), np.inner(x, x), np.linalg.multi_dot([x, y, y.T]), z @ y, x @ y[:, 0]

        x, y = matrices(8, 9, 7)
        z = np.random.default_rng(0).standard_normal((2, 4, 9)).astype("f4")
        with npcc.autocast("float16"):
            got = jit(f)(x, y, z)
        for a, b in zip(got, f(x, y, z)):
            self.assertEqual(a.dtype, np.float16)
            np.testing.assert_allclose(np.asarray(a, "f4"), b, 5e-2, 5e-2)

    @unittest.skipUnless(ml_dtypes, "ml_dtypes is not installed")
    def test_a_network_in_bfloat16(self):
        random = np.random.default_rng(2)
        x, w, v = (random.standard_normal(s).astype("f4") * 0.3 for s in ((16, 20), (20, 30), (30, 5)))
        with npcc.autocast("bfloat16"):
            got = jit(network)(x, w, v)
        self.assertEqual(got.dtype, np.float32)
        np.testing.assert_allclose(got, network(x, w, v), 3e-2, 1e-2)

    def test_structures_and_variable_parameters(self):
        def f(layers, x):
            for w in layers:
                x = x @ w
            return x

        def g(x, *layers):
            for w in layers:
                x = x @ w
            return x

        x, y = matrices(4, 5, 5)
        f, g = jit(f), jit(g)
        with npcc.autocast("float16"):
            self.assertEqual(f([y, y], x).dtype, np.float16)
            self.assertEqual(g(x, y, y).dtype, np.float16)
        self.assertEqual(f([y, y], x).dtype, np.float32)
        self.assertEqual(g(x, y, y).dtype, np.float32)

    def test_without_ml_dtypes(self):
        x, y = matrices(3, 4, 5)
        with unittest.mock.patch.dict(sys.modules, {"ml_dtypes": None}):
            with self.assertRaisesRegex(ImportError, "autocast to bfloat16 needs the package ml_dtypes"):
                npcc.autocast("bfloat16")
            with npcc.autocast("float16"):
                self.assertEqual(jit(product)(x, y).dtype, np.float16)
            self.assertEqual(jit(product, matmul="bf16", cache=False)(x, y).dtype, np.float32)

    def test_threads_have_their_own(self):
        f = jit(product)
        x, y = matrices(3, 4, 5)
        dtypes = []
        with npcc.autocast("float16"):
            thread = threading.Thread(target=lambda: dtypes.append(f(x, y).dtype))
            thread.start()
            thread.join()
            dtypes.append(f(x, y).dtype)
        self.assertEqual(dtypes, [np.float32, np.float16])

    def test_as_a_decorator_and_after_an_error(self):
        f = jit(product)
        x, y = matrices(3, 4, 5)

        @npcc.autocast("float16")
        def g():
            return f(x, y)

        self.assertEqual(g().dtype, np.float16)
        with self.assertRaises(ValueError), npcc.autocast("float16"):
            f(x, x)
        self.assertEqual(f(x, y).dtype, np.float32)

    def test_wrong_dtype(self):
        with self.assertRaisesRegex(ValueError, "autocast computes in float16 or bfloat16, not 'int8'"):
            npcc.autocast("int8")


class Scaler(unittest.TestCase):
    def make(self, **options):
        return npcc.GradScaler(target=TARGET, **options)

    def test_unscale_and_grow(self):
        scaler = self.make(init_scale=8, growth_interval=2)
        g = np.array([8, 16], "f4")
        self.assertEqual(scaler.scale(2.0), 16.0)
        self.assertTrue(scaler.unscale([g]))
        np.testing.assert_array_equal(g, [1, 2])
        scaler.update()
        self.assertEqual(scaler.get_scale(), 8)
        scaler.update()
        self.assertEqual(scaler.get_scale(), 16)

    def test_steps_are_skipped(self):
        scaler, steps = self.make(init_scale=8), []
        for bad in (np.inf, np.nan):
            finite = scaler.unscale({"w": np.ones(3, "f4"), "b": (np.array([1, bad], "f4"),)})
            self.assertFalse(finite)
            self.assertIsNone(scaler.step(steps.append, 1))
            scaler.update()
        self.assertEqual((steps, scaler.get_scale()), ([], 2))
        scaler.unscale(np.ones(2, "f4"))
        scaler.step(steps.append, 1)
        self.assertEqual(steps, [1])

    def test_off_and_state(self):
        scaler = self.make(enabled=False)
        self.assertEqual(scaler.scale(3), 3)
        self.assertTrue(scaler.unscale(np.array([np.inf])))
        other = self.make(init_scale=4)
        state = other.state_dict()
        other.update(new_scale=32)
        other.load_state_dict(state)
        self.assertEqual(other.get_scale(), 4)
        with self.assertRaises(ValueError):
            self.make(backoff_factor=2)
