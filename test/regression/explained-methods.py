# RUN: %python %s
"""explain() of a method with the arguments of a call lacked the object, of which the method is: a TypeError. That of a function of which Python runs parts
was the error of compiling it without them."""
import numpy as np

import npcc


class Scale:
    def __init__(self, by):
        self.by = by

    def of(self, x, shift=0.0):
        return self.by * x + shift


scale = npcc.jit(Scale(np.full(3, 2.0)).of, target="cpu")
before = str(scale.explain(np.ones(3)))
assert "kernel 1: map over 3" in before and before == str(scale.explain(x=np.ones(3)))
assert scale(np.ones(3)).tolist() == [2, 2, 2] and "kernel 1: map over 3" in str(scale.explain())


@npcc.jit(target="cpu")
def partly(x):
    """The attempt without Python's objects comes first, and has failed."""
    objects = np.array([None])
    return x * 2, len(objects)


partly(np.ones(3))
assert "a part that Python runs" in str(partly.explain())
