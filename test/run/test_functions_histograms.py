"""Histograms of one axis and of several, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
V W | np.histogramdd((a, b), np.array([2, 3])), np.histogramdd((a, b), bins=[2, 3])
J   | np.histogram(a, bins='rice'), np.histogram(a, 'stone'), np.histogram_bin_edges(a, 'sqrt'), np.histogram(a, 5)
A   | np.histogram(a), np.histogram(a, bins=4, range=(0.2, 0.8)), np.histogram(a, 3, density=True), np.histogram(a, bins=3, weights=a)
P   | np.histogram(a, 'sqrt'), np.histogram(a, bins='stone'), np.histogram_bin_edges(a, 'scott')
A I | np.histogram(a, 2, weights=b * (2**60 // 9) + 1)
V X | np.histogram(a * 5, bins=b), np.histogram(a * 5, b, weights=a)
I   | np.histogram(a, 3), np.histogram(a), np.histogram_bin_edges(a)
V   | np.histogram_bin_edges(a), np.histogram_bin_edges(a, 4), np.histogram_bin_edges(a, bins=[1, 2, 4]), np.histogram_bin_edges(a, range=(0, 2)), np.histogram_bin_edges(a, weights=a)
A   | np.histogram(a, 'auto'), np.histogram(a, 'sqrt'), np.histogram(a, 'sturges'), np.histogram(a, bins='rice')
A   | np.histogram(a, 'scott'), np.histogram(a, 'doane'), np.histogram(a, 'fd'), np.histogram(a, bins='stone')
I   | np.histogram_bin_edges(a, 'auto'), np.histogram_bin_edges(a, 'scott'), np.histogram_bin_edges(a, 'fd', (0, 5)), np.histogram(a, 'doane')
F   | np.histogram_bin_edges(a, 'auto'), np.histogram(a, 'fd'), np.histogram_bin_edges(a)
V W | np.histogram2d(a, b)
V W | np.histogram2d(a, b, bins=4), np.histogram2d(a, b, bins=(3, 5)), np.histogram2d(a, b, [0.0, 0.5, 1.0]), np.histogram2d(a, b, bins=[3, [0.0, 0.5, 1.0]])
V W | np.histogram2d(a, b, 3, [[0, 1], [0, 2]]), np.histogram2d(a, b, 3, density=True), np.histogram2d(a, b, 3, weights=a), np.histogram2d(a, b, 3, range=[[0.2, 1], [0.1, 0.5]])
V Z | np.histogram2d(a, b)
K   | np.histogramdd(a, bins=(3, 2, 4)), np.histogramdd(a, bins=(3, 2, 4), density=True)
V W | np.histogramdd((a, b)), np.histogramdd([a, b, a], 2), np.histogramdd((a, b), (2, 3), weights=a), np.histogramdd(a, 3)
K   | np.histogramdd(a, 3, range=((0, 1), (0, 1), (0, 2)))
K   | np.histogramdd(a, 3)
K   | np.histogramdd(a)[0].sum(), np.histogramdd(a[:, :2], 4, density=True), np.histogramdd(a[:, 1:2], 2, weights=a[:, 0])
K   | np.histogramdd(a, 3, range=((0, 1), (0, 1), (0, 2))), np.histogramdd(a, bins=(3, 2, 4), density=True)
"""

ERRORS = r"""
V W | np.histogramdd((a, b), a)
V   | np.histogram(a, 'x')
V   | np.histogram(a, 0)
V   | np.histogram(a, 2.5)
V   | np.histogram(a, [3, 1])
V   | np.histogram(a, range=(3, 1))
N   | np.histogram(a)
V   | np.histogram(a, range=(0, np.inf))
V   | np.histogram(a, 'auto', weights=a)
V   | np.histogram(a, [[3, 1]])
V Y | np.histogram2d(a, b)
K   | np.histogramdd(a, bins=(3, 2))
K   | np.histogramdd(a, 2.5)
K   | np.histogramdd(a, 0)
"""


class Histograms(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
