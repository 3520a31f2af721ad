# RUN: env NPCC_TIERS=0 %python %s
"""Eight bytes that are stored under a condition which needs numbers of 64 bits: on processors with AVX-512 LLVM's code stored the next eight bytes, too."""
import numpy as np

import npcc


def replaced(c, d):
    x = c + c
    x[3:] = np.trace(x)
    x[(x > -1.25) & (x < 2.25)] = np.logical_not(np.min(0.25 * (d[1:] + d[1:])))
    return x


random = np.random.default_rng(3)
c, d = random.integers(0, 128, (60, 6)).astype(np.uint8), np.array([5, 8, 2, 3, 2, 7], np.uint8)
c[:, 2] = 0
compiled = npcc.jit(target="cpu")(replaced)
for rows in (9, 4, 17, 60):
    np.testing.assert_array_equal(compiled(c[:rows], d), replaced(c[:rows], d))
