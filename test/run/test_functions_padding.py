"""numpy.pad in all modes, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
E   | np.pad(a, ((0, 0), (1, 2)), mode='linear_ramp'), np.pad(a, ((0, 0), (1, 2)), mode='edge'), np.pad(np.zeros((2, 0, 2)), ((3,), (0,), (1,)), mode='linear_ramp')
A   | np.pad(a, 2, 'linear_ramp', end_values=((1, 2), (3, 4)))
A   | np.pad(a, ((1, 2), (0, 1)), 'reflect', reflect_type='odd'), np.pad(a, 9, 'symmetric', reflect_type='odd'), np.pad(a, 13, 'reflect', reflect_type='odd'), np.pad(a, 2, 'reflect', reflect_type='even')
I   | np.pad(a, 3, 'reflect', reflect_type='odd'), np.pad(a[:1], 3, 'reflect', reflect_type='odd'), np.pad(a, 7, 'symmetric', reflect_type='odd')
A   | np.pad(a, 1, 'median'), np.pad(a, 1, 'empty')[1:-1, 1:-1], np.pad(a, {0: 1}), np.pad(a, {-1: (1, 2), 0: 3}, 'edge'), np.pad(a, 1, 'linear_ramp', end_values=3)
A   | np.pad(a, 1, 'reflect', reflect_type='x')
V W | np.meshgrid(a, b, copy=False), np.meshgrid(a, b, sparse=True, copy=False), np.meshgrid(a, b, indexing='ij')
"""


class Padding(Rows):
    def test_results(self):
        self.results(ROWS)


if __name__ == "__main__":
    unittest.main()
