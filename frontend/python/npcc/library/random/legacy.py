"""What numpy.random.RandomState has beside, or otherwise than, numpy.random.Generator."""

import numpy as np

from .. import implements
from . import method
from .elements import drawn
from .primitives import class_of, new_generator, seed_generator


@method("RandomState")
def seed(self, seed=None):
    if seed is None:
        seed_generator(self, "entropy")
    else:
        seed_generator(self, seeding_of(seed), words_of(seed))


@implements(np.random.seed)
def seed_of_all(seed=None):
    np.random.mtrand._rand.seed(seed)


@implements(np.random.sample, np.random.ranf)
def sample(size=None):
    return np.random.mtrand._rand.random_sample(size)


def seeding_of(seed):
    """How NumPy takes the seed: a list of one integer is several, an array of one is that one."""
    if isinstance(seed, (list, tuple)):
        return "legacy_array"
    return "legacy" if np.ndim(seed) == 0 else "legacy_squeezed"


def words_of(seed):
    if isinstance(seed, (list, tuple)) and len(seed) == 0:
        raise ValueError("Seed must be non-empty")
    if isinstance(seed, int) and (seed < 0 or seed >= 2**32):
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    words = np.asarray(seed)
    if words.dtype.kind not in "iub":
        what = "scalar" if words.ndim == 0 else "array data"
        raise TypeError(f"Cannot cast {what} from {words.dtype!r} to dtype('int64') according to the rule 'safe'")
    if words.ndim > 1:
        if isinstance(seed, (list, tuple)) or words.size != max(*words.shape):
            raise ValueError("Seed array must be 1-d")
    return words.ravel()


@implements(np.random.RandomState)
def random_state(seed=None):
    if seed is None:
        return new_generator("RandomState", "MT19937", "entropy")
    if class_of(seed) == "BitGenerator":
        return new_generator("RandomState", "", "share", seed)
    return new_generator("RandomState", "MT19937", seeding_of(seed), None, words_of(seed))


@method("RandomState")
def random_sample(self, size=None):
    return drawn(self, "random", np.float64, size, ())


@method("RandomState")
def random(self, size=None):
    return drawn(self, "random", np.float64, size, ())


@method("RandomState")
def rand(self, *args):
    return drawn(self, "random", np.float64, args if len(args) > 0 else None, ())


@method("RandomState")
def randn(self, *args):
    return drawn(self, "standard_normal", np.float64, args if len(args) > 0 else None, ())


@method("RandomState")
def standard_normal(self, size=None):
    return drawn(self, "standard_normal", np.float64, size, ())


@method("RandomState")
def standard_exponential(self, size=None):
    return drawn(self, "standard_exponential", np.float64, size, ())


@method("RandomState")
def standard_gamma(self, shape, size=None):
    return drawn(self, "standard_gamma", np.float64, size, (shape,))
