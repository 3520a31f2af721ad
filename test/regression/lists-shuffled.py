# RUN: %python %s
"""`rng.shuffle` of a list was refused."""
import copy

import numpy as np

import npcc


def shuffled(x, seed):
    rng = np.random.default_rng(seed)
    other = x
    rng.shuffle(x)
    rng.shuffle(x)
    return other is x, rng.random()


def legacy(x, seed):
    rng = np.random.RandomState(seed)
    rng.shuffle(x)
    return rng.random_sample()


def own(n, seed):
    rng = np.random.default_rng(seed)
    tour, words, pairs = list(range(n)), ["a", "b", "c", "d"], [(k, k * 0.5) for k in range(n)]
    for items in (tour, words, pairs):
        rng.shuffle(items)
    np.random.seed(seed)
    np.random.shuffle(tour)
    return tour, words, pairs


for function in (shuffled, legacy):
    for given in ([3, 1, 2, 5], [1.5, 2.5, 3.5], ["a", "b", "c"], [1], [], [(1, "x"), (2, "y"), (3, "z")], [[1], [2, 3], []], [1, 2.5, "a", None]):
        mine, theirs = copy.deepcopy(given), copy.deepcopy(given)
        found, expected = npcc.jit(function, target="cpu")(mine, 7), function(theirs, 7)
        assert (found, mine) == (expected, theirs), (function.__name__, given, mine, theirs)
found, expected = npcc.jit(own, target="cpu")(6, 3), own(6, 3)
assert found == expected, (found, expected)
