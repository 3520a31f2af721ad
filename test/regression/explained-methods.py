# RUN: %python %s
"""explain() of a method with the arguments of a call lacked the object, of which the method is: a TypeError."""
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
