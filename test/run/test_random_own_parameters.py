"""Numbers of which each has parameters of its own, permutations and choices: NumPy's, and the generator goes on behind them. A device draws them itself
where there are NPCC_DEVICE_DRAWS of them or more, which is read when the first are drawn."""
import os
import unittest

import numpy as np

import npcc
from draws import fresh, state
from harness import TARGET, Comparison, jit

MANY = int(os.environ.setdefault("NPCC_DEVICE_DRAWS", "33000" if TARGET == "cuda" else "1000"))
MILLION = 10**6 if MANY > 10**4 else 4 * MANY  # where kernels are not interpreted
COUNTS = (0, 1, MANY + 17)

# What is drawn of x from 0 to 1 and whole k from 0 to 40, which differ from number to number.
ROWS = {
    "poisson": lambda g, x, k: g.poisson(9.9 * x),
    "poisson of both methods": lambda g, x, k: g.poisson(k),
    "gamma": lambda g, x, k: g.gamma(0.3 + 4 * x, 1 + x),
    "standard_gamma": lambda g, x, k: g.standard_gamma(k / 8),
    "standard_gamma of float32": lambda g, x, k: g.standard_gamma(1 + 3 * x, dtype=np.float32),
    "chisquare": lambda g, x, k: g.chisquare(0.5 + 8 * x),
    "beta": lambda g, x, k: g.beta(0.3 + 2 * x, 1.5 - x),
    "standard_t": lambda g, x, k: g.standard_t(1 + 8 * x),
    "f": lambda g, x, k: g.f(0.5 + 8 * x, 9 - 8 * x),
    "noncentral_chisquare": lambda g, x, k: g.noncentral_chisquare(1.1 + 8 * x, k % 3),
    "wald": lambda g, x, k: g.wald(1 + x, 3 - 2 * x),
    "weibull": lambda g, x, k: g.weibull(0.5 + x),
    "lognormal": lambda g, x, k: g.lognormal(x, 0.1 + x),
    "triangular": lambda g, x, k: g.triangular(x, 1 + x, 3 + x),
    "binomial": lambda g, x, k: g.binomial(4 * k, x),
    "negative_binomial": lambda g, x, k: g.negative_binomial(1 + 10 * x, 0.2 + 0.8 * x),
    "geometric": lambda g, x, k: g.geometric(0.05 + 0.9 * x),
    "logseries": lambda g, x, k: g.logseries(0.99 * x),
    "zipf": lambda g, x, k: g.zipf(1.6 + x),
    "hypergeometric": lambda g, x, k: g.hypergeometric(k + 20, 30, 15),
    "multinomial": lambda g, x, k: g.multinomial(k, np.stack((x / 2, (1 - x) / 2, np.full_like(x, 0.25)), -1)),
    "multinomial of one kind": lambda g, x, k: g.multinomial(40, np.array([0.2, 0.3, 0.0, 0.4, 0.1]), x.size),
    "multinomial whose shares do not add up": lambda g, x, k: g.multinomial(50, np.array([0.1] * 10 + [0.0]), x.size),
    "dirichlet": lambda g, x, k: g.dirichlet(np.array([0.2, 3.0, 1.0, 0.05]), x.size),
    "broadcast": lambda g, x, k: g.gamma(1 + x[:, None], np.array([1.0, 2.0, 3.0])),
}
LEGACY = ["poisson", "binomial", "geometric", "triangular"]
if np.lib.NumpyVersion(np.__version__) < "2.5.0":  # whose numbers for a share of 0 are others than those of the NumPy that npcc is built with
    LEGACY.append("multinomial of one kind")
# Of extremes, which the host draws.
EXTREMES = {
    "poisson": lambda g, x, k: g.poisson(np.where(k == 7, 1e10, x)),
    "gamma": lambda g, x, k: g.gamma(np.where(k == 7, 1e-5, 1 + x), 1.0),
    "binomial": lambda g, x, k: g.binomial(np.where(k == 7, 2**41, 5), x),
    "zipf": lambda g, x, k: g.zipf(1.1 + x),
}
REFUSED = {
    "poisson": lambda g, x, k: g.poisson(np.where(k == 7, -1.0, x)),
    "binomial": lambda g, x, k: g.binomial(k - 1, x),
    "multinomial": lambda g, x, k: g.multinomial(k - 1, np.array([0.5, 0.5])),
    "choice": lambda g, x, k: g.choice(x.size, x.size + 1, replace=False),
}
POSITIONS = {
    "permutation": lambda g, n: g.permutation(n),
    "shuffle": lambda g, n: shuffled(g, np.arange(2.0 * n).reshape(n, 2)),
    "choice of all": lambda g, n: g.choice(n, n, replace=False),
}
POSITIONS_OF_GENERATORS = {
    "tail of a choice": lambda g, n: g.choice(10001 + n, 600 + n, replace=False),
    "choice of many": lambda g, n: g.choice(10001 + 60 * n, n, replace=False),
    "permuted lines": lambda g, n: g.permuted(np.arange(3 * n).reshape(3, n), axis=1),
    "permuted columns": lambda g, n: g.permuted(np.arange(3 * n).reshape(n, 3), axis=0),
    "choice in order": lambda g, n: g.choice(10001 + 60 * n, n, replace=False, shuffle=False),
    "tail in order": lambda g, n: g.choice(10001 + n, 600 + n, replace=False, shuffle=False),
}


