# RUN: %python %s
"""Positions that are chosen by their probabilities, many at a time: a GPU draws them itself, of the same running sums, and says what NumPy says of bad ones."""
import numpy as np

import npcc


@npcc.jit
def chosen(rng, p, n):
    return rng.choice(len(p), n, p=p), rng.random()


p = np.random.default_rng(0).random(100)
p[[3, 50]] = 0
p /= p.sum()
for make in (np.random.default_rng, np.random.RandomState):
    for n in (5, 9000, 66000):
        for given, wanted in zip(chosen(make(1), p, n), chosen.py_func(make(1), p, n)):
            np.testing.assert_array_equal(given, wanted)

for bad in (p * 2, -p, p * np.nan):
    said = []
    for call in (chosen, chosen.py_func):
        try:
            call(np.random.default_rng(1), bad, 9000)
        except ValueError as error:
            said.append(str(error))
    assert len(said) == 2 and said[0] == said[1], said
