"""Permutations, choices, and distributions whose numbers are vectors."""
import unittest

import numpy as np

from draws import GENERATOR, LEGACY, Draws
from harness import jit

BOTH = """
n | g.permutation(5), g.permutation(0), g.permutation(n), g.permutation([1, 2, 3]), g.permutation(-3)
a | g.permutation(a)
m | g.permutation(m)
e | g.permutation(e)
a | g.shuffle(a); return a
m | g.shuffle(m); return m
m | g.shuffle(m[1]); g.shuffle(m[:, 1]); return m
e | g.shuffle(e); return e
n | g.choice(5), g.choice(5, 3), g.choice(5, (2, 2)), g.choice(10, 4, replace=False), g.choice(5, 5, False), g.choice(n, n, False), g.choice(n), g.choice(n, 0), g.choice(0, 0)
a | g.choice(a), g.choice(a, 3), g.choice(a, (2, 2)), g.choice(a, 3, replace=False), g.choice(a, (2, 2), False), g.choice(a[:0], 0)
a p | g.choice(a, p=p), g.choice(a, 3, p=p), g.choice(a, (2, 2), p=p), g.choice(a, 3, replace=False, p=p), g.choice(4, 3, p=p), g.choice(4, p=p), g.choice(4, 2, False, p)
f | g.choice(5, p=[0.1, 0.2, 0.3, 0.2, 0.2]), g.choice([1.5, 2.5]), g.choice((4, 5), 4, p=[0.25, 0.75]), g.choice(2, 3, p=f / 2.5)
m | g.multinomial(10, [0.2, 0.3, 0.5]), g.multinomial(10, [0.2, 0.3, 0.5], 3), g.multinomial(10, [0.2, 0.3, 0.5], size=(2, 2)), g.multinomial(0, [1.0]), g.multinomial(2.5, [1.0])
n p | g.multinomial(n, p), g.multinomial(n, p, 2), g.multinomial(n, p[:3], ())
a | g.dirichlet(a), g.dirichlet(a, 3), g.dirichlet(a * 0.05, (2, 2)), g.dirichlet([1, 2, 3])
"""

GENERATORS = """
m | g.permutation(m, axis=1), g.permutation(m, axis=-1)
m | g.shuffle(m, axis=1); return m
m | g.permuted(m[:, :0], axis=1), g.permuted(m[:0], axis=1), g.permuted(m), g.permuted(m, axis=1), g.permuted(m, axis=0), g.permuted([1, 2, 3]), g.permuted(m.T), g.permuted(m[::2, ::-1]), g.permuted(m[0])
m | r = g.permuted(m, axis=0, out=m); return m, r
m | g.permuted(m.T * 1, out=m.T); return m
m | g.choice(m), g.choice(m, 2), g.choice(m, 2, axis=1), g.choice(m, (2, 2), axis=1), g.choice(m, 2, False, axis=0), g.choice(m, 2, False, shuffle=False)
x | g.choice(10, 5, replace=False, shuffle=False), g.choice(100000, 50000, replace=False)[:10], g.choice(20000, 3000, False, shuffle=False)[:4]
i p | g.multinomial(i, p), g.multinomial(i, p, 3), g.multinomial(i, p, (2, 3))
i | g.multinomial(i, [[0.5, 0.5], [0.2, 0.8], [0.0, 1.0]]), g.multinomial(4, [[0.5, 0.5], [0.2, 0.8]]), g.multinomial(i, [[[0.5, 0.5]], [[0.2, 0.8]]])
i | g.multivariate_hypergeometric(i, 4), g.multivariate_hypergeometric(i, 4, 3), g.multivariate_hypergeometric(i, 4, (2, 2), 'count'), g.multivariate_hypergeometric([3, 4], 2)
"""

BAD = """
a p | g.choice(a, 3, p=p * 2)
a p | g.choice(a, 3, p=-p)
a p | g.choice(a[:2], 3, p=p)
p | g.choice(4, 3, p=p * np.nan)
a | g.choice(a, 7, False)
x | g.choice(5, 7, False)
a p | g.choice(a, 7, False, p)
p | g.choice(4, p=np.array([0.5, 0.5, 0, 0]), size=3, replace=False)
a | g.choice(4, 3, p=np.array([[1.0, 0, 0, 0]]))
x | g.choice(4, p=1)
x | g.choice(4, p=np.array(1.0))
x | g.choice(0)
x | g.choice(-3, 2)
a | g.choice(a[:0])
x | g.choice(5.0)
p | g.multinomial(5, p * 2)
p | g.multinomial(5, -p)
p | g.multinomial(-5, p)
p | g.multinomial(5, 0.5)
a | g.dirichlet(-a)
m | g.dirichlet(m)
x | g.dirichlet(2.0)
"""

