# RUN: %python %s
"""The call of a class whose metaclass has a __getattr__, which gives something for every name, was taken for that of a vector of threads, and the compiler
called itself without end."""
import numpy as np

import npcc


class Everything(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything


class Anything(metaclass=Everything):
    pass


def f(x):
    made = Anything.of.any.kind()
    return x + 1, made is None


assert repr(npcc.jit(f)(np.ones(3))) == repr(f(np.ones(3)))
