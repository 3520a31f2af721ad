"""reduce, accumulate, reduceat, outer and at, compiled, against NumPy."""
import unittest

import numpy as np

from harness import jit
from rows import A, Rows

ROWS = r"""
A     | np.power.outer([1, 2], [1, 2, 3]), np.add.reduce([1, 2, 3]), np.zeros(np.add.reduce([1, 2]))
P     | np.logical_and.reduce(a, dtype=bool), np.logical_xor.reduce(a, axis=1, dtype=bool)
V     | np.add.reduceat(a, []), np.add.reduceat(a, [0.5, 2.5])
A V Z | np.add.reduceat(a, [0, 2], axis=0), np.add.reduceat(b, [0, 3, 1, 5]), np.maximum.reduceat(a, [0, 3], axis=1), np.multiply.reduceat(c, [0, 4]), np.add.reduceat(c, c % 6, dtype=float), np.logical_or.reduceat(c, [0, 2])
A     | np.hypot.reduce(a), np.hypot.accumulate(a), np.hypot.outer(a, a[0]), np.logaddexp.reduce(a, axis=1), np.logaddexp.reduce(a, axis=(0, 1)), np.fmax.reduce(a), np.fmin.reduce(a, axis=1, keepdims=True), np.subtract.reduce(a, 1), np.divide.reduce(a, 0), np.power.reduce(a, axis=0)
N     | np.fmax.reduce(a, axis=None), np.fmin.accumulate(a, axis=1), np.fmax.reduce(a, 1, initial=0.5), np.fmax.reduce(a, axis=0, out=np.zeros(5)), np.maximum.reduce(a), np.fmax.accumulate(a)
I     | np.gcd.reduce(a, axis=1), np.lcm.reduce(a), np.subtract.accumulate(a), np.bitwise_xor.reduce(a, axis=1, keepdims=True), np.gcd.reduce(a, axis=None), np.logical_xor.reduce(a > 3), np.subtract.reduce(a, initial=100), np.bitwise_or.reduce(a, axis=(0, 1)), np.floor_divide.reduce(a + 1)
E     | np.gcd.reduce(a.astype(int)), np.hypot.reduce(a), np.logaddexp.reduce(a), np.subtract.reduce(a, axis=1)
C     | np.maximum.accumulate(a), np.maximum.reduce(a), np.subtract.reduce(a), np.add.outer(a[0], a[1]), np.add.reduce(a, 1, keepdims=True)
F     | np.maximum.reduce(a, dtype=float), np.maximum.accumulate(a, axis=1, out=np.zeros((4, 5), 'f4')), np.minimum.accumulate(a, axis=1), np.add.reduce(a, 0, float), np.add.accumulate(a, 1, float), np.multiply.accumulate(a, axis=0, dtype=float)
V W   | np.subtract.outer(a, b), np.arctan2.outer(a, b), np.maximum.outer(a, 2), np.less.outer(a, b), np.multiply.outer(a, b, dtype=np.float32), np.add.outer(a, b, out=np.zeros((6, 6)))
V Z   | np.divide.at(a, b % 6, 2.0); return a
V Z W | np.hypot.at(a, b % 6, c); np.negative.at(a, [0, 2]); np.add.at(a, a > 0.5, 1.0); np.fmax.at(a, [1, 1], [3, 2]); return a
n     | np.vander([1, 2, 3], 3), np.power.outer([1, 2], [1, 2, 3])
P     | np.equal.reduce(a), np.less.accumulate(a, axis=1), np.not_equal.reduce(a, axis=1)
A     | np.equal.reduce(a, dtype=bool), np.hypot.reduce(a, dtype='f4'), np.subtract.reduce(a, initial=None), np.gcd.reduce((a * 9).astype(int), dtype='i4')
T     | np.gcd.reduce(np.zeros((0, 3, 0), int), axis=(0, 1)), np.hypot.reduce(a[:0], axis=(1, 0)), np.fmax.reduce(a[:, :0], axis=0)
C     | np.fmax.reduce(a), np.fmin.reduce(a, axis=1, initial=0.5), np.fmax.accumulate(a), np.fmin.outer(a[0], a[1])
I P   | np.left_shift.reduce(a % 3, where=b, initial=1), np.subtract.reduce(a, axis=1, where=b, initial=100)
I P   | np.power.reduce(a, 0, where=b[0], initial=2, keepdims=True), np.hypot.reduce(a, where=b, initial=3), np.bitwise_xor.reduce(a, where=b)
C     | np.bitwise_or.accumulate(a, dtype='i4'), np.bitwise_or.reduce(a, dtype='i4')
"""

ERRORS = r"""
P   | np.logical_and.reduce(a, dtype=float)
A   | np.hypot.reduce(a, dtype='i4', where=a > 0.5)
A   | np.bitwise_and.accumulate(a, axis=1)
I   | np.bitwise_xor.accumulate(a, dtype=np.float64)
A   | np.left_shift.reduce(a, dtype='f4')
A   | np.bitwise_or.reduce(a)
V   | np.add.reduceat(a, [0, 6])
V   | np.add.reduceat(a, [[0, 1], [2, 3]])
V   | np.divmod.reduceat(a, [0, 1])
V   | np.divmod.at(a, [0, 1], 2)
V   | np.modf.at(a, [0, 1])
E   | np.lcm.reduce(a.astype(int))
E   | np.fmax.reduce(a)
A   | np.subtract.reduce(a, axis=(0, 1))
A   | np.sin.reduce(a)
A   | np.gcd.reduce(a)
A   | np.gcd.accumulate(a, dtype=float)
F   | np.gcd.reduce(a, dtype='f8')
F   | np.fmax.reduce(a[:0], axis=(0, 1))
P   | np.minimum.reduce(a, where=a)
C   | np.left_shift.at(a[:, :0], 0, np.zeros(0))
A C | np.mod.at(a, slice(1, None), b[0, :2])
V   | np.add.at(a, [0])
"""


class UfuncMethods(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)

    def test_comparisons_combine_bools(self):
        for function in (lambda a: np.equal.reduce(a), lambda a: np.less.accumulate(a), lambda a: np.equal.reduceat(a, [0])):
            # NumPy has other words where it has refused the types before.
            words = "^No loop matching the specified signature and casting was found for ufunc|did not contain a loop with signature"
            for called in (function, jit(function)):
                with self.assertRaisesRegex(TypeError, words):
                    called(A)


if __name__ == "__main__":
    unittest.main()
