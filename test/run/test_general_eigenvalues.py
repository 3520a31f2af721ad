"""Eigenvalues of general matrices that are large enough for a GPU's library, which has them in an order of its own."""
import ctypes
import pathlib
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit

rng = np.random.default_rng(7)
ROWS = 258  # a GPU leaves smaller ones to the host


def spectrum(a):
    return np.linalg.eig(a)


def values(a):
    return np.linalg.eigvals(a)


def largest(a):
    w, v = np.linalg.eig(a)
    return np.abs(w).max(), np.abs(v).max()


def has_library():
    """Whether the library at hand finds eigenvalues of general matrices, as those before CUDA 12.6 Update 2 do not."""
    runtime = ctypes.CDLL(pathlib.Path(npcc.__file__).with_name("libnpcc_rt.so"))
    runtime.npcc_rt_cusolver_description.restype = ctypes.c_char_p
    file = runtime.npcc_rt_cusolver_description()
    return bool(file) and hasattr(ctypes.CDLL(file.decode()), "cusolverDnXgeev")


def sorted_values(w):
    return w[np.lexsort((w.imag.round(6), w.real.round(6)))]


class GeneralEigenvalues(Comparison):
    def check(self, a):
        """NumPy's dtypes and shapes; its eigenvalues in some order; vectors of length 1, each with its eigenvalue."""
        got, want = jit(spectrum)(a.copy()), spectrum(a)
        self.assertIs(type(got), type(want))
        w, v = map(np.asarray, got)
        self.assertEqual([(x.dtype, x.shape) for x in (w, v)], [(x.dtype, x.shape) for x in want])
        alone = np.asarray(jit(values)(a.copy()))
        self.assertEqual((alone.dtype, alone.shape), (want[0].dtype, want[0].shape))
        single = want[0].dtype in (np.float32, np.complex64)
        for k in np.ndindex(a.shape[:-2]):
            size = np.abs(a[k]).sum(-1).max()
            bound = size * (1e-5 if single else 1e-11)
            np.testing.assert_allclose(a[k] @ v[k], v[k] * w[k], atol=bound)
            np.testing.assert_allclose(np.linalg.norm(v[k], axis=0), 1, rtol=1e-5 if single else 1e-12)
            for found in (w[k], alone[k]):
                np.testing.assert_allclose(sorted_values(found), sorted_values(want[0][k]), atol=100 * bound)

    def test_pairs_and_real_ones(self):
        a = rng.standard_normal((2, ROWS, ROWS))
        self.check(a)
        self.check(a[0].astype("f4"))
        self.check(a[0, ::-1, :].T + 1j * a[1])

    def test_all_are_real(self):
        """The results of such matrices are real before NumPy 2.5."""
        a = np.diag(np.arange(1.0, ROWS + 1)) + np.triu(rng.standard_normal((ROWS, ROWS)), 1) / ROWS
        self.check(a)
        self.check(a.astype("c16"))

    def test_pairs_at_the_ends(self):
        """Every eigenvector is one of a pair, or only those in the middle are not."""
        turns = np.zeros((ROWS, ROWS))
        for k in range(0, ROWS, 2):
            turns[k, k] = turns[k + 1, k + 1] = k / 10
            turns[k, k + 1], turns[k + 1, k] = 1, -1 - k / 7
        self.check(turns)
        turns[40, 41] = turns[41, 40] = turns[42, 43] = turns[43, 42] = 0
        turns[41, 41], turns[43, 43] = 4.05, 4.25
        self.check(turns)

    def test_bad_matrices(self):
        a = rng.standard_normal((ROWS, ROWS))
        for bad in (np.nan, np.inf):
            a[3, 70] = bad
            self.compare(spectrum, [a])
            self.compare(values, [np.stack([a, a])])
        self.compare(spectrum, [a[:, 1:]])

    @unittest.skipUnless(TARGET == "cuda", "arrays of the host")
    def test_matrices_stay_where_they_are(self):
        if not has_library():
            self.skipTest("the host does it where the library cannot")
        function, a = jit(largest), npcc.asarray(rng.standard_normal((2, ROWS, ROWS)), device="cuda")
        function(a)
        before = npcc.counters()
        value, component = function(a)
        after = npcc.counters()
        for count in ("bytes_host_to_device", "bytes_device_to_host"):
            self.assertLess(after[count] - before[count], ROWS * ROWS)  # bytes of one matrix: 8 for each element
        self.assertGreater(float(value), 1)
        self.assertLessEqual(float(component), 1 + 1e-12)


if __name__ == "__main__":
    unittest.main()
