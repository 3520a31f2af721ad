"""Every distribution of numpy.random.Generator and RandomState: parameters that are numbers and arrays, each form of `size`, `out` and dtype."""
import unittest

from draws import GENERATOR, LEGACY, Draws

# Of one, two or three parameters; a and b are arrays that broadcast.
ONE = "chisquare exponential pareto power rayleigh standard_t weibull standard_gamma poisson"
TWO = "beta f gamma gumbel laplace logistic lognormal noncentral_chisquare normal vonmises wald"

BOTH = """
x   | g.noncentral_f(x, 1.25, 2.0), g.noncentral_f(0.75, 0.5, 2, (2, 3))
a b | g.noncentral_f(a, b, 2.0)
x   | g.uniform(-x, 1.25), g.uniform(-0.75, 0.5, size=3), g.uniform(5, 5, 2)
a b | g.uniform(-a, b)
x   | g.zipf(x), g.zipf(1.01, 5), g.zipf(3, 4)
a   | g.zipf(a + 1.5)
x   | g.binomial(10, 0.3), g.binomial(100, 0.7, 4), g.binomial(20, 0.5, size=(2, 2)), g.binomial(2.5, 0.5), g.binomial(10**6, 1e-7, 5), g.binomial(1000, 0.999, 4)
i p | g.binomial(i, 0.3), g.binomial(10, p), g.binomial(i, 0.5, (2, 3)), g.binomial(i.astype('i2'), 0.5), g.binomial(10, 0), g.binomial(0, 0.5), g.binomial(10, 1)
p   | g.geometric(0.3), g.geometric(0.01, 4), g.geometric(p), g.geometric(1e-10)
i   | g.hypergeometric(10, 5, 7), g.hypergeometric(100, 50, 70, 5), g.hypergeometric(i, 20, 5), g.hypergeometric(30, i, i, (2, 3))
p   | g.logseries(0.3), g.logseries(0.9, 4), g.logseries(p), g.logseries(0.999, 5)
i p | g.negative_binomial(10, 0.3), g.negative_binomial(2.5, 0.5, 4), g.negative_binomial(i, 0.4), g.negative_binomial(3, p), g.negative_binomial(1, 1)
a x | g.triangular(-1.0, 0.0, x), g.triangular(-1, 0.5, 2, (2, 3)), g.triangular(-1.0, 0.0, a), g.triangular(0, 0, 1), g.triangular(0, 1, 1, 3)
x   | g.standard_cauchy(), g.standard_cauchy(3), g.standard_normal(), g.standard_normal((2, 3)), g.standard_exponential(), g.standard_exponential(3)
x   | g.random(), g.random(3), g.random((2, 0)), g.random(()), g.random(None), g.random([2, 3])
m   | g.random(m.shape), g.random(size=m.shape[::-1]), g.random(m[0].shape + (2,))
x   | g.normal(), g.normal(size=2), g.uniform(), g.uniform(size=()), g.exponential(), g.poisson(), g.poisson(size=3), g.rayleigh(), g.gumbel(), g.laplace(), g.logistic(), g.lognormal()
x   | g.gamma(0), g.gamma(0.0, 2, 3), g.standard_gamma(1, 2), g.standard_gamma(1e5), g.poisson(0), g.poisson(1e5, 3), g.poisson(9.99, 3), g.exponential(0), g.normal(0, 0)
x   | g.vonmises(0, 0), g.vonmises(1, 1e-9, 3), g.vonmises(3, 1e-6), g.vonmises(0, 1e7, 2), g.beta(0.1, 0.2, 3), g.beta(1e-5, 1e-5, 3), g.beta(5, 0.5), g.weibull(0)
x   | g.noncentral_chisquare(0.5, 2, 3), g.noncentral_chisquare(3, 0), g.wald(1e3, 0.1, 3), g.standard_t(0.5, 2), g.pareto(0.1)
x   | g.normal(np.nan, 1), g.normal(0, np.nan), g.beta(np.nan, 1), g.gamma(np.nan), g.exponential(np.nan)
a i | g.normal(a.astype('f4'), np.float32(2)), g.normal(np.array(3.0), 1), g.normal(np.array(3.0), 1, 2), g.poisson(i), g.normal([1, 2], [3, 4]), g.normal(a[:0], 1), g.gamma(a, size=(0, 4))
i   | g.normal(size=np.array([2, 3])), g.poisson(3.0, np.array([i.size, 1])), g.normal(0, 1, np.array(2)), g.normal(size=(np.int64(2),))
a   | g.laplace(size=3, scale=2.0, loc=a[:3]), g.normal(scale=a), g.beta(b=a, a=2)
"""

