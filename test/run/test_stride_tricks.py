"""Windows and other views in which an element has several places, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
V n   | np.lib.stride_tricks.sliding_window_view(a, 3), np.lib.stride_tricks.sliding_window_view(a, b), np.lib.stride_tricks.sliding_window_view(a * 2, (2,)).sum(-1)
A     | np.lib.stride_tricks.sliding_window_view(a, (2, 2)), np.lib.stride_tricks.sliding_window_view(a, 3, axis=1), np.lib.stride_tricks.sliding_window_view(a, (2, 3), axis=(1, 0)), np.lib.stride_tricks.sliding_window_view(a, (2, 3), (1, -1))
A     | np.lib.stride_tricks.sliding_window_view(a, (2, 2)).mean((-1, -2)), np.lib.stride_tricks.sliding_window_view(a[::-1, ::2], (2, 2)).max(axis=(2, 3)), np.lib.stride_tricks.sliding_window_view(a.T, 2, 0)[1]
V Y   | np.lib.stride_tricks.sliding_window_view(a, 3) @ b, np.dot(np.lib.stride_tricks.sliding_window_view(a, 3), b), np.lib.stride_tricks.sliding_window_view(a, 3) @ np.lib.stride_tricks.sliding_window_view(a, 4)
V     | w = np.lib.stride_tricks.sliding_window_view(a, 3); a[2] = 7.0; return w, w[::2], w.copy(), w[1], w.T, w.reshape(-1)
V     | np.lib.stride_tricks.as_strided(a, (3, 2), (8, 16)), np.lib.stride_tricks.as_strided(a, shape=(2, 2), strides=(0, 8)), np.lib.stride_tricks.as_strided(a), np.lib.stride_tricks.as_strided(a[1:], (2, 3), (8, 8)), np.lib.stride_tricks.as_strided(a[::-1], (3,), (-16,))
A     | np.lib.stride_tricks.as_strided(a, (3, 4, 2, 2), a.strides + a.strides), np.lib.stride_tricks.as_strided(a[1:, 1:], (2, 2), a.strides).sum(), np.lib.stride_tricks.as_strided(a, (4,), (a.strides[0] + a.strides[1],))
V     | s = a.strides[0]; w = np.lib.stride_tricks.as_strided(a, (4, 3), (s, s)); a[0] = 9; return w @ np.ones(3), w * 2, w
V     | w = np.lib.stride_tricks.as_strided(a, (4, 3), (8, 8)); w[...] = np.arange(12.0).reshape(4, 3); w += 1; w[0, 0] = 9; return a, w
V     | w = np.lib.stride_tricks.sliding_window_view(a, 3, writeable=True); w[...] = 1; w *= np.arange(3.0); w[1] = 2 - w[2]; return a, w
A V   | w = np.broadcast_arrays(b, a[:, :1] * np.zeros(6))[0]; w += 1; w[...] = np.arange(24.0).reshape(4, 6); return b, w
I F   | np.lib.stride_tricks.as_strided(b, (3, 3), (4, 4)), np.lib.stride_tricks.as_strided(a, (2, 2), (8, 8))
A I F | a.strides, b.T.strides, c[::2, ::-1].strides, a[0].strides, a[..., None].strides, a.itemsize, c.nbytes
"""

ERRORS = r"""
V   | w = np.lib.stride_tricks.sliding_window_view(a, 3); w[0, 0] = 1; return a
V   | np.lib.stride_tricks.sliding_window_view(a, 7)
V   | np.lib.stride_tricks.sliding_window_view(a, -1)
A   | np.lib.stride_tricks.sliding_window_view(a, 2)
A   | np.lib.stride_tricks.sliding_window_view(a, (2, 3), axis=1)
V   | np.lib.stride_tricks.as_strided(a, (3, 2), (8,))
"""


class StrideTricks(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
