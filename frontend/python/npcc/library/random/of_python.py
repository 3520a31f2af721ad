"""What random.Random has in C: the rest of Python's module `random` is Python's own source, which calls these.

Its numbers come of the same Mersenne Twister as those of numpy.random.RandomState, and in compiled code it is one (npcc/python_random.py).
"""

import bisect
import itertools
import math
import random as of_python

import numpy as np

from .. import implements
from . import method
from .integers import bounded
from .primitives import draw_scalar, new_generator, seed_generator


@implements(of_python.Random)
def generator(x=None):
    if x is None:
        return new_generator("Random", "MT19937", "entropy")
    if isinstance(x, (int, np.integer)):
        return new_generator("Random", "MT19937", "legacy_array", None, words_of(abs(int(x))))
    raise NotImplementedError("random.Random() of anything but an integer cannot be compiled: make it outside the compiled function")


@method("Random")
def random(self):
    return draw_scalar(self, "random", np.float64, (), ())


@method("Random")
def gauss(self, mu=0.0, sigma=1.0):
    return mu + draw_scalar(self, "python_gauss", np.float64, (), ()) * sigma


@method("Random")
def sample(self, population, k, *, counts=None):
    """As Python's own source has it, but for the list that is made: that one begins with None for each item."""
    if counts is not None:
        ends = list(itertools.accumulate(counts))
        if len(ends) != len(population):
            raise ValueError("The number of counts does not match the population")
        total = ends.pop()
        if total <= 0:
            raise ValueError("Total of counts must be greater than zero")
        return [population[bisect.bisect(ends, place)] for place in self.sample(range(total), k)]
    count = len(population)
    if k < 0 or k > count:
        raise ValueError("Sample larger than population or is negative")
    most = 21  # items that are copied; of more, those that were taken are remembered
    if k > 5:
        most += 4 ** math.ceil(math.log(k * 3, 4))
    chosen = []
    if count <= most:
        pool = list(population)
        for taken in range(k):
            place = self._randbelow(count - taken)
            chosen.append(pool[place])
            pool[place] = pool[count - taken - 1]
    else:
        places = set()
        for _ in range(k):
            place = self._randbelow(count)
            while place in places:
                place = self._randbelow(count)
            places.add(place)
            chosen.append(population[place])
    return chosen


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
