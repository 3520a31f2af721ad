# RUN: %python %s
# np.ndenumerate() and zip() of what may be an array or a number, as sum() of a generator may be, or arrays of two ranks, were refused.
import numpy as np

import npcc


def marked(x, weights):
    blurred = sum(w * x for w in weights)
    found, total = [], 0.0
    for position, value in np.ndenumerate(blurred):
        if value > 3:
            found.append(value)
        total += value * len(position)
    return found, total


compiled = npcc.jit(target="cpu")(marked)
for weights in np.arange(3.0), np.zeros(0):
    assert repr(compiled(np.arange(6.0).reshape(2, 3), weights)) == repr(marked(np.arange(6.0).reshape(2, 3), weights))
assert not compiled.fallbacks


def weighted(x, weights, scale):
    blurred = sum(w * x for w in weights)
    halves = blurred / 2 if scale > 1 else blurred[0]
    names, total = ["a", "b"], []
    for value, name in zip(halves, names):
        total.append((name, np.sum(value)))
    for row, half in zip(blurred, halves):
        total.append(("both", np.sum(row * half)))
    return total


compiled = npcc.jit(target="cpu")(weighted)
for scale in 1, 2:
    assert repr(compiled(np.arange(6.0).reshape(2, 3), np.arange(3.0), scale)) == repr(weighted(np.arange(6.0).reshape(2, 3), np.arange(3.0), scale))
assert not compiled.fallbacks