BAD_GENERATORS = """
m | g.permutation(m, axis=2)
m | g.shuffle(m, 2)
m | g.permuted(m, out=np.empty(3))
m | g.permuted(m, axis=1, out=np.empty(m.shape, int))
m | g.permuted(m, axis=3)
i p | g.multinomial(i, p, 2)
i p | g.multinomial(-i, p)
p | g.multinomial(5, p[:0])
i | g.multivariate_hypergeometric(-i, 4)
i | g.multivariate_hypergeometric(i, 100)
i | g.multivariate_hypergeometric(i, -1)
i | g.multivariate_hypergeometric(i, 4, method='x')
i | g.multivariate_hypergeometric(i, 1.5)
a | g.multivariate_hypergeometric(a, 4)
c | g.multivariate_normal([1.0, 2.0, 3.0], c, method='cholesky')
c | g.multivariate_normal([1.0, 2.0], c, method='other')
c | g.multivariate_normal([1.0, 2.0], -c, None, 'raise')
c | g.multivariate_normal([1.0, 2.0], -c, None, 'raise', method='eigh')
c | g.multivariate_normal([1.0, 2.0], c, check_valid='other')
c | g.multivariate_normal([1.0, 2.0], c, tol=None)
c | g.multivariate_normal([1.0, 2.0], c, tol=None, method='eigh')
"""


def permuted(seed, x):
    g = np.random.default_rng(seed)
    return g.permuted(x), g.permuted(x, axis=0), g.permuted(x.T)


def single(seed, x):
    g = np.random.default_rng(seed)
    return g.choice(x, ()), g.choice(5, ()), g.choice(x, ()).ndim, g.random()


class Choices(Draws):
    def test_layouts(self):
        whole = np.arange(60).reshape(3, 4, 5)
        compiled = jit(permuted)
        for x in (whole, np.asfortranarray(whole), np.asfortranarray(whole[0]), whole[0].T, np.asfortranarray(whole[:, :1]),
                  np.asfortranarray(whole)[1:, ::2], np.asfortranarray(whole)[:, 1:, ::-1], whole.T[::-1], whole[:, ::2].transpose(0, 2, 1), whole[0][:, ::2].T,
                  np.broadcast_to(np.arange(4)[None, :], (3, 4))):
            with self.subTest(strides=x.strides):
                for got, wanted in zip(compiled(3, x), permuted(3, x)):
                    np.testing.assert_array_equal(got, wanted)

    def test_size_of_no_axes(self):
        wanted, got = single(3, np.arange(4.0)), jit(single)(3, np.arange(4.0))
        self.assertEqual([type(one) for one in got], [type(one) for one in wanted])
        self.assertEqual(got, wanted)

    def test_both(self):
        self.rows(BOTH, GENERATOR, LEGACY)

    def test_generator(self):
        self.rows(GENERATORS, GENERATOR)

    def test_bad_arguments(self):
        self.rows(BAD, GENERATOR, LEGACY, fails=True)
        self.rows(BAD_GENERATORS, GENERATOR, fails=True)


class Normals(Draws):
    """Of several dimensions: the factor of the covariance is LAPACK's."""

    def same(self, got, expected):
        if isinstance(expected, (tuple, list)):
            for one, other in zip(got, expected):
                self.same(one, other)
        else:
            np.testing.assert_allclose(got, expected, rtol=1e-12, strict=True)

    def test_cholesky(self):
        self.rows("c | g.multivariate_normal([1.0, 2.0], c, method='cholesky'), g.multivariate_normal(c[0], c, (2, 3), method='cholesky')", GENERATOR)

    def test_other_factors(self):
        self.rows("c | g.multivariate_normal([1.0, 2.0], c), g.multivariate_normal(c[0], c, (2, 3), method='eigh'), g.multivariate_normal(c[0], c, 4, 'raise')",
                  GENERATOR)
        self.rows("c | g.multivariate_normal([1.0, 2.0], c), g.multivariate_normal(c[0], c, (2, 3), 'ignore')", LEGACY)


if __name__ == "__main__":
    unittest.main()
