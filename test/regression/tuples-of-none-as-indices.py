# RUN: %python %s
"""A position of an index that is None at first and a number then, and lists that a dataclass makes of each of many objects."""
from dataclasses import dataclass, field

import numpy as np

import npcc


def best_column(x):
    best = (None, -np.inf)
    for k in range(x.shape[1]):
        if x[:, k].sum() > best[1]:
            best = (k, x[:, k].sum())
    return x[:, best[0]].sum(), best


@dataclass
class Walker:
    position: np.ndarray
    history: list = field(default_factory=list)


def walks(n):
    walkers = [Walker(np.zeros(2)) for _ in range(n)]
    for k, walker in enumerate(walkers):
        for _ in range(k):
            walker.position += 1
            walker.history.append(walker.position.copy())
    return [len(walker.history) for walker in walkers], walkers[n - 1].history


def same(mine, theirs):
    return repr(mine) == repr(theirs)


x = np.arange(6.0).reshape(2, 3)
assert same(npcc.jit(best_column, target="cpu")(x), best_column(x))
assert same(npcc.jit(walks, target="cpu")(3), walks(3))
