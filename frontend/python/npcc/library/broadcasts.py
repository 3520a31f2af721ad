"""numpy.broadcast: arrays side by side, as a class that is compiled with the functions that use it."""

import numpy as np

from . import implements
from .containers import SEEN_AS


class Broadcast:
    """What np.broadcast gives: the shape that arrays have together, and an iterator over their elements in C order."""

    def __init__(self, arrays, shape):
        self.arrays = arrays
        self.shape = shape
        self.index = 0

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def nd(self):
        return len(self.shape)

    @property
    def numiter(self):
        return len(self.arrays)

    @property
    def size(self):
        count = 1
        for extent in self.shape:
            count = count * extent
        return count

    def reset(self):
        self.index = 0

    def __iter__(self):
        while self.index < self.size:
            self.index += 1
            yield self._at(self.index - 1)

    def __next__(self):
        if self.index >= self.size:
            raise StopIteration
        self.index += 1
        return self._at(self.index - 1)

    def _at(self, index):
        return tuple([array.flat[index] for array in self.arrays])


SEEN_AS[Broadcast] = np.broadcast


@implements(np.broadcast)
def broadcast(*args):
    arrays = tuple([np.asarray(one) for one in args])
    shape = np.broadcast_shapes(*[array.shape for array in arrays])
    return Broadcast(tuple([np.broadcast_to(array, shape) for array in arrays]), shape)
