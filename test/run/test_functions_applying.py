"""Python functions for lines and elements, and loops over positions, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
A    | np.apply_along_axis(np.sum, 0, a), np.apply_along_axis(lambda r: r / r.sum(), 1, a)
A    | np.apply_along_axis(lambda r, k: np.sort(r)[:k], 1, a, 2), np.apply_along_axis(lambda r, k: r.sum() * k, axis=-1, arr=a, k=2)
T    | np.apply_along_axis(lambda r: np.outer(r, r), 1, a), np.apply_along_axis(np.diff, 0, a), np.apply_along_axis(np.diag, -1, a)
V    | np.apply_along_axis(np.sum, 0, a), np.apply_along_axis(lambda r: [r.min(), r.max()], 0, a)
I    | np.apply_along_axis(lambda r: r.mean(), 1, a), np.apply_along_axis(sorted, 0, a)
T    | np.apply_over_axes(np.sum, a, [0, 2]), np.apply_over_axes(np.max, a, -1), np.apply_over_axes(lambda x, k: x.mean(k, keepdims=True), a, (0, 1))
V    | np.vectorize(lambda x: x * x + 1)(a)
V W  | np.vectorize(lambda x, y: x if x > y else y)(a, b), np.vectorize(lambda x, y: x + y)(a, 2)
A V5 | np.vectorize(lambda x, y: math.sin(x) + y)(a, b), np.vectorize(lambda x, y: (x, y + 1))(a, b)
Z    | np.vectorize(lambda x: x % 3)(a), np.vectorize(lambda x: x % 3, otypes=[float])(a), np.vectorize(lambda x: x > 3)(a)
E    | np.vectorize(lambda x: x, otypes=[float])(a), np.vectorize(lambda x: x * 2)(3.0)
A    | s = 0.0; t = [a[i] for i in np.ndindex(a.shape)]; return sum(t)
A    | s = np.zeros(a.shape); [0 for _ in range(2)]; return [i for i in np.ndindex(2, 3)], [(i, j) for i, j in np.ndindex(a.shape)], list(np.ndindex((2,)))
A    | return [x for i, x in np.ndenumerate(a)], [i[0] + i[1] * x for i, x in np.ndenumerate(a)], sum(x for _, x in np.ndenumerate(a))
V    | return [i[0] * x for i, x in np.ndenumerate(a)], [k for k in np.ndindex(len(a))]
"""

ERRORS = r"""
A   | np.apply_along_axis(np.sum, 2, a)
E   | np.apply_along_axis(np.sum, 1, a)
E   | np.vectorize(lambda x: x)(a)
"""


class Applying(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
