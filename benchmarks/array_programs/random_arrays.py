"""The arrays that programs take: of uniform and normal numbers, from a generator."""
import numpy as np


def f4(generator, *shape):
    return generator.random(shape, dtype=np.float32)


def f8(generator, *shape):
    return generator.random(shape)


def normal(generator, *shape):
    return generator.standard_normal(shape)
