# RUN: %python %s
"""A method of an object, and an object that is called, were not taken for what they are: a function whose first argument is the object. What is no
function is refused with a reason."""
import numpy as np

import npcc


class Model:
    def __init__(self, weights):
        self.weights, self.calls = weights, 0

    def predict(self, x, scale=1.0, *, shift=0):
        self.calls += 1
        return x @ self.weights * scale + shift

    def __call__(self, x):
        return self.predict(x, 2.0)

    @classmethod
    def of_ones(cls, n):
        return cls(np.ones(n)).predict(np.ones(n))


model, x = Model(np.arange(3.0)), np.ones((2, 3))
predict = npcc.jit(model.predict, target="cpu")
assert predict(x).tolist() == [3.0, 3.0] and predict(x, shift=1, scale=2).tolist() == [7.0, 7.0]
model.weights = np.ones(3)
assert predict(x).tolist() == [3.0, 3.0] and model.calls == 3
assert predict.__name__ == "predict"
assert npcc.jit(model, target="cpu")(x).tolist() == [6.0, 6.0] and model.calls == 4
assert npcc.jit(Model.of_ones, target="cpu")(4) == 4.0

for what, words in [
    (np.sin, "npcc.jit compiles functions written in Python, and sin is not: call it in one"),
    (
        "f(float64)",
        "npcc.jit takes no signature: a function is compiled for the types it is called with. npcc script.py --sig 'f(float64)' compiles ahead of time",
    ),
    (len, "npcc.jit compiles functions written in Python, and len is not: call it in one"),
]:
    try:
        npcc.jit(what)
    except TypeError as error:
        assert str(error) == words, error
    else:
        raise AssertionError(what)
