# RUN: %python %s
# A function that draws from numpy.random's own generator, and of which Python runs parts, raised IndexError: the parts draw from it as it is, and so calls
# handed over no generators. Compiled code has to go on where parts leave it, with the normal number that a RandomState keeps for the next draw, too.
import json

import numpy as np

import npcc

rng = np.random.RandomState(3)


def simulated(n):
    np.random.seed(n)
    rows = []
    for k in range(n):
        first, second = np.random.randn(), np.random.rand(2)
        drawn = str(json.loads(json.dumps([np.random.normal(), k])))
        rows.append((first, second[1], drawn, np.random.randn(), rng.normal(), np.random.randint(10)))
    return rows, np.random.normal()


expected = simulated(6)
after = np.random.rand(), rng.rand()
rng.seed(3)
compiled = npcc.jit(target="cpu")(simulated)
assert compiled(6) == expected
assert (np.random.rand(), rng.rand()) == after
