"""What makes arrays, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
n     | np.linspace(0, 1, a)
V     | np.linspace(a[0], 3, 7, endpoint=False)
V     | np.linspace(0, 10, 5, dtype=np.int64)
V     | np.linspace(0, a[1], 5, retstep=True)
V     | np.logspace(0, 2, 5)
V     | np.geomspace(1, 1000, 4)
V W   | np.meshgrid(a, b)
V W   | np.meshgrid(a, b, indexing='ij', sparse=True)
n     | np.indices((a, 3))
n     | np.fromfunction(lambda i, j: i * 10 + j, (a, 3))
n     | np.tri(a, k=1)
V     | np.vander(a, 3)
S     | np.tril(a, -1)
S     | np.triu(a)
V     | np.diag(a)
V     | np.diag(a, -2)
S     | np.diag(a)
n     | np.zeros((a, 3)), np.ones(a, dtype=np.int32), np.full((a,), 7), np.zeros(a, dtype=bool)
A     | np.zeros_like(a), np.ones_like(a, dtype=int), np.full_like(a, 3)
n     | np.arange(a), np.arange(1, a, 2), np.arange(0.0, 1.0, 0.1), np.arange(a, 0, -1), np.arange(5, dtype=np.float32)
n     | np.eye(a), np.identity(a), np.eye(a, 4, k=1, dtype=np.int64)
V     | np.array([1, 2, 3]), np.array([[a[0], 2.0], [3, a[1]]])
n     | np.float32(a), np.int64(3.7), np.float64(1) / 3
n     | np.eye(a), np.eye(a, 3), np.eye(3, a, -1), np.eye(a, k=2, dtype=bool), np.eye(N=2, M=a)
n     | np.identity(a), np.identity(a, dtype=np.int32)
*     | np.zeros_like(a), np.ones_like(a), np.full_like(a, 1)
A     | np.zeros_like(a, dtype='i2', shape=(2, 3)), np.ones_like(a, shape=5), np.full_like(a, 2, dtype=int, shape=(2, 2))
*     | np.zeros_like(np.empty_like(a)), np.zeros_like(np.empty_like(a, dtype='f4'))
n     | np.zeros_like(np.empty((a, 2))), np.zeros_like(np.empty(a, dtype=np.int16))
n     | np.full((a, 2), 3.5, dtype='f4'), np.full(a, True), np.full((), 2), np.ones((a, 0)), np.zeros(())
n     | np.arange(a, dtype='f8'), np.arange(1.0, 2.0, 0.3), np.arange(a, -a, -2), np.arange(3, 3)
n     | np.arange(start=1, stop=a, step=2)
*     | np.array(a)
A     | np.array(a, dtype='f4'), np.array(a, ndmin=3), np.array(a, copy=True)
n     | np.tri(a), np.tri(a, 3, -1, dtype=int)
n     | np.zeros(np.array([a, 2])), np.ones(np.array([a])), np.full(np.array(a), 1)
n     | np.indices((a, 2)), np.indices((2, a), dtype='f4')
V     | np.vander(a), np.vander(a, 4, increasing=True)
*     | np.diagflat(a)
V     | np.diag(a, k=1), np.diagflat(a, -1), np.diagflat(a, k=2)
A     | np.tril(a, k=1), np.triu(a, k=-1)
n     | np.zeros((a, 3), order='C'), np.ones(shape=(2, a), dtype='c8')
n     | np.linspace(1, 2, num=a, endpoint=True, dtype='f4'), np.logspace(0, 1, a, base=2.0)
A     | np.zeros_like(a, order='C', subok=False), np.ones_like(a, order='K', subok=True), np.full_like(a, 2, order='C', subok=False)
A     | np.zeros_like(np.empty_like(a, order='C', subok=False, shape=(2, 2)))
n     | np.ones((a, 2), order='C'), np.full((a, 2), 1, order='C'), np.zeros_like(np.empty((a, 2), order='C'))
n     | np.fromfunction(lambda i, j: i ^ j, (2, 2), dtype=bool), np.fromfunction(lambda i, j: i * j, (a, 3), dtype=complex)
n     | np.fromfunction(lambda i, j: i + j, (a, 2), dtype=int), np.fromfunction(lambda i, j, s: i * s + j, (a, 2), s=3)
n     | np.geomspace(1, 16, num=a, endpoint=False, dtype='f4'), np.logspace(0, 1, 4, endpoint=False, dtype='f4')
V W   | np.linspace(a, b, 3, axis=-1), np.linspace(a, b, 3), np.logspace(a, b, 3, axis=1)
G     | np.fill_diagonal(a, 1.0, wrap=False); return a
"""

ERRORS = r"""
n   | np.linspace(0, 1, a - 6)
n   | np.zeros(a - 6)
n   | np.eye(a - 6)
n   | np.identity(a - 6)
n   | np.ones((a, a - 6))
T   | np.diag(a)
n   | np.zeros(2.5), a
n   | np.zeros(True), a
n   | np.zeros((a, True))
n   | np.zeros(a > 0), a
n   | np.zeros(a < 0), a
n   | np.zeros((a, a > 0))
n   | np.ones(None), a
n   | np.empty('a'), a
n   | np.empty((a, None))
n   | np.zeros(1j), a
n   | np.full((2, 2.5), a)
n   | np.arange(a).reshape(True, a)
"""


class Creation(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
