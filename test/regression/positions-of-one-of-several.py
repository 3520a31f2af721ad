# RUN: %python %s
# np.ndenumerate() of what may be an array or a number, as sum() of a generator may be, was refused.
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
