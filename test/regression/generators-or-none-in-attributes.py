# RUN: %python %s
"""A generator of random numbers was put into an attribute that is None in others of many objects: the compiler crashed when it looked for its dtype."""
import numpy as np

import npcc


class Tree:
    def __init__(self, rng=None):
        self.rng, self.root = rng, 0

    def fit(self, y):
        if self.rng is not None:
            self.root = int(self.rng.choice(y))
        return self


def roots(y, n):
    rng = np.random.default_rng(3)
    forest = [Tree().fit(y)]
    for _ in range(n):
        forest.append(Tree(rng).fit(y))
    return [tree.root for tree in forest]


y = np.arange(10) % 4
assert npcc.jit(target="cpu")(roots)(y, 3) == roots(y, 3)
