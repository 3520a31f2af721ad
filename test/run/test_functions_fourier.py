"""Fourier transforms, compiled, against NumPy."""
import unittest

import numpy as np

from harness import TARGET, jit
from rows import Rows

ROWS = r"""
*   | np.fft.fft(a)
*   | np.fft.ifft(a)
*   | np.fft.rfft(a)
*   | np.fft.irfft(a)
*   | np.fft.hfft(a)
*   | np.fft.ihfft(a)
*   | np.fft.fftn(a)
*   | np.fft.fftshift(a), np.fft.ifftshift(a)
A   | np.fft.fft(a, n=3), np.fft.fft(a, 8), np.fft.fft(a, axis=0), np.fft.fft(a, 7, 0, 'ortho'), np.fft.fft(a, norm='forward'), np.fft.fft(a, norm='backward')
C   | np.fft.ifft(a, n=3), np.fft.ifft(a, 8), np.fft.ifft(a, axis=0), np.fft.ifft(a, 7, 0, 'ortho'), np.fft.ifft(a, norm='forward')
A   | np.fft.rfft(a, n=3), np.fft.rfft(a, 8), np.fft.rfft(a, axis=0), np.fft.rfft(a, 7, 0, 'ortho'), np.fft.rfft(a, norm='forward')
C   | np.fft.irfft(a, n=3), np.fft.irfft(a, 11), np.fft.irfft(a, axis=0), np.fft.irfft(a, 7, 0, 'ortho'), np.fft.irfft(a, norm='forward')
C   | np.fft.hfft(a, n=3), np.fft.hfft(a, 11), np.fft.hfft(a, axis=0), np.fft.hfft(a, 7, 0, 'ortho'), np.fft.hfft(a, norm='forward')
A   | np.fft.ihfft(a, n=3), np.fft.ihfft(a, 8), np.fft.ihfft(a, axis=0), np.fft.ihfft(a, 7, 0, 'ortho'), np.fft.ihfft(a, norm='forward')
T   | np.fft.fft2(a), np.fft.fft2(a, s=(2, 4)), np.fft.fft2(a, axes=(0, 1)), np.fft.fft2(a, norm='ortho')
T   | np.fft.ifft2(a), np.fft.ifft2(a, s=(2, 4)), np.fft.ifft2(a, axes=(0, 1)), np.fft.ifft2(a, norm='ortho')
T   | np.fft.rfft2(a), np.fft.rfft2(a, s=(2, 4)), np.fft.rfft2(a, axes=(0, 1)), np.fft.rfft2(a, norm='ortho')
T   | np.fft.irfft2(a), np.fft.irfft2(a, s=(2, 5)), np.fft.irfft2(a, axes=(0, 1)), np.fft.irfft2(a, norm='ortho')
T   | np.fft.fftn(a), np.fft.fftn(a, s=(2, -1), axes=(0, 2)), np.fft.fftn(a, axes=(1,)), np.fft.fftn(a, norm='forward')
T   | np.fft.ifftn(a), np.fft.ifftn(a, s=(2, -1), axes=(0, 2)), np.fft.ifftn(a, axes=(1,)), np.fft.ifftn(a, norm='forward')
T   | np.fft.fftn(a, s=(5, 2, 6)), np.fft.ifftn(a, s=(1, 3, 3)), np.fft.rfftn(a, s=(4, 6, 5)), np.fft.irfftn(a, s=(3, 2, 8)), np.fft.irfftn(a, s=a.shape)
T   | np.fft.rfftn(a), np.fft.rfftn(a, s=(2, -1), axes=(0, 2)), np.fft.rfftn(a, axes=(1,)), np.fft.rfftn(a, norm='forward')
T   | np.fft.fftn(a, axes=(2, 0)), np.fft.ifftn(a, axes=(0, 0)), np.fft.rfftn(a, axes=(1, 0)), np.fft.irfftn(a, axes=(2, 0, 1))
T   | np.fft.fftn(a[:, None, :, None] * 2), np.fft.ifftn(a[None, :, ::-1].T), np.fft.ifft2(a.T)
T   | np.fft.irfftn(a), np.fft.irfftn(a, s=(2, 7), axes=(0, 2)), np.fft.irfftn(a, axes=(1,)), np.fft.irfftn(a, norm='forward')
A   | np.fft.fft(a, out=np.empty((4, 5), complex)), np.fft.ifft(a, out=np.empty((4, 5), complex)), np.fft.fft2(a, out=np.empty((4, 5), complex))
A   | np.fft.rfft(a, out=np.empty((4, 3), complex)), np.fft.irfft(a, out=np.empty((4, 8))), np.fft.hfft(a, out=np.empty((4, 8)))
A   | np.fft.ihfft(a, out=np.empty((4, 3), complex)), np.fft.fftn(a, out=np.empty((4, 5), 'c8')), np.fft.ifftn(a, out=np.empty((4, 5), complex))
A   | np.fft.rfft2(a, out=np.empty((4, 3), complex)), np.fft.rfftn(a, out=np.empty((4, 3), complex)), np.fft.irfftn(a, out=np.empty((4, 8)))
A   | np.fft.ifft2(a, out=np.empty((4, 5), complex)), np.fft.irfft2(a, out=np.empty((4, 8)))
C   | np.fft.fft(a, out=a), a
A   | np.fft.fftshift(a, axes=0), np.fft.fftshift(a, (0, -1)), np.fft.ifftshift(a, axes=0), np.fft.ifftshift(a, (0, 1))
n   | np.fft.fftfreq(a), np.fft.fftfreq(a, 0.5), np.fft.fftfreq(6, d=2, device='cpu'), np.fft.rfftfreq(a), np.fft.rfftfreq(6, d=0.1, device=None)
A   | np.fft.fft(a[::-1, ::2].T, axis=0), np.fft.rfft(a.T[1:]), np.fft.fft(a[1], 1)
A n | np.fft.rfft(a, b), np.fft.fft(a, b + 1), np.fft.rfft(a, b + 1), np.fft.irfft(a, b)
C   | np.fft.ifft(np.fft.fft(a * 2) * np.exp(a)).real + 1
"""

