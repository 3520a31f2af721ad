"""What joins, splits, pads and cuts, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
A B   | np.concatenate((a, b), axis=1)
A I   | np.concatenate([a, b])
A B   | np.concatenate((a, b), axis=None)
A B   | np.stack((a, b), axis=1)
V W   | np.vstack((a, b))
V W   | np.row_stack((a, b)), np.row_stack([a, b], dtype='f4')
V W   | np.hstack((a, b, 1.0))
A B   | np.dstack((a, b))
V W   | np.column_stack((a, b))
V W   | np.append(a, b)
A     | np.pad(a, 1)
A     | np.pad(a, ((1, 2), (0, 3)), constant_values=7)
A     | np.pad(a, (1, 2), mode='edge')
A     | np.pad(a, 3, mode='reflect')
V     | np.pad(a, (2, 9), mode='symmetric')
V     | np.pad(a, 4, mode='wrap')
V     | np.delete(a, 2)
A     | np.delete(a, -1, axis=0)
V     | np.insert(a, 2, 9.0)
A     | np.insert(a, 1, 7, axis=1)
V     | np.split(a, 3)[1]
A     | np.array_split(a, 2, axis=1)[0]
V     | np.hsplit(a, [2, 4])[2]
A B   | np.concat((a, b)), np.concat([a, b], axis=1), np.concat((a, b), axis=None)
A I F | np.concat((a, b, c), axis=-1), np.concat((a, b), dtype='f4')
V     | np.concat((a,)), np.concat((a, a[:0], a[::-1]))
A B   | np.concat((a, b), out=np.empty((8, 5)))
A B   | np.append(a, b, axis=0), np.append(a, b, axis=1)
A     | np.vsplit(a, 2)[0], np.vsplit(a, [1, 3])[1], np.split(a, 2, axis=0)[1], np.array_split(a, 3, axis=1)[2]
A B   | np.hstack((a, b), dtype='f4'), np.vstack((a, b), dtype='f4'), np.stack((a, b), axis=0, dtype='f4')
A B   | np.stack((a, b), out=np.empty((2, 4, 5))), np.concatenate((a, b), axis=0, out=np.empty((8, 5)))
*     | np.concatenate((a, a), axis=None), np.append(a, a)
*     | np.stack((a, a), axis=-1)
"""

ERRORS = r"""
V Z   | np.concatenate((b[:3] > 2, a[:3]), out=b)
V Z   | np.concatenate((a[:3], b[:3] > 2), out=b)
A   | np.concatenate((a, a), axis=None, out=np.broadcast_to(0.0, (2 * a.size,)))
A   | np.concatenate((a + 1j, a), axis=None, out=np.broadcast_to(0.0, (2 * a.size,)))
A   | np.concatenate((a + 1j, a), out=np.broadcast_to(0.0, (2 * a.shape[0], a.shape[1])))
A   | np.concatenate((a, a), axis=None, out=np.zeros(3))
A   | np.concatenate((a, a), axis=None, out=np.zeros((2, a.size)))
A B | np.concatenate((a, b[:3]), axis=1)
A B | np.stack((a, b[:3]))
A   | np.split(a, 3)[0]
A B | np.concat((a, b[:3]), axis=1)
A V | np.concat((a, b))
"""


class Joining(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
