# RUN: %python %s
# np.add.at made a function depend on the global function `add`, and on the list that this one changes.
import numpy as np

import npcc

CASES = []


def add(name):
    CASES.append(name)


def deposit(out, places, values):
    np.add.at(out, places, values)
    return out


compiled = npcc.jit(target="cpu")(deposit)
before = npcc.counters()["imports"]
for name in ("a", "b", "c"):
    add(name)
    assert compiled(np.zeros(3), np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0])).tolist() == [1.0, 0.0, 5.0]
assert npcc.counters()["imports"] - before <= 1
assert len(compiled.signatures) == 1 and "str" not in str(compiled.signatures), compiled.signatures
