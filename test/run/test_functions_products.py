"""Products, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
V W   | np.outer(a, b)
A K   | np.kron(a, b)
A B   | np.tensordot(a, b, axes=((0, 1), (0, 1)))
A B   | np.tensordot(a, b.T, axes=1)
A B   | np.vecdot(a, b)
A     | np.linalg.norm(a)
A     | np.linalg.norm(a, axis=1)
A     | np.linalg.norm(a, np.inf)
V     | np.linalg.norm(a, 3)
A     | np.linalg.norm(a, 1, axis=0)
M Q   | np.cross(a, b)
S     | np.linalg.matrix_power(a, 3)
V W   | np.convolve(a, b)
V W   | np.convolve(np.where(a > 0.5, np.inf, a), b, 'same'), np.convolve(np.where(a > 0.5, np.nan, a), b)
I I   | np.convolve(a[0] > 2, b[0] > 1), np.convolve(a[0], b[0], 'same')
X V   | np.convolve(a, b, 'same')
X W   | np.convolve(a, b, mode='valid')
A B   | a @ b.T
A V5  | a @ b
V4 A  | a @ b
V V   | np.dot(a, a), np.vdot(a, a), np.inner(a, a)
I I   | np.dot(a.T, b)
F A   | np.dot(a, b.T)
T T   | np.matmul(a, b)
S     | np.trace(a), a.trace()
A B   | np.einsum('ij,ij->', a, b)
A B   | np.einsum('ij,kj->ik', a, b)
S     | np.einsum('ii', a)
S     | np.einsum('ii->i', a)
T T   | np.einsum('bij,bjk->bik', a, b)
V V   | np.einsum('i,j', a, b)
A     | np.einsum('ij->j', a)
A B   | np.einsum('...j,kj->...k', a, b), np.einsum(a, [0, 1], b, [2, 1], [0, 2]), np.einsum('ij,ij->i', a, b, optimize=True), np.einsum('...', a)
T R   | np.einsum('ijk,kl->jil', a, b)
I I   | np.einsum('ij,ij->i', a, b)
X Y   | np.correlate(a, b)
Y X   | np.correlate(a, b, 'full')
A B   | np.dot(a, b.T), np.matmul(a, b.T), np.inner(a, b)
V W   | np.inner(a, b), np.dot(a, b), np.vdot(a, b), np.matmul(a, b)
C C   | np.vdot(a, b), np.inner(a, b), np.dot(a, b.T), np.matmul(a.T, b)
D C   | np.vdot(a, b), np.dot(a.T, b)
I J   | np.inner(a, b), np.dot(a, b.T), np.vdot(a, b)
P P   | np.matmul(a, b.T), np.dot(a, b.T), np.inner(a, b)
U U   | np.matmul(a, b.T), np.dot(a.T, b), np.vdot(a, b)
H H   | np.matmul(a, b.T)
F F   | np.matmul(a, b.T), np.inner(a, b), np.vdot(a, b)
T R   | np.matmul(a, b), np.matmul(b, a)
T V   | np.matmul(a, b[:3]), np.matmul(b[:3], a)
O A   | np.dot(a, b), np.inner(b, a)
O O   | np.dot(a, b), np.inner(a, b), np.vdot(a, b)
y V   | np.dot(a, b), np.dot(b, 2)
E E   | np.dot(a.T, b), np.matmul(a, b.T), np.inner(a, b), np.vdot(a, b), np.trace(a)
A G   | np.matmul(a, b, out=np.empty((4, 3))), np.dot(a, b, out=np.zeros((4, 3)))
S     | np.trace(a), np.trace(a, 1), np.trace(a, offset=-1), np.trace(a[:, :2]), a.trace()
J     | np.trace(a)
P     | np.trace(a)
C     | np.trace(a, 2)
A B   | np.matmul(a[::2, ::-1], b[:2].T), np.dot(a.T, b[::-1])
V W   | np.outer(a, b, out=np.empty((6, 6))), np.outer(b[::2], a[::-1])
M Q   | np.cross(a, b, axisa=1, axisb=-1, axisc=0), np.cross(a.T, b.T, axis=0)
A B   | np.vecdot(a, b, axis=0)
A B   | np.vecdot(a, b, axis=0, keepdims=True), np.vecdot(a, b, axes=[0, 0]), np.vecdot(a, b, axes=[-1, 1, ()]), np.vecdot(a, b, dtype=np.float32)
A B   | np.matmul(a, b, axes=[(0, 1), (1, 0), (1, 0)]), np.matmul(a, b.T, dtype=np.float32), np.matmul(a, b.T, dtype=np.complex128, order='F')
F F   | np.matmul(a, b.T, dtype=np.float64), np.matmul(a, b.T, casting='no'), np.matmul(a, b.T, out=np.zeros((4, 4), np.int64), casting='unsafe')
T T   | np.matmul(a, b, axes=[(1, 0), (0, 1), (2, 0)]), np.matmul(a, b[0, 0], axes=[(0, 1), 0, 0]), np.matmul(b[0, 0], a, axes=[(0,), (0, 2), -2])
A V5  | np.matvec(a, b, dtype=np.float32), np.matvec(a.T, b, axes=[(1, 0), 0, 0]), np.matvec(a, b, out=np.zeros(4))
V4 A  | np.vecmat(a, b, axes=[0, (0, 1), 0]), np.vecmat(a, b, subok=False)
I J   | np.matmul(a, b.T, dtype=np.float64), np.vecdot(a, b, dtype=np.float32)
A A   | np.add(a, b, order='F'), np.divmod(a, 2, dtype=np.float32)
"""

ERRORS = r"""
A B | a @ b
V W | np.dot(a, b[:4])
A B | np.dot(a, b)
A V | np.dot(a, b)
V W | np.inner(a, b[:4])
A B | np.matmul(a, b)
O A | np.matmul(a, b)
V   | np.trace(a)
A B | np.inner(a, b[:, :3])
V W | np.vdot(a, b[:4])
A B | np.matmul(a, b.T, axis=0)
A B | np.matmul(a, b.T, keepdims=True)
A B | np.matmul(a, b.T, axes=[(0, 1), (0, 1)])
A B | np.matmul(a, b.T, axes=3)
A B | np.matmul(a, b.T, axes=[(0, 1), (0, 5), (0, 1)])
A B | np.matmul(a, b.T, axes=[(0, 1), (0,), (0, 1)])
A B | np.matmul(a, b.T, axes=[(0, 0), (0, 1), (0, 1)])
A B | np.matmul(a, b.T, where=True)
A B | np.matmul(a, b.T, casting='bad')
A B | np.matmul(a, b.T, order='Q')
A B | np.matmul(a, b.T, subok=3)
A B | np.vecdot(a, b, axis=0, axes=[0, 0])
A B | np.vecdot(a, b, axis=None)
A V | np.matvec(a, b, keepdims=True)
A B | np.matmul(a, b.T, out=np.zeros((4, 5)))
A B | np.matmul(a, b.T, out=np.zeros((3, 4)))
"""


class Products(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
