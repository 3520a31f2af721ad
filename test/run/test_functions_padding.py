"""numpy.pad in all modes, compiled, against NumPy."""
import unittest

import numpy as np

from rows import A, Rows

ROWS = r"""
E   | np.pad(a, ((0, 0), (1, 2)), mode='linear_ramp'), np.pad(a, ((0, 0), (1, 2)), mode='edge'), np.pad(np.zeros((2, 0, 2)), ((3,), (0,), (1,)), mode='linear_ramp')
A   | np.pad(a, 2, 'linear_ramp', end_values=((1, 2), (3, 4)))
A   | np.pad(a, ((1, 2), (0, 1)), 'reflect', reflect_type='odd'), np.pad(a, 9, 'symmetric', reflect_type='odd'), np.pad(a, 13, 'reflect', reflect_type='odd'), np.pad(a, 2, 'reflect', reflect_type='even')
A   | b = a.copy(); b[1, 4] = np.inf; b[3, 0] = np.nan; return np.pad(b, ((3, 2), (1, 4)), 'reflect', reflect_type='odd')
A   | b = a.copy(); b[1, 4] = np.inf; b[3, 0] = np.nan; return np.pad(b, 3, 'symmetric', reflect_type='odd')
U   | np.pad(a, 3, 'symmetric', reflect_type='odd'), np.pad(a > 90, 3, 'reflect', reflect_type='odd')
I   | np.pad(a, 3, 'reflect', reflect_type='odd'), np.pad(a[:1], 3, 'reflect', reflect_type='odd'), np.pad(a, 7, 'symmetric', reflect_type='odd')
A   | np.pad(a, 1, 'median'), np.pad(a, 1, 'empty')[1:-1, 1:-1], np.pad(a, {0: 1}), np.pad(a, {-1: (1, 2), 0: 3}, 'edge'), np.pad(a, 1, 'linear_ramp', end_values=3)
A   | np.pad(a, 1, 'reflect', reflect_type='x')
V W | np.meshgrid(a, b, copy=False), np.meshgrid(a, b, sparse=True, copy=False), np.meshgrid(a, b, indexing='ij')
E   | np.pad(a, 0, 'minimum'), np.pad(a, ((2, 1), (0, 1)), 'constant'), np.pad(a.T, ((1, 2), (0, 0)), 'maximum'), np.pad(a > 0, 0, 'maximum'), np.pad(a.astype('i1'), 0, 'minimum')
"""


def fill(vector, width, axis, keywords):
    vector[:width[0]] = keywords.get("value", 10) + axis
    if width[1] > 0:
        vector[-width[1]:] = vector[width[0]] * 2


def filled(a):
    return np.pad(a, 2, fill), np.pad(a, ((1, 0), (0, 3)), mode=fill, value=-1.5), np.pad(a[0], (1, 2), fill)


class Padding(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_functions_that_fill(self):
        for a in (A, A.T, A[::-2, 1:], (A * 9).astype("i4")):
            self.compare(filled, [a])


if __name__ == "__main__":
    unittest.main()
