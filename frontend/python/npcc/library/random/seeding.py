"""New generators, and what their states come from."""

import numpy as np

from .. import implements
from ..routines import is_known
from . import method
from .primitives import class_of, new_generator


def takes_nested():
    """Whether the NumPy that is installed takes sequences inside of seeds, as versions before 2.5 do."""
    try:
        np.random.SeedSequence([[1]])
    except TypeError:
        return False
    return True


TAKES_NESTED = takes_nested()


def words_of(seed):
    """Integers that stand for the seed's: those beyond 63 bits in parts of 32 bits, as NumPy takes them apart."""
    if isinstance(seed, (float, np.inexact)):
        raise TypeError("seed must be integer")
    if not TAKES_NESTED and isinstance(seed, (tuple, list, np.ndarray)):
        raise TypeError("SeedSequence does not accept nested sequences.")
    if isinstance(seed, (tuple, list)):
        words = ()
        for item in tuple(seed):
            if not isinstance(item, (int, np.integer)):
                raise NotImplementedError("a seed of sequences inside a sequence that hold more than integers cannot be compiled")
            words = words + words_of_integer(item)
        return words
    if not isinstance(seed, (int, np.integer)):
        raise NotImplementedError("a seed that has arrays beside integers cannot be compiled: join them outside")
    return words_of_integer(seed)


def words_of_integer(seed):
    if isinstance(seed, int) and seed >= 2**63:
        return tuple([seed >> 32 * k & 0xFFFFFFFF for k in tuple(range((seed.bit_length() + 31) // 32))])
    return (seed,)


def entropy_of(seed):
    """The seed as an array of integers. A list whose length is known at run time only is one of numbers of 64 bits."""
    if isinstance(seed, (tuple, list)) and is_known(len(seed)):
        words = ()
        for item in tuple(seed):
            words = words + words_of(item)
        return np.array(words) if len(words) > 0 else np.zeros(0, np.int64)
    if isinstance(seed, int):
        return np.array(words_of(seed))
    if isinstance(seed, (float, complex, str)):
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {seed}")
    if isinstance(seed, np.ndarray) and seed.ndim == 0:
        raise TypeError("len() of unsized object")
    seed = np.asarray(seed)
    if not TAKES_NESTED and seed.ndim > 1:
        raise TypeError("SeedSequence does not accept nested sequences.")
    if seed.dtype.kind not in "iu":
        if seed.ndim == 0:
            raise TypeError("len() of unsized object")
        raise TypeError("seed must be integer")
    return seed.ravel()


def seeded(kind, bits, seed):
    if seed is None:
        return new_generator(kind, bits, "entropy")
    if class_of(seed) == "SeedSequence":
        return new_generator(kind, bits, "sequence", seed)
    if isinstance(seed, (np.random.BitGenerator, np.random.SeedSequence)):
        refuse_outer()
    words = entropy_of(seed)
    if words.dtype == np.uint64:
        return new_generator(kind, bits, "unsigned", None, words.astype(np.int64))
    return new_generator(kind, bits, "integers", None, words)


def refuse_outer():
    raise NotImplementedError("a bit generator or SeedSequence from outside cannot be used in compiled code: make the Generator outside, too")


@implements(np.random.default_rng)
def default_rng(seed=None):
    if class_of(seed) == "Generator":
        return seed
    if class_of(seed) == "BitGenerator" or class_of(seed) == "RandomState":
        return new_generator("Generator", "", "share", seed)
    return seeded("Generator", "PCG64", seed)


@implements(np.random.Generator)
def generator(bit_generator):
    if class_of(bit_generator) != "BitGenerator":
        if isinstance(bit_generator, np.random.BitGenerator):
            refuse_outer()
        raise TypeError("numpy.random.Generator takes a bit generator")
    return new_generator("Generator", "", "share", bit_generator)


@implements(np.random.PCG64)
def pcg64(seed=None):
    return seeded("BitGenerator", "PCG64", seed)


@implements(np.random.PCG64DXSM)
def pcg64dxsm(seed=None):
    return seeded("BitGenerator", "PCG64DXSM", seed)


@implements(np.random.SFC64)
def sfc64(seed=None):
    return seeded("BitGenerator", "SFC64", seed)


@implements(np.random.MT19937)
def mt19937(seed=None):
    return seeded("BitGenerator", "MT19937", seed)


@implements(np.random.Philox)
def philox(seed=None, counter=None, key=None):
    if counter is not None or key is not None:
        raise NotImplementedError("Philox(counter=, key=) cannot be compiled: make it outside the compiled function")
    return seeded("BitGenerator", "Philox", seed)


@implements(np.random.SeedSequence)
def seed_sequence(entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
    if spawn_key != () or pool_size != 4 or n_children_spawned != 0:
        raise NotImplementedError("SeedSequence of more than its entropy cannot be compiled: make the generator outside the compiled function")
    return seeded("SeedSequence", "", entropy)


@method("Generator", "BitGenerator", "SeedSequence")
def spawn(self, n_children):
    return [new_generator(class_of(self), "", "spawn", self) for k in tuple(range(n_children))]