ERRORS = r"""
A   | np.fft.fft(a, 0)
A   | np.fft.fft(a, 2.5)
A   | np.fft.rfftn(a, (2, 2.5))
E   | np.fft.fft(a, axis=0)
A   | np.fft.fft(a, axis=2)
A   | np.fft.fft(a, 4, axis=2)
A   | np.fft.fft(a, norm='no')
A   | np.fft.ifft(a, norm='no')
C   | np.fft.rfft(a)
C   | np.fft.rfft(a, 4)
O   | np.fft.fft(a)
A   | np.fft.fft(a, out=np.empty((4, 4), complex))
A   | np.fft.rfft(a, out=np.empty((4, 5), complex))
A   | np.fft.fftn(a, s=(2,), axes=(0, 1))
V   | np.fft.fft2(a)
A   | np.fft.fftn(a, axes=(0, 4))
x   | np.fft.fftfreq(a)
n   | np.fft.fftfreq(a - 5)
m   | np.fft.fftfreq(a)
"""


class Fourier(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)

    @unittest.skipIf(TARGET == "cuda", "cuFFT's sums are in another order")
    def test_bits(self):
        """The same library as NumPy's, so the same bits: every small length, and primes for Bluestein's algorithm. (Where nothing is scaled, NumPy computes
        single precision in double precision.)"""
        def transforms(a):
            return np.fft.fft(a, norm="ortho"), np.fft.rfft(a.real, norm="forward"), np.fft.irfft(a), np.fft.ifft(a)

        compiled = jit(transforms)
        rng = np.random.default_rng(1)
        for n in [*range(2, 40), 97, 1009, 4096, 10007]:
            for dtype in ("c16", "c8"):
                a = (rng.standard_normal((3, n)) + 1j * rng.standard_normal((3, n))).astype(dtype)
                for expected, got in zip(transforms(a), compiled(a)):
                    np.testing.assert_array_equal(got, expected)

    def test_output_of_another_kind(self):
        with self.assertRaisesRegex(TypeError, r"Cannot cast ufunc 'fft' output from dtype\('complex128'\) to dtype\('float64'\)"):
            jit(lambda a, out: np.fft.fft(a, out=out))(np.ones(4), np.ones(4))

    def test_many_lines(self):
        """Enough for all threads, along each axis."""
        rng = np.random.default_rng(2)
        a = rng.standard_normal((60, 50, 40))
        for axis in range(3):
            self.compare(lambda a: (np.fft.fft(a, axis=axis), np.fft.irfft(np.fft.rfft(a, axis=axis), a.shape[axis], axis)), [a])


if __name__ == "__main__":
    unittest.main()
