"""Python functions for lines and elements, and loops over positions, compiled, against NumPy."""
import unittest

import numpy as np

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
V W  | np.vectorize(lambda x, k=2: x * k)(a), np.vectorize(lambda x, k=2: x * k)(a, k=3), np.vectorize(lambda x, k=2: x * k)(k=a, x=b)
V Y  | np.vectorize(lambda x, k: x * k.sum(), excluded=['k'])(a, k=b), np.vectorize(lambda x, k: x * k[0], excluded=[1])(a, b)
A B  | np.vectorize(lambda x, y: x @ y, signature='(n),(n)->()')(a, b), np.vectorize(lambda x, y: x @ y, signature='(n),(n)->()')(a, b[0])
A V  | np.vectorize(lambda x: x[::-1], signature='(n)->(n)')(a), np.vectorize(np.outer, signature='(n),(m)->(n,m)')(a, b)
A T  | np.vectorize(lambda x: (x.sum(), x * 2), signature='(n)->(),(n)')(a), np.vectorize(lambda x: x.trace(), signature='(m, n)->()', otypes=['f4'])(b)
A    | np.vectorize(lambda x: x.sum(), signature='(m,n)->()')(a)
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
V   | np.vectorize(lambda x: x.sum(), signature='(m,n)->()')(a)
A   | np.vectorize(lambda x: x[0], signature='(n)->(n)')(a)
A B | np.vectorize(lambda x: x[0], signature='(n)->()')(a, b)
A V | np.vectorize(lambda x, y: x.sum(), signature='(n),(n)->()')(a, b)
"""

doubled = np.vectorize(lambda x, k=2: x * k)
weighted = np.vectorize(lambda x, w: x * w.sum(), excluded={1})
products = np.vectorize(lambda x, y: x @ y, signature="(n),(n)->()")


def of_objects(a):
    return doubled(a), doubled(a, k=3), weighted(a, a[0]), products(a, a), products(a, a[0])



class Applying(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)

    def test_objects_of_vectorize(self):
        self.compare(of_objects, [np.arange(12.0).reshape(3, 4)])


if __name__ == "__main__":
    unittest.main()
