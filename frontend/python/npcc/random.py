"""Random numbers of npcc's own streams, where NumPy's stream does not matter.

Number i of a stream is a function of the stream's key and of i alone (Philox 2x32-10). So compiled code makes numbers in the kernel that uses them, without
memory for them and without a state to wait for, and gives the same ones on every target and on any number of devices. The same methods run in plain Python.
"""

import numpy as np

from .library.routines import random_bits

__all__ = ["FastGenerator", "fast"]


def fast(seed):
    """A generator whose stream `seed`, an integer, chooses: one of 2^62 places in one of 2^32 streams of 2^64 numbers each."""
    return FastGenerator(seed)


class FastGenerator:
    """Has the methods of `numpy.random.Generator` that are named here, with the same parameters; the numbers are others. Each number takes 64 bits of the
    stream, those of the normal distribution 128. May be made outside and inside compiled functions, and be given to them: they move its position on."""

    def __init__(self, seed):
        mixed = _mixed(_mixed(np.uint64(seed & 0x7FFFFFFFFFFFFFFF)) ^ np.uint64(seed < 0))
        self.key = int(mixed >> np.uint64(32))
        self.position = int(_mixed(mixed) >> np.uint64(2))

    def bits(self, size=None):
        """uint64, all 64 bits random."""
        shape = _shape(size)
        drawn = random_bits(self.key, self.position, shape)
        self.position += _count(shape)
        return drawn

    def random(self, size=None, dtype=np.float64):
        """In [0, 1): multiples of 2^-53 (float64) or 2^-24 (float32)."""
        if np.dtype(dtype) == np.float32:
            return (self.bits(size) >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
        if np.dtype(dtype) != np.float64:
            raise TypeError(f"Unsupported dtype dtype('{np.dtype(dtype).name}') for random")
        return (self.bits(size) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def uniform(self, low=0.0, high=1.0, size=None):
        if size is None:
            size = np.broadcast_shapes(np.shape(low), np.shape(high))
        return low + (high - low) * self.random(size)

    def standard_exponential(self, size=None):
        return -np.log1p(-self.random(size))

    def exponential(self, scale=1.0, size=None):
        if size is None:
            size = np.shape(scale)
        return scale * self.standard_exponential(size)

    def standard_normal(self, size=None, dtype=np.float64):
        """Of two uniform numbers each (G. E. P. Box and M. E. Muller, 1958)."""
        size_of_one = _shape(size)
        radius = np.sqrt(-2 * np.log1p(-self.random(size_of_one, dtype)))
        return radius * np.cos(np.asarray(2 * np.pi, dtype) * self.random(size_of_one, dtype))

    def normal(self, loc=0.0, scale=1.0, size=None):
        if size is None:
            size = np.broadcast_shapes(np.shape(loc), np.shape(scale))
        return loc + scale * self.standard_normal(size)

    def integers(self, low, high=None, size=None):
        """int64 in [low, high), or [0, low). The odds of two numbers differ by at most (high - low) / 2^64."""
        if high is None:
            low, high = 0, low
        if low >= high:
            raise ValueError("low >= high")
        return (self.bits(size) % np.uint64(high - low)).astype(np.int64) + low

    def permutation(self, x):
        """The integers below x, or the rows of x, in a random order."""
        rows = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return rows[np.argsort(self.bits(rows.shape[0]))]

    def choice(self, a, size=None, replace=True):
        """Rows of `a`, or integers below it, each with the same odds."""
        rows = np.arange(a) if np.ndim(a) == 0 else np.asarray(a)
        n = rows.shape[0]
        if replace:
            return rows[self.integers(0, n, size)]
        shape = _shape(size)
        if _count(shape) > n:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        return rows[np.argsort(self.bits(n))[: _count(shape)].reshape(shape)]


def _shape(size):
    if size is None:
        return ()
    return tuple(size) if np.ndim(size) else (size,)


def _count(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def _mixed(x):
    """Every bit of the result depends on every one of x (splitmix64's finalizer: G. L. Steele, D. Lea, C. H. Flood, 2014)."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
