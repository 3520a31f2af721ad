"""What a random call is made of: dtypes, shapes, values and layouts of its arguments, and its keywords."""

from __future__ import annotations

import random

import numpy as np

DTYPES = ["?", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
LAYOUTS = ["Fortran order", "reversed", "sliced", "transposed", "broadcast", "read-only"]


class Draw:
    """One call being drawn: its arguments so far."""

    def __init__(self, seed):
        self.random, self.numbers = random.Random(seed), np.random.default_rng(seed)
        self.arguments = []

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *items):
        return self.random.choice(items)

    def dtype(self):
        return self.pick("f8", "f8", "f4", "i8", "c16") if self.chance(0.5) else self.pick(*DTYPES)

    def extent(self):
        return self.pick(0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 33) if self.chance(0.9) else self.pick(64, 100, 257)

    def shape(self, fewest=0, most=3):
        shape = [self.extent() for _ in range(self.random.randint(fewest, most))]
        while np.prod(shape) > 20000:
            shape[self.random.randrange(len(shape))] = self.pick(1, 2, 3)
        return tuple(shape)

    def values(self, shape, dtype, special=0.1):
        """Small numbers, some of them equal; now and then all that the dtype holds, NaN and infinities."""
        kind, draw = np.dtype(dtype), self.numbers
        if kind.kind == "b":
            return draw.random(shape) < 0.5
        if kind.kind in "iu":
            info = np.iinfo(kind)
            if self.chance(0.1):
                return draw.integers(info.min, info.max, shape, dtype=kind, endpoint=True)
            return draw.integers(max(info.min, -9), 10, shape).astype(kind)
        whole = self.chance(0.3)
        one = lambda: draw.integers(-4, 5, shape).astype(float) if whole else draw.normal(size=shape)  # noqa: E731
        array = np.asarray(one() + (1j * one() if kind.kind == "c" else 0)).astype(kind)
        if array.size and self.chance(special):
            for _ in range(self.pick(1, 2, 5)):
                array[tuple(draw.integers(0, extent) for extent in shape)] = self.pick(np.nan, np.inf, -np.inf, -0.0)
        return array

    def laid_out(self, array):
        """The same values with other strides."""
        if array.ndim == 0 or self.chance(0.45):
            return array
        layout = self.pick(*LAYOUTS)
        if layout == "Fortran order":
            return np.asfortranarray(array)
        if layout == "reversed":
            at = tuple(slice(None, None, self.pick(1, -1)) for _ in array.shape)
            return np.ascontiguousarray(array[at])[at]
        if layout == "sliced":
            wide = np.zeros([2 * extent + 3 for extent in array.shape], array.dtype)
            part = tuple(slice(1, 2 * n + 1, 2) if self.chance(0.6) else slice(2, n + 2) for n in array.shape)
            wide[part] = array
            return wide[part]
        if layout == "transposed":
            order = list(range(array.ndim))
            self.random.shuffle(order)
            return np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order))
        if layout == "broadcast" and array.ndim > 1 and array.shape[0]:
            return np.broadcast_to(array[:1], array.shape)
        if layout == "read-only":
            array = array.copy()
            array.flags.writeable = False
        return array

    def give(self, value):
        """The name of a new argument."""
        self.arguments.append(value)
        return f"a{len(self.arguments) - 1}"

    def array(self, fewest=0, most=3, dtype=None, special=0.1, shape=None):
        shape = self.shape(fewest, most) if shape is None else tuple(shape)
        self.last = self.laid_out(np.asarray(self.values(shape, dtype or self.dtype(), special)))
        return self.give(self.last)

    def axis(self, rank, none=True):
        if none and self.chance(0.25):
            return "None"
        if self.chance(0.05):
            return str(self.pick(rank, -rank - 1))
        return str(self.random.randrange(-rank, rank)) if rank else self.pick("0", "-1")

    def axes(self, rank):
        picked = self.random.sample(range(rank), self.random.randint(1, rank)) if rank else []
        return "(" + "".join(f"{axis - rank if self.chance(0.3) else axis}, " for axis in picked) + ")"

    def keywords(self, **options):
        """Each name with one of its texts, or without."""
        return "".join(f", {name}={self.pick(*texts)}" for name, texts in options.items() if self.chance(0.4))
