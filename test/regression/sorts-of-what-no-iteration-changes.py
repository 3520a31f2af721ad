# RUN: %python %s
# A sort of the same elements in each iteration, of a function of an array: the extent of the function's value was asked for, which nothing has in memory.
import numpy as np

import npcc


def add_ranks(a, c):
    for i in range(a.shape[0]):
        a += np.argsort(np.where(c > 3, c, 3), kind="stable")
    return a


for target in ("cpu", "debug"):
    for c in (np.array([7, 2, 5], np.uint16), np.array([1.0, 9.0, 4.0])):
        a = np.ones((8, 3))
        want = add_ranks(a.copy(), c)
        got = npcc.jit(target=target)(add_ranks)(a, c)
        assert np.array_equal(got, want), (target, got, want)
