"""Windows of spectral analysis, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
n   | np.bartlett(7), np.blackman(7), np.hamming(7), np.hanning(7)
n   | np.bartlett(a), np.blackman(a + 1), np.hamming(a), np.hanning(a)
m   | np.bartlett(a), np.blackman(a + 1), np.hamming(a), np.hanning(a)
t   | np.bartlett(a), np.blackman(a), np.hamming(a), np.hanning(a)
n   | np.kaiser(7, 5.0), np.kaiser(8, 14)
n x | np.kaiser(a, b)
t x | np.kaiser(a, b)
V   | np.i0(a), np.i0(a * 20)
*   | np.i0(a)
x n | np.i0(a), np.i0(b)
"""


class Windows(Rows):
    def test_results(self):
        self.results(ROWS)


if __name__ == "__main__":
    unittest.main()
