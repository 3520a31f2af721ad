# RUN: %python %s
"""A list that is an argument is a seed, as a known one is; an array without axes is none."""
import numpy as np

import npcc


def drawn(seed):
    return np.random.default_rng(seed).random(3), np.random.default_rng(np.random.SeedSequence(seed)).spawn(2)[1].random(2), np.random.RandomState(seed).rand(2)


def outcome(function, seed):
    try:
        return [numbers.tolist() for numbers in function(seed)]
    except Exception as error:
        return type(error).__name__, str(error)


compiled = npcc.jit(drawn, target="cpu")
for seed in ([1, 2, 3], [5], [2**32 + 1], (4, 5), np.array([6, 7]), [-1], np.array(4)):
    assert outcome(compiled, seed) == outcome(drawn, seed), (seed, outcome(compiled, seed), outcome(drawn, seed))
