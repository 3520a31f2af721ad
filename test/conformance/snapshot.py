"""Copies of a call's arguments that lie in memory as the arguments do: strides, overlap, alignment and the right to write are kept."""

from __future__ import annotations

import ctypes

import numpy as np

MOST_BYTES = 1 << 22
ALIGNMENT = 64


class TooLarge(Exception):
    """The arrays have more bytes than are copied for each call."""


def arrays_of(value):
    if isinstance(value, np.ndarray):
        yield value
    elif type(value) in (tuple, list):
        for item in value:
            yield from arrays_of(item)


class Snapshot:
    """What the memory of all arrays held. Each `take()` is a new set of arguments."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.arrays = list({id(a): a for value in arguments for a in arrays_of(value)}.values())
        self.blocks = self.keep()

    def keep(self):
        """[(first address, bytes)]: arrays that overlap are in one block."""
        bounds = sorted(np.lib.array_utils.byte_bounds(a) for a in self.arrays if a.size)
        merged = []
        for low, high in bounds:
            if merged and low < merged[-1][1]:
                merged[-1][1] = max(high, merged[-1][1])
            else:
                merged.append([low, high])
        if sum(high - low for low, high in merged) > MOST_BYTES:
            raise TooLarge
        return [(low, ctypes.string_at(low, high - low)) for low, high in merged]

    def take(self):
        memory = []
        for low, data in self.blocks:
            space = np.empty(len(data) + 2 * ALIGNMENT, np.uint8)
            start = (low - space.ctypes.data) % ALIGNMENT
            space[start : start + len(data)] = np.frombuffer(data, np.uint8)
            memory.append((low, len(data), space, start))
        copies = {id(a): self.copy(a, memory) for a in self.arrays}
        return [self.replace(value, copies) for value in self.arguments]

    @staticmethod
    def copy(array, memory):
        if not array.size:
            return np.ndarray(array.shape, array.dtype, strides=array.strides, buffer=np.empty(0, array.dtype)) if array.ndim == 0 else array.copy()
        address = array.ctypes.data
        low, _, space, start = next(m for m in memory if m[0] <= address < m[0] + m[1])
        result = np.ndarray(array.shape, array.dtype, space, start + address - low, array.strides)
        result.flags.writeable = array.flags.writeable
        return result

    @classmethod
    def replace(cls, value, copies):
        if isinstance(value, np.ndarray):
            return copies[id(value)]
        if type(value) in (tuple, list):
            return type(value)(cls.replace(item, copies) for item in value)
        return value
