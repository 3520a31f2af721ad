"""Distributions of whole numbers."""

import numpy as np

from . import method
from .elements import drawn
from .primitives import class_of

POISSON_MEAN_MAX = float(np.iinfo(np.int64).max - np.sqrt(np.iinfo(np.int64).max) * 10)


def whole(number):
    """A float alone is cut, as int() does it; arrays of floats are an error of the draw's."""
    return int(number) if isinstance(number, (float, np.floating)) else number


@method("Generator", "RandomState")
def binomial(self, n, p, size=None):
    return drawn(self, "binomial", np.int64, size, (p, whole(n)))


@method("Generator", "RandomState")
def geometric(self, p, size=None):
    return drawn(self, "geometric", np.int64, size, (p,))


@method("Generator", "RandomState")
def hypergeometric(self, ngood, nbad, nsample, size=None):
    ngood = whole(ngood)
    nbad = whole(nbad)
    nsample = whole(nsample)
    if class_of(self) == "Generator" and np.any(np.logical_or(np.greater_equal(ngood, 10**9), np.greater_equal(nbad, 10**9))):
        raise ValueError("both ngood and nbad must be less than 1000000000")
    if np.any(np.less(np.add(ngood, nbad), nsample)):
        raise ValueError("ngood + nbad < nsample")
    return drawn(self, "hypergeometric", np.int64, size, (ngood, nbad, nsample))


@method("Generator", "RandomState")
def logseries(self, p, size=None):
    return drawn(self, "logseries", np.int64, size, (p,))


@method("Generator", "RandomState")
def negative_binomial(self, n, p, size=None):
    if class_of(self) == "Generator":
        count = np.asarray(n, dtype=np.float64)
        share = np.asarray(p, dtype=np.float64)
        # Bad parameters are told of by the draw, which no numbers come from then.
        valid = np.logical_and(np.all(count > 0), np.all(np.logical_and(share > 0, share <= 1)))
        if valid and np.any((1 - share) / share * (count + 10 * np.sqrt(count)) > POISSON_MEAN_MAX):
            raise ValueError("n too large or p too small, see Generator.negative_binomial Notes")
    return drawn(self, "negative_binomial", np.int64, size, (n, p))


@method("Generator", "RandomState")
def poisson(self, lam=1.0, size=None):
    return drawn(self, "poisson", np.int64, size, (lam,))


@method("Generator", "RandomState")
def zipf(self, a, size=None):
    return drawn(self, "zipf", np.int64, size, (a,))
