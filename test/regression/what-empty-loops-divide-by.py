# RUN: %python %s
# What is computed once for all iterations is computed where there are none, too: remainders by extents of 0, positions of an empty list.
import numpy as np

import npcc


def selections(d, a):
    part = d[None, 1:-1, :0, ...]
    other = a[1:0, None, :, ...] + 1e-9
    part[part > 0.5] += other[(other > -1.0) & (other < 2.0)]
    return part


def empty_list(a):
    for _ in range(3):
        a[[]] ^= a
    return a


def powers(a):
    return a[8:4] ** -6, a[8:4] ** a[8:4]


for target in ("cpu", "debug"):
    nothing = np.zeros((0, 0), np.float32)
    assert npcc.jit(target=target)(selections)(nothing, nothing[::-1]).shape == (1, 0, 0)
    assert npcc.jit(target=target)(empty_list)(np.zeros((0, 1, 1), bool)).shape == (0, 1, 1)
    for power in npcc.jit(target=target)(powers)(np.arange(3)):
        assert power.shape == (0,) and power.dtype == np.int64

by_at = np.array([2**60 + 1, 5], np.uint64)
wanted = by_at.copy()
np.add.at(wanted, 0, 1)  # by float64


@npcc.jit
def add_at(a):
    np.add.at(a, 0, 1)


add_at(by_at)
np.testing.assert_array_equal(by_at, wanted)