# What Generator alone has.
GENERATORS = """
x   | g.random(3, dtype=np.float32), g.random(dtype='f4'), g.standard_normal(5, np.float32), g.standard_normal(dtype=np.float32), g.standard_exponential(4, np.float32)
x   | g.standard_exponential(dtype=np.float32), g.standard_gamma(x, 3, np.float32), g.standard_gamma(x, dtype=np.float32)
a   | g.standard_gamma(a, dtype=np.float32), g.standard_gamma(a, size=(2, 4), dtype='f4')
x   | g.standard_exponential(4, method='inv'), g.standard_exponential(method='inv'), g.standard_exponential(4, np.float32, 'inv'), g.standard_exponential(3, method='zig')
x   | o = np.empty(4); r = g.random(out=o); return o, r, g.random(size=4, out=o), g.standard_normal(out=o), g.standard_exponential(out=o), o
m   | r = g.random(out=m); return r
m   | g.standard_normal(out=m[1]); return m
m   | g.random(out=m.T); return m
f   | g.standard_gamma(2.0, out=f, dtype='f4'); return f
a m | g.standard_gamma(a, out=m); return m
m   | g.standard_gamma(m, out=m); return m
"""

LEGACY_ONLY = """
n   | g.random_sample(), g.random_sample(3), g.rand(), g.rand(2, 3), g.randn(), g.randn(n, 2), g.tomaxint(), g.tomaxint((2, 2)), g.random_integers(9), g.random_integers(-3, n, 4), g.random_integers(2, 2, (1, 2))
n   | g.standard_normal(3), g.standard_normal(), g.standard_normal(4), g.normal(1.0, 2.0, 3)
"""

REFUSED_OUTPUTS = """
m   | g.random(size=3, out=m)
m   | g.random(dtype='f4', out=m)
i   | g.random(out=i)
m   | g.random(out=m[:, ::2])
m   | g.standard_gamma(1.0, out=m.T)
a m | g.standard_gamma(m, out=a)
x   | g.random(dtype=int)
x   | g.standard_normal(dtype='c16')
"""


# A parameter that is out of its bounds comes before a size or shapes that do not fit, and also where nothing is drawn.
REFUSED_PARAMETERS = """
x   | g.wald(-1, -2, -3)
x   | g.wald(1, 2, (3, -3))
x   | g.wald([-1], [-2], -3)
x   | g.wald([1.0], [2.0], -3)
x   | g.wald([1.0, 2.0], [1.0, -2.0, 3.0])
x   | g.wald([1.0, 2.0], [1.0, 2.0, 3.0])
x   | g.wald([[1.0], [-2.0]], [1.0, 2.0, 3.0], (2, 2))
x   | g.wald([[1.0], [2.0]], [1.0, 2.0, 3.0], 3)
a   | g.lognormal(a, -1, ())
a   | g.lognormal(a, 1, ())
a   | g.lognormal(a[:1], -1, (0,))
a   | g.lognormal(a[:0], [-1])
x   | g.wald(1, 2, True)
a   | g.wald(1, 2, np.sum(a) > 0)
a   | g.wald(1, 2, bool(np.sum(a) < 0))
x   | g.wald(1, 2, 2.5)
i   | g.binomial([-5, 5, 5], [0.5, 1.0])
x   | g.hypergeometric([5, 5], [-1, 2, 3], 2)
x   | g.standard_t([-1.0, 2.0], -3)
"""


class Distributions(Draws):
    def test_one_parameter(self):
        self.rows("".join(f"a x | g.{name}(x), g.{name}(0.75, size=3), g.{name}(a), g.{name}(a, (2, 4))\n" for name in ONE.split()), GENERATOR, LEGACY)

    def test_two_parameters(self):
        self.rows("".join(f"a b | g.{name}(2.5, 1.25), g.{name}(0.75, 0.5, (2, 3)), g.{name}(a, b)\n" for name in TWO.split()), GENERATOR, LEGACY)

    def test_sizes_beside_arrays(self):
        self.rows("a b | g.gamma(a, b, size=(3, 4)), g.gamma(a, 2.0, (2, 4)), g.gamma(a, b, (2, 3, 4)), g.gamma(a[:1], size=5), g.gamma(a[None], a[:, None])", GENERATOR)

    def test_others(self):
        self.rows(BOTH, GENERATOR, LEGACY)

    def test_generator(self):
        self.rows(GENERATORS, GENERATOR)

    def test_legacy(self):
        self.rows(LEGACY_ONLY, LEGACY)

    def test_every_bit_generator(self):
        self.rows("x | g.normal(), g.random(3, np.float32), g.integers(0, 100, 5), g.integers(9, size=3, dtype='u1'), g.gamma(x), g.random(700)[-1]",
                  "PCG64DXSM", "Philox", "MT19937", "SFC64")

    def test_refused_outputs(self):
        self.rows(REFUSED_OUTPUTS, GENERATOR, fails=True)

    def test_refused_parameters(self):
        self.rows(REFUSED_PARAMETERS, GENERATOR, LEGACY, fails=True)


if __name__ == "__main__":
    unittest.main()
