"""What random.Random has in C: the rest of Python's module `random` is Python's own source, which calls these.

Its numbers come of the same Mersenne Twister as those of numpy.random.RandomState, and in compiled code it is one (npcc/python_random.py).
"""

import numpy as np

from . import method
from .integers import bounded
from .primitives import draw_scalar, seed_generator


@method("Random")
def random(self):
    return draw_scalar(self, "random", np.float64, (), ())


def word_of(self):
    """32 bits."""
    return int(bounded(self, "masked_integers", 0, 2**32 - 1, None, np.int64, True))


@method("Random")
def getrandbits(self, k):
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k > 63:
        raise OverflowError("random bits of more than 63 are not integers of compiled code")
    if k == 0:
        return 0
    if k <= 32:
        return word_of(self) >> (32 - k)
    low = word_of(self)
    return low | ((word_of(self) >> (64 - k)) << 32)


@method("Random")
def seed(self, a=None, version=2):
    if a is None:
        seed_generator(self, "entropy")
    elif isinstance(a, (int, np.integer)):
        seed_generator(self, "legacy_array", words_of(abs(int(a))))
    else:
        raise TypeError("random.seed() of anything but an integer cannot be compiled")


def words_of(number):
    if number < 2**32:
        return np.array([number])
    return np.array([number % 2**32, number // 2**32])
