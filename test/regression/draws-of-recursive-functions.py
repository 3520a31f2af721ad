# RUN: %python %s
# A function that draws random numbers only in a function that calls itself did not hand over the generator: RuntimeError, "generator 1 of random numbers was
# not given with the call".
import random

import numpy as np

import npcc

rng = np.random.default_rng(3)


def last(n):
    drawn = random.randint(0, 1000)
    return last(n - 1) if n else drawn


def last_of_numpy(n):
    drawn = rng.integers(0, 1000)
    return last_of_numpy(n - 1) if n else drawn


def both(n):
    return last(n), last_of_numpy(n)


def seeded():
    global rng
    random.seed(5)
    rng = np.random.default_rng(5)


seeded()
expected = [both(3) for _ in range(3)]
seeded()
compiled = npcc.jit(both, target="cpu")
assert [compiled(3) for _ in range(3)] == expected
