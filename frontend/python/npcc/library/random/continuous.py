"""Continuous distributions with parameters."""

import numpy as np

from . import method
from .elements import are_scalars, drawn
from .primitives import class_of


@method("Generator", "RandomState")
def beta(self, a, b, size=None):
    return drawn(self, "beta", np.float64, size, (a, b))


@method("Generator", "RandomState")
def chisquare(self, df, size=None):
    return drawn(self, "chisquare", np.float64, size, (df,))


@method("Generator", "RandomState")
def exponential(self, scale=1.0, size=None):
    return drawn(self, "exponential", np.float64, size, (scale,))


@method("Generator", "RandomState")
def f(self, dfnum, dfden, size=None):
    return drawn(self, "f", np.float64, size, (dfnum, dfden))


@method("Generator", "RandomState")
def gamma(self, shape, scale=1.0, size=None):
    return drawn(self, "gamma", np.float64, size, (shape, scale))


@method("Generator", "RandomState")
def gumbel(self, loc=0.0, scale=1.0, size=None):
    return drawn(self, "gumbel", np.float64, size, (loc, scale))


@method("Generator", "RandomState")
def laplace(self, loc=0.0, scale=1.0, size=None):
    return drawn(self, "laplace", np.float64, size, (loc, scale))


@method("Generator", "RandomState")
def logistic(self, loc=0.0, scale=1.0, size=None):
    return drawn(self, "logistic", np.float64, size, (loc, scale))


@method("Generator", "RandomState")
def lognormal(self, mean=0.0, sigma=1.0, size=None):
    return drawn(self, "lognormal", np.float64, size, (mean, sigma))


@method("Generator", "RandomState")
def noncentral_chisquare(self, df, nonc, size=None):
    return drawn(self, "noncentral_chisquare", np.float64, size, (df, nonc))


@method("Generator", "RandomState")
def noncentral_f(self, dfnum, dfden, nonc, size=None):
    return drawn(self, "noncentral_f", np.float64, size, (dfnum, dfden, nonc))


@method("Generator", "RandomState")
def normal(self, loc=0.0, scale=1.0, size=None):
    return drawn(self, "normal", np.float64, size, (loc, scale))


@method("Generator", "RandomState")
def pareto(self, a, size=None):
    return drawn(self, "pareto", np.float64, size, (a,))


@method("Generator", "RandomState")
def power(self, a, size=None):
    return drawn(self, "power", np.float64, size, (a,))


@method("Generator", "RandomState")
def rayleigh(self, scale=1.0, size=None):
    return drawn(self, "rayleigh", np.float64, size, (scale,))


@method("Generator", "RandomState")
def standard_t(self, df, size=None):
    return drawn(self, "standard_t", np.float64, size, (df,))


@method("Generator", "RandomState")
def triangular(self, left, mode, right, size=None):
    if np.any(np.greater(left, mode)):
        raise ValueError("left > mode")
    if np.any(np.greater(mode, right)):
        raise ValueError("mode > right")
    if np.any(np.equal(left, right)):
        raise ValueError("left == right")
    return drawn(self, "triangular", np.float64, size, (left, mode, right))


@method("Generator", "RandomState")
def uniform(self, low=0.0, high=1.0, size=None):
    span = np.subtract(high, low, dtype=np.float64)
    if are_scalars((low, high)) and class_of(self) == "Generator":
        if not np.isfinite(span):
            raise OverflowError("high - low range exceeds valid bounds")
    elif not np.all(np.isfinite(span)):
        raise OverflowError("Range exceeds valid bounds")
    return drawn(self, "uniform", np.float64, size, (low, span))


@method("Generator", "RandomState")
def vonmises(self, mu, kappa, size=None):
    return drawn(self, "vonmises", np.float64, size, (mu, kappa))


@method("Generator", "RandomState")
def wald(self, mean, scale, size=None):
    return drawn(self, "wald", np.float64, size, (mean, scale))


@method("Generator", "RandomState")
def weibull(self, a, size=None):
    return drawn(self, "weibull", np.float64, size, (a,))
