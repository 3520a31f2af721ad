"""Windows and other views in which an element has several places, compiled, against NumPy."""
import unittest

import numpy as np

from harness import jit
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

VIEWS_OF_BYTES = r"""
V     | a.view('i8'), a.view('u1'), a.view(np.float32) * 0, a[1:4].view(np.uint64), a[::2].view('i8'), (a * 2).view('i8'), a[0].view('u8'), np.float64(1.5).view('i8')
A F   | a.view('i4').shape, b.view('f8').shape if b.shape[1] % 2 == 0 else 0, a.T.view('i8'), b[:, 1:].view('u2'), b.view('i4')[1], a[:, 2:3].view('i4')
C     | a.view('f8'), a.view(float)[:, 1::2], a.real.view('i8'), a[1].view('f8').reshape(-1, 2).sum(0)
P U   | a.view('u1'), a.view('i1').sum(), b.view('i1'), b[:, :4].reshape(-1).view('u4')
E O   | a.view('i4'), a.view('i4').shape, b.view('i8'), b[()].view('u8')
V     | v = a.view('u8'); v[1:3] = 0; v ^= 1; w = a.view('u4'); w[::2] += 3; return a, v, w
V     | v = a.view('i8'); n = 0; return [int(v[k]) & 1 for k in range(3)]
V n   | np.frombuffer(a), np.frombuffer(a, 'i4'), np.frombuffer(a, dtype=np.uint8, count=b), np.frombuffer(a, 'i8', 2, 16), np.frombuffer(a, 'f4', -1, 40), np.frombuffer(a, count=0)
V     | f = np.frombuffer(a, np.int32, offset=8); f[0] = 5; return a, f
O     | np.frombuffer(a), np.frombuffer(a, 'u1').shape
A     | np.shares_memory(a, a[1:]), np.shares_memory(a[:2], a[2:]), np.may_share_memory(a, a.copy()), np.shares_memory(a[:2], a[1:]), np.may_share_memory(a[:, 0], a[:, 1]), np.may_share_memory(a[0], a[1]), np.may_share_memory(a, a + 1)
A     | np.shares_memory(a.T, a), np.may_share_memory(a[::-1], a[2]), np.may_share_memory(a, a[:0]), np.shares_memory(a[2:], a[:2]), np.may_share_memory(a, np.zeros(3)), np.shares_memory(np.zeros(2), np.zeros(2))
V W   | np.unstack(np.stack((a, b))), np.unstack(np.stack((a, b)), axis=0)[1], len(np.unstack(a[None]))
"""

ERRORS = r"""
A   | a.T.view('i4')
A   | a.view('c16')
O   | a.view('i4')
V   | a[::2].view('c16')
V   | np.float64(2).view('i4')
A   | np.frombuffer(a.T, 'i4')
V   | np.frombuffer(a, 'i8', -1, 4)
V   | np.frombuffer(a, 'i8', -1, 49)
V   | np.frombuffer(a, 'i8', 7)
V   | np.frombuffer(a, offset=-2)
O   | np.unstack(a)
V   | np.unstack(a[None], axis=2)
V   | w = np.lib.stride_tricks.sliding_window_view(a, 3); w[0, 0] = 1; return a
V   | np.lib.stride_tricks.sliding_window_view(a, 7)
V   | np.lib.stride_tricks.sliding_window_view(a, -1)
A   | np.lib.stride_tricks.sliding_window_view(a, 2)
A   | np.lib.stride_tricks.sliding_window_view(a, (2, 3), axis=1)
V   | np.lib.stride_tricks.as_strided(a, (3, 2), (8,))
"""


def of_strides(a):
    strided = np.lib.stride_tricks.as_strided
    s, t = a.strides
    pairs = strided(a, (2, 2), (s, t))
    return a.strides, strided(a), pairs, strided(a, (2,), (s + t,)).sum(), strided(a[1:], (2, 2), (-s, t)) * 2, strided(a, (3, 2), (0, t)), strided(a.T, strides=(t, s))


def changed(a):
    s, t = a.strides
    w = np.lib.stride_tricks.as_strided(a, (2, 2), (s, t))
    w[...] = 7
    w += np.arange(4).reshape(2, 2)
    return w


def windows_of_a_line(a, n):
    return np.lib.stride_tricks.as_strided(a, (a.shape[0] - n + 1, n), a.strides * 2)


class StrideTricks(Rows):
    def test_of_strided_arguments(self):
        whole = np.arange(60.0).reshape(6, 10)
        for make in (lambda w: w, lambda w: w[::-1, ::2], lambda w: w.T, lambda w: w[1:, 3:], lambda w: w[::2, ::-3], lambda w: np.asfortranarray(w)[2:, 1:]):
            compiled, storing = jit(of_strides), jit(changed)
            with self.subTest(strides=make(whole).strides):
                self.compare(of_strides, [make(whole.copy())], compiled)
                self.compare(changed, [make(whole.copy())], storing)
        for line in (np.arange(9.0), np.arange(18.0)[::2], np.arange(9)[::-1], np.arange(18.0).reshape(9, 2)[:, 1], np.arange(9, dtype="f4")[::-2]):
            with self.subTest(strides=line.strides):
                self.compare(windows_of_a_line, [line, 3], jit(windows_of_a_line))

    def test_of_views_that_paths_decide_on(self):
        def either(a, n):
            b = a[::2] if n > 0 else a[::-1]
            return np.lib.stride_tricks.as_strided(b, (2,), (b.strides[0] * 2,)), b.strides

        for n in (1, -1):
            self.compare(either, [np.arange(8.0), n], jit(either))

    def test_outside_of_the_memory(self):
        def beyond(a, n):
            return np.lib.stride_tricks.as_strided(a, (n,), (a.strides[0],))

        compiled = jit(beyond)
        for a in (np.arange(8.0), np.arange(8.0)[::2], np.arange(8.0)[::-1]):
            self.compare(beyond, [a, len(a)], compiled)
            with self.assertRaisesRegex(ValueError, "outside of the array's memory"):
                compiled(a, len(a) + 1)

    def test_results(self):
        self.results(ROWS)

    def test_views_of_bytes(self):
        self.results(VIEWS_OF_BYTES)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
