"""Matrices without a result: a GPU leaves the error in the record that kernels leave theirs in, and the host does not wait."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit

rng = np.random.default_rng(0)


def riccati(a, b, q, r, p, steps):
    for _ in range(steps):
        p = q + a.T @ p @ a - a.T @ p @ b @ np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
    return p


def solved_and_stored(a, b, out):
    x = np.linalg.solve(a, b)
    out[:] = 1.0
    return x


def two_errors(a, b):
    x = np.linalg.solve(a, b)
    return x, np.linalg.cholesky(a * 0.0)


def spectrum(a):
    return np.linalg.eigh(a)


def spectrum_alone(a):
    return np.linalg.eigvalsh(a)


def spectrum_of_upper(a):
    return np.linalg.eigvalsh(a, "U")


def factor(a):
    return np.linalg.cholesky(a)


def inverse(a):
    return np.linalg.inv(a)


def spectrum_of_upper_with_vectors(a):
    return np.linalg.eigh(a, "U")


def outcome(function, a):
    """Of each matrix, whether all its results are finite; or the error."""
    try:
        results = function(a.copy())
    except np.linalg.LinAlgError as error:
        return str(error)
    results = [np.asarray(x) for x in (results if isinstance(results, tuple) else [results])]
    return [bool(np.isfinite(x[k]).all()) for x in results[:1] for k in range(len(a))]


class Errors(Comparison):
    """In NumPy's order, and what Python would not have done is not seen."""

    def test_nobody_waits(self):
        a, b = rng.standard_normal((6, 6)) / 3, rng.standard_normal((6, 5))
        arguments = [a, b, np.eye(6), np.eye(5), np.eye(6)]
        self.compare(riccati, [*arguments, 5], scale=100)
        if TARGET == "cuda":
            function, device = jit(riccati), [npcc.asarray(x, device="cuda") for x in arguments]
            function(*device, 5)
            before = npcc.counters()
            result = function(*device, 40)
            after = npcc.counters()
            for count in ("bytes_host_to_device", "bytes_device_to_host"):
                self.assertEqual(after[count], before[count])
            np.testing.assert_allclose(np.asarray(result), riccati(*arguments, 40), rtol=1e-9)

    def test_what_comes_behind(self):
        for n in (5, 40):
            for shape in ((n, n), (4, n, n)):
                a = np.zeros(shape) + 2 * np.eye(n)
                a.reshape(-1, n, n)[-1, 0, 0] = 0
                with self.subTest(shape=shape):
                    self.compare(solved_and_stored, [a, np.ones(shape[:-1] + (1,)), np.zeros(3)])
                    self.compare(two_errors, [a, np.ones(shape[:-1] + (1,))])
                    self.compare(two_errors, [a + np.eye(n), np.ones(shape[:-1] + (1,))])

    def test_arrays_that_stay_on_the_device(self):
        if TARGET != "cuda":
            self.skipTest("the error is raised at once")
        for n in (5, 40):
            a, b = (npcc.asarray(x, device="cuda") for x in (np.ones((n, n)), np.ones((n, 1))))
            with self.assertRaisesRegex(np.linalg.LinAlgError, "^Singular matrix$"):
                jit(lambda a, b: np.linalg.solve(a, b) + 1)(a, b)
                npcc.synchronize()

    def test_matrices_that_are_not_finite(self):
        """Of a stack that has one, where it is an error of NumPy's and where it is NaN. A library that divides large matrices sees less."""
        for n in (1, 2, 3, 5, 25, 26, 32):
            m = rng.standard_normal((n, n))
            m = m @ m.T + np.eye(n)
            for bad, place in ((np.nan, (0, 0)), (np.nan, (n // 2, n // 2)), (np.nan, (n - 1, 0)), (np.nan, ...), (np.inf, (0, 0)), (np.inf, ...)):
                a = np.stack([m] * (4 if n < 25 else 2))
                a[(1, *place) if place is not ... else 1] = bad
                a[1] = a[1] if place is ... else np.where(np.isfinite(a[1].T), a[1], a[1].T)
                for function in (spectrum, spectrum_alone, spectrum_of_upper, factor):
                    # Two rows take no iterations, and LAPACK may find numbers beside NaN.
                    if n == 2 and np.isnan(bad) and function is not factor:
                        continue
                    for dtype in ("f8", "c8") if n < 25 else ("f8",):
                        with self.subTest(n=n, bad=bad, place=place, function=function.__name__, dtype=dtype):
                            stack = a.astype(dtype)
                            self.assertEqual(outcome(jit(function), stack), outcome(function, stack))

    def test_large_matrices_that_are_not_finite(self):
        """A library for GPUs calls many of them singular, not positive definite or not convergent. LAPACK has NaN, but for eigenvalues alone."""
        n = 36
        m = rng.standard_normal((n, n))
        m = m @ m.T + n * np.eye(n)
        places = [(np.nan, (n // 2, n // 2)), (np.nan, (n - 1, 0)), (np.nan, ...), (np.inf, ...)]
        for bad, place in places + [(np.inf, place) for place in ((0, 0), (1, 0), (n - 1, n - 1), (n - 1, n - 2), (1, 1), (n - 1, 0))]:
            a = np.stack([m] * 3)
            a[(1, *place) if place is not ... else 1] = bad
            a[1] = a[1] if place is ... else np.where(np.isfinite(a[1].T), a[1], a[1].T)
            for function in (spectrum, spectrum_of_upper_with_vectors, spectrum_alone, spectrum_of_upper, factor, inverse):
                # LAPACK meets minus infinity as a pivot before the infinity has become NaN.
                if function is factor and np.isinf(bad) and place in ((1, 0), (n - 1, n - 2)):
                    continue
                for stack in (a, a[1:2]):
                    with self.subTest(bad=bad, place=place, function=function.__name__, count=len(stack)):
                        self.assertEqual(outcome(jit(function), stack), outcome(function, stack))
        for function in (spectrum_alone, factor, inverse):  # one triangle is read
            a = m.copy()
            a[0, n - 1] = np.nan
            self.assertEqual(outcome(jit(function), a[None]), outcome(function, a[None]))
        for wrong, function in ((-m, factor), (np.ones((n, n)), inverse)):
            self.assertEqual(outcome(jit(function), np.stack([m, wrong])), outcome(function, np.stack([m, wrong])))
        self.compare(spectrum_alone, [m[None]], scale=100)


if __name__ == "__main__":
    unittest.main()
