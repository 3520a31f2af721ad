"""Singular values and eigenvalues of matrices up to 32 x 32, which a GPU finds by kernels of the runtime: of all kinds of matrices, alone and in stacks."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def factored(a):
    return np.linalg.svd(a)


def reduced(a):
    return np.linalg.svd(a, full_matrices=False)


def values(a):
    return np.linalg.svd(a, compute_uv=False)


def spectrum(a):
    return np.linalg.eigh(a)


def spectrum_of_upper(a):
    return np.linalg.eigh(a, "U")


def spectrum_alone(a):
    return np.linalg.eigvalsh(a)


def built_on_them(a, b):
    return np.linalg.pinv(a), np.linalg.lstsq(a, b)[0], np.linalg.matrix_rank(a), np.linalg.cond(a), np.linalg.norm(a, 2), np.linalg.norm(a, "nuc")


def of_low_rank(a, b):
    return np.linalg.pinv(a), np.linalg.lstsq(a, b)[0], np.linalg.matrix_rank(a), np.linalg.norm(a, "nuc")


def matrices(shape, dtype="f8"):
    a = rng.standard_normal(shape)
    return (a + 1j * rng.standard_normal(shape) if dtype in ("c8", "c16") else a).astype(dtype)


def special(m, n):
    """Of low rank, of equal values, zero, diagonal, of very different columns, of very large and very small elements."""
    low = matrices((m, 1)) @ matrices((1, n))
    graded = matrices((m, n)) * 10.0 ** -np.arange(0, 3 * n, 3)
    unit = np.eye(m, n)
    return np.stack([low, unit, np.zeros((m, n)), np.diag(np.arange(-2.0, max(m, n) - 2))[:m, :n], graded, graded[::-1, ::-1], matrices((m, n)) * 1e200,
                     matrices((m, n)) * 1e-200, np.ones((m, n)), unit[:, ::-1] * 3, low + unit * 1e-9, unit * 5e-324])


class SmallSpectra(Comparison):
    def near(self, got, expected, size, count, dtype, what):
        epsilon = np.finfo(dtype).eps
        error = np.abs(np.asarray(got) - np.asarray(expected)).max(initial=0)
        self.assertLessEqual(error, 8 * epsilon * count * size + 1e-320, f"{what}: {error / max(size, 1e-300) / epsilon} units")

    def check_singular(self, a, function):
        """Unit vectors, values in their order that are NumPy's, and a product that is the matrix."""
        u, s, v = map(np.asarray, jit(function)(a.copy()))
        want = function(a)
        self.assertEqual([x.shape for x in (u, s, v)], [x.shape for x in want])
        self.assertEqual([x.dtype for x in (u, s, v)], [x.dtype for x in want])
        few, count = s.shape[-1], max(a.shape[-2:])
        for k in np.ndindex(a.shape[:-2]):
            size = float(want[1][k].max(initial=0))
            self.near(s[k], want[1][k], size, count, a.dtype, "values")
            self.assertTrue(np.all(np.diff(s[k]) <= 0) and np.all(s[k] >= 0))
            self.near((u[k][:, :few] * s[k]) @ v[k][:few], a[k], size, count, a.dtype, "product")
            self.near(np.conj(u[k].T) @ u[k], np.eye(u.shape[-1]), 1, count, a.dtype, "left vectors")
            self.near(v[k] @ np.conj(v[k].T), np.eye(v.shape[-2]), 1, count, a.dtype, "right vectors")

    def check_hermitian(self, a, function=spectrum):
        w, v = map(np.asarray, jit(function)(a.copy()))
        want = function(a)
        self.assertEqual([w.dtype, v.dtype], [x.dtype for x in want])
        n = a.shape[-1]
        for k in np.ndindex(a.shape[:-2]):
            half = np.triu(a[k], 1) if function is spectrum_of_upper else np.tril(a[k], -1)
            whole = half + np.conj(half.T) + np.diag(np.diag(a[k]).real)
            size = float(np.abs(want[0][k]).max(initial=0))
            self.near(w[k], want[0][k], size, n, a.dtype, "values")
            self.assertTrue(np.all(np.diff(w[k]) >= 0))
            self.near(v[k] @ np.diag(w[k]) @ np.conj(v[k].T), whole, size, n, a.dtype, "product")
            self.near(np.conj(v[k].T) @ v[k], np.eye(n), 1, n, a.dtype, "vectors")

    def test_singular_values(self):
        for m, n in ((1, 1), (2, 2), (3, 3), (5, 5), (1, 4), (5, 2), (3, 7), (9, 6)):
            for dtype in ("f8", "f4", "c16"):
                for function in (factored, reduced):
                    with self.subTest(m=m, n=n, dtype=dtype, function=function.__name__):
                        self.check_singular(matrices((m, n), dtype), function)
                        self.check_singular(matrices((3, m, n), dtype), function)
                self.compare(values, [matrices((2, m, n), dtype)], scale=10)

    def test_the_largest(self):
        for m, n in ((32, 32), (32, 3), (4, 31)):
            self.check_singular(matrices((m, n)), factored)
        for n, dtype in ((32, "f8"), (32, "c8"), (31, "f4"), (17, "c16")):
            with self.subTest(n=n, dtype=dtype):
                a = matrices((1, n, n), dtype)
                a = a + np.conj(a.swapaxes(1, 2))
                self.check_hermitian(a)
                self.check_hermitian(np.repeat(a, 600, 0))  # too many for a block of a GPU each
        self.check_singular(matrices((33, 5)), reduced)  # a library's

    def test_special_matrices(self):
        for m, n in ((3, 3), (6, 4), (4, 6)):
            with self.subTest(m=m, n=n):
                self.check_singular(special(m, n), factored)
                self.check_singular(special(m, n) * (1 - 0.5j), reduced)

    def test_eigenvalues(self):
        for n in (1, 2, 3, 4, 7):
            for dtype in ("f8", "f4", "c16", "c8"):
                with self.subTest(n=n, dtype=dtype):
                    a = matrices((2, n, n), dtype)
                    self.check_hermitian(a + np.conj(a.swapaxes(1, 2)))
                    self.check_hermitian(a[0])  # one triangle is read
                    self.check_hermitian(a, spectrum_of_upper)
                    self.compare(spectrum_alone, [a], scale=10)

    def test_special_spectra(self):
        for n in (3, 6):
            a = special(n, n)
            self.check_hermitian(a + a.swapaxes(1, 2))
            self.check_hermitian((a + a.swapaxes(1, 2)).astype("c16"), spectrum_of_upper)

    def test_different_matrices_beside_each_other(self):
        """A warp of a GPU has several of them, and each has its own parts and its own number of steps."""
        for n, dtype in ((4, "f8"), (7, "c16")):
            a = matrices((9, n, n), dtype)
            a[1] = np.eye(n)
            a[2, :2, 2:] = a[2, 2:, :2] = 0
            a[4] = 0
            a[5] *= 10.0 ** -np.arange(n)
            a[7] *= 1e-300
            for few_or_many in (a, np.concatenate([a] * 70)):  # whose matrices have a block each, or a part of a warp
                self.check_hermitian(few_or_many)
                self.check_hermitian(few_or_many, spectrum_of_upper)

    def test_a_diagonal_has_the_unit_vectors(self):
        for function in (spectrum, factored):
            for diagonal in (np.diag([3.0, 1, 2]), np.zeros((3, 3)), np.eye(4)):
                self.compare(function, [diagonal])

    def test_what_is_built_on_them(self):
        for shape in ((3, 3), (6, 3), (3, 6)):
            self.compare(built_on_them, [matrices(shape), matrices(shape[:1])], scale=100)
        self.compare(of_low_rank, [matrices((6, 2)) @ matrices((2, 4)), matrices((6, 2))], scale=100)

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_nobody_waits(self):
        """What the kernel says of elements that are not finite is an error of the device."""
        for function in (factored, reduced, values):
            compiled, a = jit(function), npcc.asarray(matrices((3, 5, 4)), device="cuda")
            compiled(a)
            before = npcc.counters()
            compiled(a)
            after = npcc.counters()
            self.assertEqual(after["bytes_device_to_host"], before["bytes_device_to_host"])
            self.assertEqual(after["launches"] - before["launches"], 2)
        a = matrices((3, 5, 4))
        a[2, 4, 0] = np.nan
        for function in (factored, values):
            self.compare(function, [a])

    def test_elements_that_are_not_finite(self):
        """A matrix has no influence on the others of its stack."""
        for bad in (np.nan, np.inf):
            a = np.stack([np.diag([1.0, 2, 3])] * 3)
            a[1, 0, 0] = bad
            got = jit(spectrum_alone)(a)
            np.testing.assert_allclose(np.asarray(got)[::2], [[1, 2, 3]] * 2)

    @unittest.skipUnless(TARGET == "cuda", "launches are a GPU's")
    def test_launches(self):
        """The elements are put in order and back; the kernel of all matrices is one, and nobody waits for it."""
        compiled = jit(spectrum)
        for count in (1, 50):
            a = npcc.array(matrices((count, 3, 3)), device="cuda")
            compiled(a)
            before = npcc.counters()["launches"]
            compiled(a)
            self.assertLessEqual(npcc.counters()["launches"] - before, 3)


if __name__ == "__main__":
    unittest.main()
