# RUN: %python %s
"""A parameter of random numbers out of its bounds is found when the draw runs: no clause could take the error. Where one would, parameters that are
numbers are compared before the draw; parameters that are arrays and that only the draw looks at cannot be compiled."""

import numpy as np

import npcc


def guarded(n, p):
    try:
        return np.random.binomial(n, p)
    except ValueError:
        return -1


def guarded_by_another(n, p):
    try:
        return np.random.binomial(n, p)
    except KeyError:
        return -1


def guarded_constant():
    try:
        return np.random.normal(0.0, 1.0)
    except ValueError:
        return 2.0


def with_words(g, s):
    try:
        return g.normal(0, s), g.exponential(abs(s), 3), g.uniform(s, 1), "drawn"
    except ValueError as error:
        return g.random(), 0.0, 1.0, str(error)


def each(g, scales):
    drawn, said = [], ""
    for s in scales:
        try:
            drawn.append(g.gamma(s, 2.0) + g.poisson(s * 3.0))
        except ValueError as error:
            said += str(error) + ";"
    return drawn, said


def probabilities(g, p):
    try:
        return g.geometric(p), g.binomial(5, p), g.logseries(p), g.negative_binomial(2, p), g.zipf(p + 1), "drawn"
    except ValueError as error:
        return 0, 0, 0, 0, 0, str(error)


def means(g, mean):
    try:
        return g.poisson(mean), ""
    except ValueError as error:
        return 0, str(error)


def of_elements(g, scales):
    try:
        return g.normal(0, scales)
    except ValueError:
        return scales


def compared(g, middle):
    try:
        return g.triangular(0, middle, 2), g.triangular(middle - 1, middle, 2.5, 3), ""
    except ValueError as error:
        return middle, g.random(), str(error)


def counted(g, sample):
    try:
        return g.hypergeometric(5, sample, 7), g.hypergeometric(3, 4, sample, 2), ""
    except ValueError as error:
        return sample, g.random(), str(error)


def of_arrays(g, chances):
    try:
        return g.geometric(chances)
    except ValueError:
        return chances


for n in (-1, 5):
    np.random.seed(3)
    drawn = npcc.jit(guarded, target="cpu")(n, 0.5)
    np.random.seed(3)
    assert drawn == guarded(n, 0.5)
try:
    npcc.jit(guarded_by_another, target="cpu")(-1, 0.5)
except ValueError as error:
    assert str(error) == "n < 0", error
else:
    raise AssertionError("not raised")
np.random.seed(3)
drawn = npcc.jit(guarded_constant, target="cpu")()
np.random.seed(3)
assert drawn == guarded_constant()
for function, argument in ([(with_words, s) for s in (2.0, 0.5, 0.0, -0.0, -1.0)] + [(each, [1.0, -2.0, 0.5, -3.0])] +
                           [(probabilities, p) for p in (0.5, 0.0, 1.0, -0.5, 1.5, np.nan)] + [(means, m) for m in (2.0, -1.0, np.nan, 1e19)] +
                           [(of_elements, np.array([1.0, s])) for s in (2.0, -2.0)] + [(compared, m) for m in (0.0, 1.5, 3.0, -1.0, np.nan)] +
                           [(counted, n) for n in (2, 7, 8, -1, 10**9)]):
    mine, other = np.random.default_rng(5), np.random.default_rng(5)
    found, expected = npcc.jit(function, target="cpu")(mine, argument), function(other, argument)
    assert repr(found) == repr(expected), (function.__name__, argument, found, expected)
    assert mine.random() == other.random()
try:
    npcc.jit(of_arrays, target="cpu")(np.random.default_rng(5), np.array([0.5, 2.0]))
except npcc.CompileError as error:
    assert "out of their bounds are an error that compiled code cannot catch" in str(error), error
else:
    raise AssertionError("compiled")