def shuffled(generator, x):
    generator.shuffle(x)
    return x


def outcome(function, kind, *arguments):
    """What a new generator gives, or the error, and its state. One half of a word is left over before."""
    generator = fresh(kind)
    if kind != "RandomState":
        generator.integers(0, 9, 1, np.uint32)
    try:
        result = np.asarray(function(generator, *arguments))
    except ValueError as error:
        result = str(error)
    return result, state(generator)


class OwnParameters(Comparison):
    def compare(self, rows, kinds, *arguments):
        for name, function in rows.items():
            compiled = jit(function)
            for kind in kinds:
                with self.subTest(name, kind=kind):
                    (got, mine), (want, theirs) = outcome(compiled, kind, *arguments), outcome(function, kind, *arguments)
                    if isinstance(want, str):
                        self.assertEqual(got, want)
                    else:
                        self.assertEqual(got.dtype, want.dtype)
                        np.testing.assert_array_equal(got, want)
                    self.assertEqual(mine, theirs)

    def numbers(self, count):
        source = np.random.default_rng(3)
        return source.random(count), source.integers(0, 41, count)

    def test_numbers(self):
        for count in COUNTS:
            self.compare(ROWS, ("PCG64",), *self.numbers(count))

    def test_every_bit_generator(self):
        rows = {name: ROWS[name] for name in ("poisson", "geometric", "standard_gamma of float32")}
        self.compare(rows, ("PCG64DXSM", "Philox", "SFC64", "MT19937"), *self.numbers(MANY))

    def test_many(self):
        """More than a device looks at in one round."""
        self.compare({name: ROWS[name] for name in ("geometric", "triangular")}, ("PCG64",), *self.numbers(35 * MANY))

    def test_several_tiles(self):
        self.compare({name: ROWS[name] for name in ("poisson", "standard_gamma", "binomial")}, ("Philox",), *self.numbers(10 * MANY))

    def test_legacy(self):
        self.compare({name: ROWS[name] for name in LEGACY}, ("RandomState",), *self.numbers(MANY))

    def test_extremes(self):
        self.compare(EXTREMES, ("PCG64",), *self.numbers(MANY))

    def test_refused(self):
        self.compare(REFUSED, ("PCG64",), *self.numbers(MANY))

    def test_positions(self):
        for count in (1, 2, MANY + 17):
            self.compare(POSITIONS, ("PCG64", "RandomState"), count)
            self.compare(POSITIONS_OF_GENERATORS, ("PCG64",), count)

    def test_positions_of_every_bit_generator(self):
        rows = {"permutation": POSITIONS["permutation"], "choice of many": POSITIONS_OF_GENERATORS["choice of many"]}
        self.compare(rows, ("PCG64DXSM", "Philox", "SFC64", "MT19937"), MANY)

    @unittest.skipUnless(TARGET == "cuda", "a device's draws")
    def test_a_device_makes_positions(self):
        """What is sent does not grow with the positions, and none comes back."""
        generator, compiled = np.random.default_rng(7), jit(lambda g, n: g.choice(4 * n, n, replace=False).sum())
        before = npcc.counters()
        for count in (MANY, MILLION):
            compiled(generator, count)
        after = npcc.counters()
        for way in ("bytes_host_to_device", "bytes_device_to_host"):
            self.assertLess(after[way] - before[way], 40000)

    @unittest.skipUnless(TARGET == "cuda", "a device's draws")
    def test_a_device_makes_numbers(self):
        """The host gets the parameters, to look at them, and sends none of the numbers."""
        generator, compiled = np.random.default_rng(7), jit(lambda g, x: g.poisson(x).sum())
        means = npcc.asarray(np.linspace(0, 20, MILLION), device="cuda")
        compiled(generator, means)
        before = npcc.counters()
        compiled(generator, means)
        after = npcc.counters()
        self.assertLess(after["bytes_host_to_device"] - before["bytes_host_to_device"], 8 * MANY + 8000)

    @unittest.skipUnless(TARGET == "cuda", "a device's draws")
    def test_a_device_finishes_what_it_begins(self):
        """A block has more walks than threads here: where a thread's next one was another than its list says, the host drew all numbers again."""
        x, k = self.numbers(MANY)
        for name in ("zipf", "multinomial", "poisson"):
            compiled = jit(ROWS[name])
            with self.subTest(name), npcc.profile(None) as recording:
                compiled(np.random.default_rng(7), x, k)
            self.assertEqual([event["name"] for event in recording.events if event["ph"] == "X" and "of the host" in event["name"]], [])

    @unittest.skipUnless(TARGET == "cuda", "a device's draws")
    def test_what_the_host_draws_is_recorded(self):
        compiled = jit(lambda g, x: g.noncentral_chisquare(x, 1.0))
        for least, spans in ((1.6, 0), (0.5, 1)):
            with npcc.profile(None) as recording:
                compiled(np.random.default_rng(7), np.linspace(least, 3, MANY))
            self.assertEqual(sum(event["name"].startswith("random numbers of the host") for event in recording.events if event["ph"] == "X"), spans)


if __name__ == "__main__":
    unittest.main()
