"""Matrices of scipy.sparse that are no arguments: globals, attributes and items of what globals hold, and those that the function makes."""
import types
import unittest

import numpy as np

import npcc
from harness import TARGET, jit

try:
    import scipy.sparse as sp
except ImportError:
    sp = None


def tridiagonal(form, dtype="f8", n=5):
    return form((np.diag(np.arange(1.0, n + 1)) + np.diag(np.ones(n - 1), 1) - 2 * np.diag(np.ones(n - 1), -1)).astype(dtype))


if sp is not None:
    rows, columns, of_old = tridiagonal(sp.csr_array), tridiagonal(sp.csc_array, "f4"), tridiagonal(sp.csr_matrix, "c16")
    pair, table, listed = (tridiagonal(sp.csr_array), 2.0), {"first": tridiagonal(sp.csc_array)}, [tridiagonal(sp.csr_array), tridiagonal(sp.csr_array, "i8")]
    model = types.SimpleNamespace(matrix=tridiagonal(sp.csc_matrix), rate=0.5)
    large = tridiagonal(sp.csr_array, n=3000)
    changing = tridiagonal(sp.csr_array)


class Solver:
    def __init__(self):
        self.matrix = tridiagonal(sp.csr_array)

    def smooth(self, x, steps):
        for _ in range(steps):
            x = x - 0.05 * (self.matrix @ x)
        return x


solver = Solver() if sp is not None else None


def products(x):
    return rows @ x, x @ columns, of_old * x, rows.T @ x, 2 * rows @ x, rows.dot(np.ones((5, 2))), rows.shape, rows.sum(), columns.toarray()


def held(x):
    return pair[0] @ x * pair[1], table["first"] @ x, listed[1] @ x, model.matrix @ x * model.rate, solver.smooth(x, 3)


def each(x):
    total = 0
    for matrix in listed:
        total = total + matrix @ x
    return total


def in_helper(x):
    return times(rows, x) + times(columns, x, 1)


def times(matrix, x, count=2):
    for _ in range(count):
        x = matrix @ x
    return x


def fused(x):
    y = np.exp(-((rows @ x) ** 2) / 9)
    return (y * (columns @ np.sin(x))).sum(), y[y > 0.1]


def chosen(x):
    matrix = rows if x[0] > 1 else columns
    return matrix @ x


def caught(x):
    try:
        return rows @ x[:3]
    except ValueError as error:
        return str(error)


def sum_of_two(x):
    y = np.sin(x) + 1
    z = (rows + columns) @ y
    return np.exp(-z).sum() + (model.matrix @ z).sum()


def stars(x):
    return (rows * x).toarray(), of_old * x, of_old**2 @ x, (rows**2) @ x, (of_old * of_old) @ x, (rows * rows) @ x


def made(x):
    matrix = sp.diags_array([x[:-1], 4 + x, x[1:]], offsets=[-1, 0, 1]).tocsr()
    for _ in range(3):
        x = x - 0.1 * (matrix @ x)
    return np.sin(x)


def made_of_parts(x):
    return sp.csr_array((x, np.arange(5), np.arange(6)), shape=(5, 5)) @ x, sp.eye_array(5) @ x


def kronecker(x):
    matrix = sp.kron(sp.eye_array(5), rows).tocsr()
    return np.exp(-(matrix @ np.repeat(x, 5)) ** 2).sum()


def of_large(x):
    for _ in range(3):
        x = large @ x / 1000
    return x


def of_changing(x):
    return changing @ x


def changes(x):
    changing.data *= 2
    return changing @ x


def sets(x):
    changing.data = changing.data * 2
    return changing @ x


def itself(x):
    return rows, x


@unittest.skipIf(sp is None, "scipy, whose matrices these are, is not installed")
class SparseGlobals(unittest.TestCase):
    def same(self, want, got):
        if isinstance(want, (tuple, list)):
            self.assertEqual(len(want), len(got))
            for one, other in zip(want, got):
                self.same(one, other)
            return
        self.assertIs(type(want), type(got))
        if isinstance(want, str):
            self.assertEqual(want, got)
            return
        np.testing.assert_allclose(got, want, rtol=1e-5 if getattr(want, "dtype", None) == "f4" else 1e-12)

    def test_values(self):
        for function in (products, held, each, in_helper, fused, chosen, caught, sum_of_two, stars, made, made_of_parts, kronecker):
            compiled = jit(function)
            for x in (np.arange(5.0) + 0.5, np.arange(5.0) + 1.5):
                with self.subTest(function.__name__):
                    self.same(function(x), compiled(x))

    def test_elements_beyond_constants(self):
        x = np.arange(3000.0)
        self.same(of_large(x), jit(of_large)(x))

    def test_compiled_products(self):
        """Products with globals are compiled, not Python's."""
        for function in (held, fused, of_changing):
            compiled = jit(function)
            compiled(np.ones(5))
            self.assertNotIn("Python runs", str(compiled.explain()), function.__name__)

    def test_other_formats(self):
        """Matrices that compiled code has no class for are Python's, and so are products of them with arrays."""
        x = np.arange(5.0)
        for form in ("coo", "lil", "dok", "dia", "bsr"):
            with self.subTest(form):
                matrix = rows.asformat(form)
                self.same(times(matrix, x, 1), jit(times)(matrix, x, 1))

    def test_itself(self):
        self.assertIs(jit(itself)(np.ones(5))[0], rows)

    def test_changes_between_calls(self):
        global changing
        compiled, x = jit(of_changing), np.arange(5.0) + 1
        for changing in (changing, changing * 3, changing.tocsc(), sp.csr_array(np.eye(5)), np.eye(5) * 7, tridiagonal(sp.csr_array)):
            self.same(changing @ x, compiled(x))
            (changing if isinstance(changing, np.ndarray) else changing.data)[0] += 5
            self.same(changing @ x, compiled(x))

    def test_changes_by_the_function(self):
        global changing
        for function in (changes, sets):
            before, x, compiled = tridiagonal(sp.csr_array), np.arange(5.0) + 1, jit(function)
            changing = before.copy()
            self.same((before * 2) @ x, compiled(x))
            self.same(before.data * 2, changing.data)
            self.same((before * 4) @ x, compiled(x))

    def test_explained_before_a_call(self):
        for function, words in ((of_changing, "argument3.shape[0]"), (sum_of_two, "Python runs")):
            self.assertIn(words, str(npcc.jit(function, target=TARGET).explain(np.ones(5))), function.__name__)


if __name__ == "__main__":
    unittest.main()
