# RUN: %python %s
# A method of an object that one of its attributes holds (`self.kernel = self._kernel`) was taken for a function without an object where npcc.jit has compiled
# the class: TypeError, an argument is missing.
import numpy as np

import npcc


class Machine:
    def __init__(self, name, width):
        self.width, self.weights = width, np.ones(3)
        self.kernel = self._gaussian if name == "gaussian" else self._linear

    def _gaussian(self, a, b):
        return np.exp(-((a - b) ** 2) / self.width)

    def _linear(self, a, b):
        return a * b

    def predict(self, x):
        return self.weights.dot(self.kernel(x, self.weights))


x = np.arange(3.0)
expected = [Machine(name, 2.0).predict(x) for name in ("gaussian", "linear")]
Compiled = npcc.jit(target="cpu")(Machine)
assert np.allclose([Compiled(name, 2.0).predict(x) for name in ("gaussian", "linear")], expected)
assert not Compiled.predict.fallbacks, Compiled.predict.fallbacks
