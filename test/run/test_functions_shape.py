"""What moves elements or renames axes, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
C     | np.real(a) + np.imag(a)
A     | np.roll(a, 2)
A     | np.roll(a, -1, axis=1)
A     | np.roll(a, (1, 2), axis=(0, 1))
A     | np.tile(a, (2, 3))
V     | np.tile(a, 2)
A     | np.repeat(a, 3, axis=0)
A     | np.repeat(a, 2)
A     | np.rot90(a)
A     | np.rot90(a, 3)
A     | np.diagonal(a)
A     | np.diagonal(a, 1)
*     | np.diagonal(a), np.diagonal(a, -1)
T     | np.diagonal(a, 1, 0, 2), np.diagonal(a, -1, 2, 0)
A     | np.matrix_transpose(a)
A     | np.fliplr(a) + np.flip(a, 1)
A     | np.flipud(a)
A     | a.reshape(5, 4), a.reshape(-1), np.reshape(a, (2, -1)), a.ravel(), a.flatten()
T     | a.transpose(2, 0, 1), np.swapaxes(a, 0, 2), np.moveaxis(a, 0, -1), a.T
V     | np.expand_dims(a, 0), np.atleast_2d(a), np.squeeze(a.reshape(1, 6), axis=0)
V     | np.broadcast_to(a, (3, 6))
A     | np.ones(np.broadcast_shapes(a.shape, 5)), np.ones(np.broadcast_shapes((2, 1), 3, (1,))), np.ones(np.broadcast_shapes())
A     | np.ones(np.broadcast_shapes((0,), 1))
A     | a.astype(np.float32), a.astype('i4'), a.astype(int)
A     | a.shape[0] * a.ndim + a.size + a.nbytes + a.itemsize
C     | a.real, a.imag, np.conj(a), np.abs(a)
A     | a.item(0), a[1, 2].item()
V     | np.repeat(a, 2, axis=0)
*     | np.reshape(a, -1), np.ravel(a)
*     | a.flatten()
*     | np.transpose(a), np.permute_dims(a), a.T
T     | np.transpose(a, (1, 2, 0)), np.permute_dims(a, (2, 1, 0)), np.moveaxis(a, [0, 1], [-1, 0])
T     | np.rollaxis(a, 2), np.rollaxis(a, 0, 2)
T     | np.swapaxes(a, axis1=0, axis2=-1), np.moveaxis(a, source=0, destination=1)
A V5  | np.broadcast(a, b).shape, np.broadcast(a, b[:, None, None]).size, np.broadcast(a, 2).ndim, np.broadcast(a).nd, np.broadcast(a, b, 3).numiter
A V5  | np.broadcast().shape
A V5  | [x + y for x, y in np.broadcast(a[:, :1], b)], next(np.broadcast(a, b)), np.zeros(np.broadcast(a[:, None], a).shape)
A V5  | isinstance(np.broadcast(a), np.broadcast)
*     | np.atleast_1d(a)
*     | np.atleast_2d(a)
*     | np.atleast_3d(a)
V A   | np.atleast_2d(a, b)
*     | np.expand_dims(a, 0), np.expand_dims(a, axis=-1), np.expand_dims(a, (0, 1))
*     | np.squeeze(np.expand_dims(a, 0)), np.squeeze(np.expand_dims(a, -1), axis=-1)
*     | np.flip(a)
*     | np.flipud(a)
*     | np.fliplr(a)
T     | np.flip(a, axis=(0, 2)), np.flip(a, 1), np.rot90(a, k=2, axes=(1, 2))
*     | np.copy(a), a.copy()
*     | np.ndim(a), np.size(a)
*     | np.shape(a)
A     | np.size(a, 1), np.size(a, axis=0)
*     | np.iscomplexobj(a), np.isrealobj(a), np.isscalar(a)
*     | np.asarray(a), np.asanyarray(a)
A     | np.asarray(a, dtype=np.float32), np.asanyarray(a, dtype='f4'), np.ascontiguousarray(a, dtype=int)
A F   | np.zeros(2, dtype=np.result_type(a, b)), np.zeros(2, np.result_type(b, np.int64))
A     | a.view(), a.view(np.float64)
V     | a.fill(3); return a
A     | np.asfortranarray(a), np.asfortranarray(a.T), np.asfortranarray(a[::-1]), np.asfortranarray(a, dtype='f4'), np.ravel(a, order='F'), a.flatten('F')
A     | np.reshape(a, (2, 10), order='F')
*     | np.ravel(a, 'F'), a.flatten('F'), np.reshape(a, -1, order='F'), a.reshape((1, -1), order='F'), a.copy('F')
A     | a[1:].fill(a[0, 0]); return a
V     | a.item(2), a.item(-1)
O     | a.item()
*     | np.repeat(a, 2)
*     | np.tile(a, 2)
*     | np.roll(a, 1)
A     | np.reshape(a, (2, 10)), np.reshape(a, shape=(5, -1)), np.reshape(a, 20, order='C'), a.reshape((10, 2))
K     | np.broadcast_to(a, shape=(4, 2, 3))
A     | np.ravel(a, order='C'), a.flatten(order='C'), a.copy(order='C'), a.reshape(20, order='C')
A     | a.astype('f4', order='K', casting='unsafe', subok=True, copy=True), a.astype(np.float64, copy=False)
T     | np.diagonal(a, 0, 0, 2), np.diagonal(a, offset=1, axis1=1, axis2=2)
V     | a.tolist()
I     | a.tolist()
O     | a.tolist()
E     | a.tolist()
"""

ERRORS = r"""
A     | np.broadcast_shapes(a.shape, (3,))
V     | np.broadcast_shapes((1, 4), 4, (2, 1), a.shape)
A     | np.broadcast(a, a[0], a[0, :2])
T     | np.rollaxis(a, 0, 7)
T     | np.rollaxis(a, 0, -7)
V     | np.broadcast_shapes(a.shape, (-1,))
A   | a.reshape(7, 2)
n V | np.repeat(b, a - 6)
A   | np.squeeze(a, axis=0)
A   | np.reshape(a, (3, 7))
T   | np.squeeze(a)[0].reshape(4)
V   | np.transpose(a, (0, 1))
V   | np.swapaxes(a, 0, 1)
V   | np.expand_dims(a, 3)
V   | np.moveaxis(a, 0, 1)
K   | np.broadcast_to(a, (3, 3))
V   | a.item(6)
V   | a.item()
"""


class Shape(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
